/* A linear map and an LSTM direction with whole numbers for inputs and weights, for processors that multiply and add
   pairs of 16-bit integers (AVX-512 VNNI in one instruction, AVX2 in two) and for those of ARM (NEON): NumPy has matrix
   products of floats alone, which are half as fast. Sums stay under 2^24, so they are exact, and what follows are the
   operations of IEEE 754 in float32 one by one, in the order of `recurrence.py`: all ways give the same bits.

   Vectors are GCC's, as wide as the processor's; products alone are written for each processor. This file includes
   itself: the second part is compiled once for each of them.

   Weights [width, columns] lie in groups of 16 columns, pairs of inputs together: [columns / 16][width / 2][16][2], with
   columns filled up to a multiple of 64. The columns of an LSTM are [size / 16][4 gates][16 units]. */

#ifndef FUSED_PART

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))

#define FUSED_ROWS 6   /* of a product at once */
#define FUSED_GROUP 12 /* sentences that are read together: weights of a few columns stay in the nearest cache for them */
#define FUSED_BLOCK 64 /* columns of 16 units with four gates */

/* What a direction of a layer is made of; see `fused_direction`. */
typedef struct {
    const int16_t *x, *inputs, *recurrent;
    const float *scales, *ranges;
    ptrdiff_t width, size;
    int backward;
    int16_t *out;
} fused_layer;

/* The bytes that `fused_direction` works in, for sentences of up to this length. */
static ptrdiff_t fused_memory(ptrdiff_t size, ptrdiff_t longest) {
    return FUSED_GROUP * size * (4 * 4 * longest + 4 + 2 * 2);
}

#define FUSED_INLINE static inline __attribute__((always_inline)) FUSED_TARGET
#define FUSED_APART static __attribute__((noinline)) FUSED_TARGET /* all registers are for its loop */
#define FUSED_UNROLL _Pragma("GCC unroll 8")
#define FUSED_MAGIC 12582912.0f /* added to a number under 2^22, it leaves the nearest integer in the last bits */

#ifdef __x86_64__

#include <immintrin.h>

/* 2 for AVX-512 VNNI, 1 for AVX2, 0 for neither. */
static int fused_here(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vnni"))
        return 2;
    return __builtin_cpu_supports("avx2") ? 1 : 0;
}

#define FUSED_PART 2
#define FUSED_NAME(name) name##_vnni
#define FUSED_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#include "fused.h"
#undef FUSED_PART
#undef FUSED_NAME
#undef FUSED_TARGET

#define FUSED_PART 1
#define FUSED_NAME(name) name##_avx2
#define FUSED_TARGET __attribute__((target("avx2")))
#include "fused.h"

#define FUSED_RUN(way, name, ...) (way == 2 ? name##_vnni(__VA_ARGS__) : name##_avx2(__VA_ARGS__))

#else /* __aarch64__ */

static int fused_here(void) { return 1; }

#define FUSED_PART 0
#define FUSED_NAME(name) name##_neon
#define FUSED_TARGET
#include "fused.h"

#define FUSED_RUN(way, name, ...) name##_neon(__VA_ARGS__)

#endif

/* out [rows, columns] = x [rows, width] · weights · scale + bias; `way` as `fused_here` gives it. */
static void fused_product(const int16_t *x, ptrdiff_t rows, ptrdiff_t width, const int16_t *weights, const float *scale,
                          const float *bias, ptrdiff_t columns, int way, float *out) {
    FUSED_RUN(way, fused_matrix, x, rows, width, weights, scale, bias, columns, out);
}

/* One direction of an LSTM over sentences, the longest first, which are rows of x [rows, width] and of out
   [rows, 2, size] in this order. `scales` are those of inputs, the biases and those of the recurrence, [3, 4 × size];
   `ranges`: integers for an output of 1 in the recurrence and in `out`, and the largest of `out`. */
static void fused_direction(const int16_t *x, ptrdiff_t width, const int16_t *inputs, const int16_t *recurrent,
                            const float *scales, ptrdiff_t size, const int32_t *lengths, ptrdiff_t sentences,
                            int backward, const float *ranges, int way, int16_t *out, void *memory) {
    fused_layer layer = {x, inputs, recurrent, scales, ranges, width, size, backward, out};
    ptrdiff_t first = 0;
    for (ptrdiff_t s = 0; s < sentences; s += FUSED_GROUP) {
        ptrdiff_t many = sentences - s < FUSED_GROUP ? sentences - s : FUSED_GROUP;
        FUSED_RUN(way, fused_group, &layer, first, lengths + s, many, (float *)memory);
        for (ptrdiff_t r = 0; r < many; r++) first += lengths[s + r];
    }
}

