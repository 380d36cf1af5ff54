cdef extern from "layers.h" nogil:
    ctypedef struct layers_network:
        Py_ssize_t size, inner, depth, heads, layers
        float epsilon
        const float *positions
        const float *first_norm
        const signed char *weights
        const float *floats
        const float *numbers
    int layers_here()
    Py_ssize_t layers_memory(Py_ssize_t size, Py_ssize_t inner, Py_ssize_t longest)
    void layers_run(
        const layers_network *network, float *rows, const long long *offsets, Py_ssize_t texts, Py_ssize_t longest,
        int way, void *memory)
    void layers_multiply(
        const float *x, Py_ssize_t rows, Py_ssize_t width, const float *weights, Py_ssize_t columns, int way, float *out)
