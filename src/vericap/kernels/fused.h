/* A linear map and an LSTM direction with whole numbers for inputs and weights, for processors that multiply and add
   pairs of 16-bit integers in one instruction (AVX-512 VNNI): no compiler finds these loops by itself, and NumPy has
   matrix products of floats alone, which are half as fast. Sums stay under 2^24, so they are exact, and what follows
   are the operations of IEEE 754 in float32 one by one, in the order of `recurrence.py`: all ways give the same bits.

   Weights lie in blocks of 64 columns (of an LSTM: four gates of 16 units). A block holds for each pair of inputs
   64 pairs of weights: [block][width / 2][4][16][2]. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define FUSED_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#define FUSED_INLINE static inline __attribute__((always_inline)) FUSED_TARGET
#define FUSED_ROWS 6 /* 6 × 4 vectors of sums, 4 of weights and one of inputs fill the 32 registers */
#define FUSED_UNROLL _Pragma("GCC unroll 8")

/* The sums of one block for a few rows. Sums have names, and the instruction is written out: as arrays and intrinsics
   GCC 12 copies every register around it. */
#define FUSED_EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#define FUSED_ZERO(r) __m512i s##r##0 = _mm512_setzero_si512(), s##r##1 = s##r##0, s##r##2 = s##r##0, s##r##3 = s##r##0;
#define FUSED_DOT(sum, x, weights) __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(weights))
#define FUSED_ADD(r)                              \
    if (rows > r) {                               \
        int32_t pair;                             \
        memcpy(&pair, x[r] + k, 4);               \
        __m512i both = _mm512_set1_epi32(pair);   \
        FUSED_DOT(s##r##0, both, w0);             \
        FUSED_DOT(s##r##1, both, w1);             \
        FUSED_DOT(s##r##2, both, w2);             \
        FUSED_DOT(s##r##3, both, w3);             \
    }
#define FUSED_KEEP(r) \
    if (rows > r) sums[r][0] = s##r##0, sums[r][1] = s##r##1, sums[r][2] = s##r##2, sums[r][3] = s##r##3;

FUSED_INLINE void fused_sums(int rows, const int16_t *const *x, ptrdiff_t width, const int16_t *weights,
                             __m512i sums[FUSED_ROWS][4]) {
    FUSED_EACH(FUSED_ZERO)
    for (ptrdiff_t k = 0; k < width; k += 2, weights += 128) {
        __m512i w0 = _mm512_loadu_si512(weights), w1 = _mm512_loadu_si512(weights + 32);
        __m512i w2 = _mm512_loadu_si512(weights + 64), w3 = _mm512_loadu_si512(weights + 96);
        FUSED_EACH(FUSED_ADD)
    }
    FUSED_EACH(FUSED_KEEP)
}

FUSED_INLINE void fused_rows(int rows, const int16_t *x, ptrdiff_t width, const int16_t *weights, const float *scale,
                             const float *bias, ptrdiff_t columns, float *out) {
    const int16_t *at[FUSED_ROWS];
    __m512i sums[FUSED_ROWS][4];
    for (int r = 0; r < rows; r++) at[r] = x + r * width;
    for (ptrdiff_t first = 0; first < columns; first += 64, weights += 64 * width) {
        fused_sums(rows, at, width, weights, sums);
        for (int v = 0; v < 4; v++) {
            ptrdiff_t column = first + 16 * v, left = columns - column;
            if (left <= 0) break;
            __mmask16 mask = left >= 16 ? 0xFFFF : (__mmask16)((1u << left) - 1);
            __m512 s = _mm512_maskz_loadu_ps(mask, scale + column), b = _mm512_maskz_loadu_ps(mask, bias + column);
            for (int r = 0; r < rows; r++)
                _mm512_mask_storeu_ps(out + r * columns + column, mask,
                                      _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sums[r][v]), s), b));
        }
    }
}

/* out [rows, columns] = x [rows, width] · weights · scale + bias */
FUSED_TARGET static void fused_product(const int16_t *x, ptrdiff_t rows, ptrdiff_t width, const int16_t *weights,
                                       const float *scale, const float *bias, ptrdiff_t columns, float *out) {
    ptrdiff_t r = 0;
    for (; r + FUSED_ROWS <= rows; r += FUSED_ROWS)
        fused_rows(FUSED_ROWS, x + r * width, width, weights, scale, bias, columns, out + r * columns);
    for (; r < rows; r++) fused_rows(1, x + r * width, width, weights, scale, bias, columns, out + r * columns);
}

/* As `tanh_in_place` of recurrence.py. */
FUSED_INLINE __m512 fused_tanh(__m512 x) {
    x = _mm512_min_ps(_mm512_max_ps(x, _mm512_set1_ps(-8.0f)), _mm512_set1_ps(8.0f));
    __m512 y = _mm512_mul_ps(x, x), p = _mm512_set1_ps(1.13102315e-05f), q = _mm512_set1_ps(2.4238435e-07f);
#define FUSED_THEN(sum, c) _mm512_add_ps(_mm512_mul_ps(sum, y), _mm512_set1_ps(c))
    p = FUSED_THEN(p, 0.0029388284f);
    p = FUSED_THEN(p, 0.12913641f);
    p = FUSED_THEN(p, 0.99999934f);
    q = FUSED_THEN(q, 0.00023702857f);
    q = FUSED_THEN(q, 0.02376383f);
    q = FUSED_THEN(q, 0.4624674f);
    q = FUSED_THEN(q, 1.0f);
    return _mm512_div_ps(_mm512_mul_ps(x, p), q);
}

/* What a direction of a layer is made of; see `fused_direction`. */
typedef struct {
    const int16_t *x, *inputs, *recurrent;
    const float *scales, *ranges;
    ptrdiff_t width, size;
    int backward;
    int16_t *out;
} fused_layer;

/* One step of a few sentences: `row` are their words, `before` and `after` their outputs, in whole numbers. */
FUSED_INLINE void fused_step(int rows, const fused_layer *layer, int first, const ptrdiff_t *row, float *cells,
                             const int16_t *before, int16_t *after) {
    const int16_t *x[FUSED_ROWS], *h[FUSED_ROWS];
    __m512i sums[FUSED_ROWS][4];
    __m512 z[FUSED_ROWS][4];
    ptrdiff_t size = layer->size, width = layer->width;
    const __m512 half = _mm512_set1_ps(0.5f), limit = _mm512_set1_ps(layer->ranges[0]);
    const __m512 out_step = _mm512_set1_ps(layer->ranges[1]);
    const __m512i most = _mm512_set1_epi32((int)layer->ranges[2]), least = _mm512_set1_epi32(-(int)layer->ranges[2]);
    for (int r = 0; r < rows; r++) {
        x[r] = layer->x + row[r] * width;
        h[r] = before + r * size;
    }
    for (ptrdiff_t unit = 0; unit < size; unit += 16) {
        const float *scales = layer->scales + unit;
        fused_sums(rows, x, width, layer->inputs + 4 * unit * width, sums);
        FUSED_UNROLL for (int v = 0; v < 4; v++) {
            __m512 scale = _mm512_loadu_ps(scales + v * size), bias = _mm512_loadu_ps(scales + (4 + v) * size);
            FUSED_UNROLL for (int r = 0; r < rows; r++)
                z[r][v] = _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sums[r][v]), scale), bias);
        }
        if (!first) {
            fused_sums(rows, h, size, layer->recurrent + 4 * unit * size, sums);
            FUSED_UNROLL for (int v = 0; v < 4; v++) {
                __m512 scale = _mm512_loadu_ps(scales + (8 + v) * size);
                FUSED_UNROLL for (int r = 0; r < rows; r++)
                    z[r][v] = _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sums[r][v]), scale), z[r][v]);
            }
        }
        for (int r = 0; r < rows; r++) {
            float *cell = cells + r * size + unit;
            __m512 i = _mm512_add_ps(_mm512_mul_ps(fused_tanh(z[r][0]), half), half);
            __m512 f = _mm512_add_ps(_mm512_mul_ps(fused_tanh(z[r][1]), half), half);
            __m512 o = _mm512_add_ps(_mm512_mul_ps(fused_tanh(z[r][2]), half), half);
            __m512 c = _mm512_mul_ps(i, fused_tanh(z[r][3]));
            if (!first) c = _mm512_add_ps(_mm512_mul_ps(_mm512_loadu_ps(cell), f), c);
            _mm512_storeu_ps(cell, c);
            __m512 out = _mm512_mul_ps(fused_tanh(c), o);
            __m512i whole = _mm512_cvtps_epi32(_mm512_mul_ps(out, limit));
            _mm256_storeu_si256((__m256i *)(after + r * size + unit), _mm512_cvtepi32_epi16(whole));
            whole = _mm512_cvtps_epi32(_mm512_mul_ps(out, out_step));
            whole = _mm512_min_epi32(_mm512_max_epi32(whole, least), most);
            _mm256_storeu_si256((__m256i *)(layer->out + (2 * row[r] + layer->backward) * size + unit),
                                _mm512_cvtepi32_epi16(whole));
        }
    }
}