#else /* another processor or compiler: NumPy multiplies */

static int fused_here(void) { return 0; }
static ptrdiff_t fused_memory(ptrdiff_t size, ptrdiff_t longest) { return size; }
static void fused_product(const int16_t *x, ptrdiff_t rows, ptrdiff_t width, const int16_t *weights, const float *scale,
                          const float *bias, ptrdiff_t columns, int way, float *out) {}
static void fused_direction(const int16_t *x, ptrdiff_t width, const int16_t *inputs, const int16_t *recurrent,
                            const float *scales, ptrdiff_t size, const int32_t *lengths, ptrdiff_t sentences,
                            int backward, const float *ranges, int way, int16_t *out, void *memory) {}

#endif

#else /* FUSED_PART: once for each processor */

/* FUSED_LANES numbers are a vector; sums are of FUSED_VECTORS vectors at once. FUSED_DOT adds the products of a pair of
   inputs and one of weights. With AVX-512 6 × 4 sums, 4 vectors of weights and one of inputs fill the 32 registers (the
   instruction is written out: around its intrinsic GCC 12 copies every register); with AVX2 6 × 2 sums, 2 of weights,
   one of inputs and one of products fill the 16. */
#if FUSED_PART == 2
#define FUSED_LANES 16
#define FUSED_VECTORS 4
#define FUSED_DOT(sum, x, w) __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(w))
#define FUSED_LARGER(a, b) (FUSED_NAME(floats))_mm512_max_ps((__m512)(a), (__m512)(b))
#define FUSED_SMALLER(a, b) (FUSED_NAME(floats))_mm512_min_ps((__m512)(a), (__m512)(b))
#elif FUSED_PART == 1
#define FUSED_LANES 8
#define FUSED_VECTORS 2
#define FUSED_DOT(sum, x, w) (sum += (FUSED_NAME(whole))_mm256_madd_epi16((__m256i)(x), (__m256i)(w)))
#define FUSED_LARGER(a, b) (FUSED_NAME(floats))_mm256_max_ps((__m256)(a), (__m256)(b))
#define FUSED_SMALLER(a, b) (FUSED_NAME(floats))_mm256_min_ps((__m256)(a), (__m256)(b))
#else
#include <arm_neon.h>
#define FUSED_LANES 4
#define FUSED_VECTORS 2
#define FUSED_DOT(sum, x, w) (sum += ((x << 16) >> 16) * ((w << 16) >> 16) + (x >> 16) * (w >> 16))
#define FUSED_LARGER(a, b) (FUSED_NAME(floats))vmaxq_f32((float32x4_t)(a), (float32x4_t)(b))
#define FUSED_SMALLER(a, b) (FUSED_NAME(floats))vminq_f32((float32x4_t)(a), (float32x4_t)(b))
#endif
#define FUSED_COLUMNS (FUSED_LANES * FUSED_VECTORS)

typedef float FUSED_NAME(floats) __attribute__((vector_size(4 * FUSED_LANES), aligned(4), may_alias));
typedef int32_t FUSED_NAME(whole) __attribute__((vector_size(4 * FUSED_LANES), aligned(4), may_alias));
typedef int16_t FUSED_NAME(shorts) __attribute__((vector_size(2 * FUSED_LANES), aligned(2), may_alias));
#define FUSED_FLOATS FUSED_NAME(floats)
#define FUSED_WHOLE FUSED_NAME(whole)
#define FUSED_LOAD(place) (*(const FUSED_FLOATS *)(place))

/* The sums of a few rows of x with the first FUSED_COLUMNS columns of the weights, into sums [rows][FUSED_BLOCK]. */
FUSED_INLINE void FUSED_NAME(fused_some)(int rows, const int16_t *const *x, ptrdiff_t width, const int16_t *weights,
                                         int32_t *into) {
    FUSED_WHOLE sums[FUSED_ROWS][FUSED_VECTORS], w[FUSED_VECTORS];
    FUSED_UNROLL for (int r = 0; r < rows; r++)
        FUSED_UNROLL for (int v = 0; v < FUSED_VECTORS; v++) sums[r][v] = (FUSED_WHOLE){0};
    for (ptrdiff_t k = 0; k < width; k += 2, weights += 32) {
        FUSED_UNROLL for (int v = 0; v < FUSED_VECTORS; v++) {
            int column = v * FUSED_LANES;
            w[v] = *(const FUSED_WHOLE *)(weights + column / 16 * 16 * width + column % 16 * 2);
        }
        FUSED_UNROLL for (int r = 0; r < rows; r++) {
            int32_t pair;
            memcpy(&pair, x[r] + k, 4);
            FUSED_WHOLE all = (FUSED_WHOLE){0} + pair;
            FUSED_UNROLL for (int v = 0; v < FUSED_VECTORS; v++) FUSED_DOT(sums[r][v], all, w[v]);
        }
    }
    FUSED_UNROLL for (int r = 0; r < rows; r++)
        FUSED_UNROLL for (int v = 0; v < FUSED_VECTORS; v++)
            *(FUSED_WHOLE *)(into + r * FUSED_BLOCK + v * FUSED_LANES) = sums[r][v];
}

