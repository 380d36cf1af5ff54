cdef extern from "fused.h" nogil:
    int fused_here()
    void fused_product(
        const short *x, Py_ssize_t rows, Py_ssize_t width, const short *weights, const float *scale, const float *bias,
        Py_ssize_t columns, int way, float *out)
    void fused_direction(
        const short *x, Py_ssize_t width, const short *inputs, const short *recurrent, const float *scales,
        Py_ssize_t size, const int *lengths, Py_ssize_t sentences, int backward, const float *ranges, int way,
        short *out, void *memory)
    Py_ssize_t fused_memory(Py_ssize_t size, Py_ssize_t longest)