/* The bytes that `fused_direction` works in. */
static ptrdiff_t fused_memory(ptrdiff_t size) { return FUSED_ROWS * size * (2 * 2 + 4); }

/* One direction of an LSTM over sentences, the longest first: sentence s is rows starts[s] … + lengths[s] of x
   [rows, width] and of out [rows, 2, size]. `scales` are those of inputs, the biases and those of the recurrence,
   [3, 4, size]; `ranges`: integers for an output of 1 in the recurrence and in `out`, and the largest of `out`. */
FUSED_TARGET static void fused_direction(const int16_t *x, ptrdiff_t width, const int16_t *inputs,
                                         const int16_t *recurrent, const float *scales, ptrdiff_t size,
                                         const int32_t *starts, const int32_t *lengths, ptrdiff_t sentences,
                                         int backward, const float *ranges, int16_t *out, void *memory) {
    fused_layer layer = {x, inputs, recurrent, scales, ranges, width, size, backward, out};
    float *cells = (float *)memory;
    int16_t *before = (int16_t *)(cells + FUSED_ROWS * size), *after = before + FUSED_ROWS * size, *swapped;
    ptrdiff_t row[FUSED_ROWS];
    for (ptrdiff_t s = 0; s < sentences; s += FUSED_ROWS) {
        ptrdiff_t rows = sentences - s < FUSED_ROWS ? sentences - s : FUSED_ROWS;
        for (int32_t t = 0; t < lengths[s]; t++) {
            while (lengths[s + rows - 1] <= t) rows--; /* the first is the longest */
            for (ptrdiff_t r = 0; r < rows; r++) row[r] = starts[s + r] + (backward ? lengths[s + r] - 1 - t : t);
            switch (rows) {
            case 1: fused_step(1, &layer, t == 0, row, cells, before, after); break;
            case 2: fused_step(2, &layer, t == 0, row, cells, before, after); break;
            case 3: fused_step(3, &layer, t == 0, row, cells, before, after); break;
            case 4: fused_step(4, &layer, t == 0, row, cells, before, after); break;
            case 5: fused_step(5, &layer, t == 0, row, cells, before, after); break;
            default: fused_step(6, &layer, t == 0, row, cells, before, after);
            }
            swapped = before, before = after, after = swapped;
        }
    }
}

#else /* another processor or compiler: NumPy multiplies */

static ptrdiff_t fused_memory(ptrdiff_t size) { return size; }
static void fused_product(const int16_t *x, ptrdiff_t rows, ptrdiff_t width, const int16_t *weights,
                          const float *scale, const float *bias, ptrdiff_t columns, float *out) {}
static void fused_direction(const int16_t *x, ptrdiff_t width, const int16_t *inputs, const int16_t *recurrent,
                            const float *scales, ptrdiff_t size, const int32_t *starts, const int32_t *lengths,
                            ptrdiff_t sentences, int backward, const float *ranges, int16_t *out, void *memory) {}

#endif