FUSED_APART void FUSED_NAME(fused_sums)(ptrdiff_t rows, const int16_t *const *x, ptrdiff_t width,
                                        const int16_t *weights, int32_t *into) {
    switch (rows) {
    case 1: FUSED_NAME(fused_some)(1, x, width, weights, into); break;
    case 2: FUSED_NAME(fused_some)(2, x, width, weights, into); break;
    case 3: FUSED_NAME(fused_some)(3, x, width, weights, into); break;
    case 4: FUSED_NAME(fused_some)(4, x, width, weights, into); break;
    case 5: FUSED_NAME(fused_some)(5, x, width, weights, into); break;
    default: FUSED_NAME(fused_some)(6, x, width, weights, into);
    }
}

/* Where the weights of a column begin that is a multiple of FUSED_COLUMNS. */
#define FUSED_AT(weights, column, width) ((weights) + (column) / 16 * 16 * (width) + (column) % 16 * 2)

FUSED_TARGET static void FUSED_NAME(fused_matrix)(const int16_t *x, ptrdiff_t rows, ptrdiff_t width,
                                                  const int16_t *weights, const float *scale, const float *bias,
                                                  ptrdiff_t columns, float *out) {
    const int16_t *at[FUSED_ROWS];
    int32_t sums[FUSED_ROWS * FUSED_BLOCK];
    for (ptrdiff_t column = 0; column < columns; column += FUSED_COLUMNS)
        for (ptrdiff_t row = 0; row < rows; row += FUSED_ROWS) {
            ptrdiff_t few = rows - row < FUSED_ROWS ? rows - row : FUSED_ROWS, left = columns - column;
            for (ptrdiff_t r = 0; r < few; r++) at[r] = x + (row + r) * width;
            FUSED_NAME(fused_sums)(few, at, width, FUSED_AT(weights, column, width), sums);
            for (ptrdiff_t r = 0; r < few; r++) {
                float found[FUSED_COLUMNS], *into = left < FUSED_COLUMNS ? found : out + (row + r) * columns + column;
                for (int v = 0; v < FUSED_COLUMNS; v += FUSED_LANES) {
                    FUSED_WHOLE sum = *(FUSED_WHOLE *)(sums + r * FUSED_BLOCK + v);
                    *(FUSED_FLOATS *)(into + v) = __builtin_convertvector(sum, FUSED_FLOATS) *
                                                      FUSED_LOAD(scale + column + v) + FUSED_LOAD(bias + column + v);
                }
                if (left < FUSED_COLUMNS) memcpy(out + (row + r) * columns + column, found, 4 * left);
            }
        }
}

/* As `tanh_in_place` of recurrence.py. */
FUSED_INLINE FUSED_FLOATS FUSED_NAME(fused_tanh)(FUSED_FLOATS x) {
    x = FUSED_SMALLER(FUSED_LARGER(x, (FUSED_FLOATS){0} - 8.0f), (FUSED_FLOATS){0} + 8.0f);
    FUSED_FLOATS y = x * x, p, q;
    p = 1.13102315e-05f * y + 0.0029388284f;
    p = p * y + 0.12913641f;
    p = p * y + 0.99999934f;
    q = 2.4238435e-07f * y + 0.00023702857f;
    q = q * y + 0.02376383f;
    q = q * y + 0.4624674f;
    q = q * y + 1.0f;
    return (x * p) / q;
}

/* Numbers times `step`, but not beyond ± most, as integers of 16 bits. */
FUSED_INLINE void FUSED_NAME(fused_store)(FUSED_FLOATS x, float step, float most, int16_t *into) {
    FUSED_FLOATS limit = (FUSED_FLOATS){0} + most, y = FUSED_SMALLER(FUSED_LARGER(x * step, -limit), limit) + FUSED_MAGIC;
    *(FUSED_NAME(shorts) *)into = __builtin_convertvector((FUSED_WHOLE)y, FUSED_NAME(shorts));
}

/* The gates of one word for 16 units: `given` is what its inputs add [4][16], `sums` the products of the recurrence. */
FUSED_INLINE void FUSED_NAME(fused_gates)(const fused_layer *layer, const float *given, const int32_t *sums,
                                          const float *scale, float *cell, int16_t *after, int16_t *out) {
    const float *ranges = layer->ranges;
    FUSED_UNROLL for (int v = 0; v < 16; v += FUSED_LANES) {
        FUSED_FLOATS gates[4], c, h;
        FUSED_UNROLL for (int gate = 0; gate < 4; gate++) {
            int at = 16 * gate + v;
            FUSED_FLOATS z = FUSED_LOAD(given + at);
            if (sums)
                z = __builtin_convertvector(*(const FUSED_WHOLE *)(sums + at), FUSED_FLOATS) * FUSED_LOAD(scale + at) + z;
            gates[gate] = FUSED_NAME(fused_tanh)(z);
        }
        c = (gates[0] * 0.5f + 0.5f) * gates[3];
        if (sums) c = FUSED_LOAD(cell + v) * (gates[1] * 0.5f + 0.5f) + c;
        *(FUSED_FLOATS *)(cell + v) = c;
        h = FUSED_NAME(fused_tanh)(c) * (gates[2] * 0.5f + 0.5f);
        FUSED_NAME(fused_store)(h, ranges[0], ranges[0], after + v);
        FUSED_NAME(fused_store)(h, ranges[1], ranges[2], out + v);
    }
}

/* Up to FUSED_GROUP sentences, whose words are rows from `first` on. */
FUSED_TARGET static void FUSED_NAME(fused_group)(const fused_layer *layer, ptrdiff_t first, const int32_t *lengths,
                                                 ptrdiff_t many, float *memory) {
    ptrdiff_t size = layer->size, wide = 4 * size, words = 0, starts[FUSED_GROUP], row[FUSED_GROUP];
    int32_t sums[FUSED_ROWS * FUSED_BLOCK];
    for (ptrdiff_t s = 0; s < many; s++) starts[s] = words, words += lengths[s];
    float *given = memory, *cells = given + words * wide; /* [words, 4 × size], [sentences, size] */
    int16_t *before = (int16_t *)(cells + many * size), *after = before + many * size, *swapped;
    FUSED_NAME(fused_matrix)(layer->x + first * layer->width, words, layer->width, layer->inputs, layer->scales,
                             layer->scales + wide, wide, given);
    for (int32_t t = 0; t < lengths[0]; t++) {
        while (lengths[many - 1] <= t) many--; /* the first is the longest */
        for (ptrdiff_t s = 0; s < many; s++) row[s] = starts[s] + (layer->backward ? lengths[s] - 1 - t : t);
        for (ptrdiff_t unit = 0; unit < size; unit += 16)
            for (ptrdiff_t s = 0; s < many; s += FUSED_ROWS) {
                ptrdiff_t rows = many - s < FUSED_ROWS ? many - s : FUSED_ROWS;
                const int16_t *at[FUSED_ROWS];
                for (ptrdiff_t r = 0; r < rows; r++) at[r] = before + (s + r) * size;
                if (t)
                    for (ptrdiff_t c = 0; c < FUSED_BLOCK; c += FUSED_COLUMNS)
                        FUSED_NAME(fused_sums)(rows, at, size, FUSED_AT(layer->recurrent, 4 * unit + c, size), sums + c);
                for (ptrdiff_t r = 0; r < rows; r++)
                    FUSED_NAME(fused_gates)(layer, given + row[s + r] * wide + 4 * unit, t ? sums + r * FUSED_BLOCK : 0,
                                            layer->scales + 2 * wide + 4 * unit, cells + (s + r) * size + unit,
                                            after + (s + r) * size + unit,
                                            layer->out + (2 * (first + row[s + r]) + layer->backward) * size + unit);
            }
        swapped = before, before = after, after = swapped;
    }
}

#undef FUSED_LANES
#undef FUSED_VECTORS
#undef FUSED_DOT
#undef FUSED_LARGER
#undef FUSED_SMALLER
#undef FUSED_COLUMNS
#undef FUSED_FLOATS
#undef FUSED_WHOLE
#undef FUSED_LOAD
#undef FUSED_AT

#endif
