/* The layers of a BERT in 8-bit integers, for processors with AVX-512 VNNI, which multiply and add four pairs of 8-bit
   integers in one instruction, and for those with AVX2, which do so with pairs of 16 bits. Sums of products are exact;
   between them are the operations of IEEE 754 in float32 one by one, in the order of `encoders/integers.py`, which
   NumPy runs elsewhere: all ways give the same bits.

   And a matrix product in float32 whose rows do not depend on each other (`layers_multiply`): OpenBLAS has other code
   for the last rows of a matrix, and its kernels for Haswell round the rows of one matrix in two ways.

   A few whole texts at a time go through all layers, so that what is between layers stays in the processor's cache.
   Vectors are GCC's, of 16 numbers whatever the processor has; products alone are written for each processor. This file
   includes itself: the second part is compiled once for each of them.

   Weights [columns, width] lie in blocks of 64 columns: [columns / 64][width / 4][64][4]. */

#ifndef LAYERS_PART

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>
#include <math.h>

#define LAYERS_ROWS 6   /* of a product at once: 6 × 4 vectors of sums, 4 of weights and one of inputs fill 32 registers */
#define LAYERS_TILE 96  /* rows that go through all layers together, unless a text is longer: a multiple of LAYERS_ROWS */
#define LAYERS_LANES 16
#define LAYERS_HEAD 128 /* the largest size of a head */
#define LAYERS_PANEL 32 /* columns of a block of float32 weights, which `panels` of encoding.py makes */

typedef float layers_floats __attribute__((vector_size(64), may_alias));
typedef float layers_loose __attribute__((vector_size(64), aligned(4), may_alias));
typedef float layers_eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t layers_whole __attribute__((vector_size(64), may_alias));
typedef int32_t layers_loose_whole __attribute__((vector_size(64), aligned(4), may_alias));
typedef uint8_t layers_bytes __attribute__((vector_size(16), aligned(1), may_alias));
typedef int8_t layers_signed_bytes __attribute__((vector_size(16), aligned(1), may_alias));

/* Sizes: of a vector, of the inner layer, of a head; heads, layers. */
typedef struct {
    ptrdiff_t size, inner, depth, heads, layers;
    float epsilon;
    const int8_t *words;      /* [pieces, size] */
    const float *word_scales; /* [pieces] */
    const float *positions;   /* [positions, size] */
    const float *first_norm;  /* gain and shift, [2, size] */
    const int8_t *weights;    /* of each layer: heads, output, inner, outer, in blocks */
    const float *numbers;     /* of each layer: scale, sum and bias of the four; gain and shift of two norms */
} layers_network;

/* Memory of one thread, for a number of rows. */
typedef struct {
    float *state, *other, *wide; /* [rows, size], [rows, size], [rows, 3 × size or inner] */
    float *low, *step;           /* [rows] */
    float *keys, *found;         /* [head size, texts' length in lanes], [rows of keys] */
    uint8_t *bytes;              /* [rows, size or inner] */
} layers_space;

typedef struct {
    const int8_t *weights;
    const float *scale, *sum, *bias;
    ptrdiff_t width, columns;
} layers_linear;

static ptrdiff_t layers_lanes(ptrdiff_t number) { return (number + LAYERS_LANES - 1) / LAYERS_LANES * LAYERS_LANES; }
static ptrdiff_t layers_filled(ptrdiff_t rows) { return (rows + LAYERS_ROWS - 1) / LAYERS_ROWS * LAYERS_ROWS; }

/* 2 for AVX-512 VNNI, 1 for AVX2, 0 for neither. */
static int layers_here(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vnni"))
        return 2;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 1 : 0;
}

static ptrdiff_t layers_wide(ptrdiff_t size, ptrdiff_t inner) { return 3 * size > inner ? 3 * size : inner; }

static ptrdiff_t layers_rows(ptrdiff_t longest) {
    return layers_filled(longest > LAYERS_TILE ? longest : LAYERS_TILE);
}

/* The bytes that `layers_run` works in. */
static ptrdiff_t layers_memory(ptrdiff_t size, ptrdiff_t inner, ptrdiff_t longest) {
    ptrdiff_t rows = layers_rows(longest), keys = layers_lanes(longest) * (LAYERS_HEAD + LAYERS_ROWS);
    return 4 * (rows * (2 * size + layers_wide(size, inner) + 2) + keys) + rows * layers_wide(size, inner) + 4096;
}

#define LAYERS_INLINE static inline __attribute__((always_inline)) LAYERS_TARGET
#define LAYERS_APART static __attribute__((noinline)) LAYERS_TARGET /* all registers are for its loop */
#define LAYERS_LOAD(place) ((layers_floats)(*(const layers_loose *)(place)))
#define LAYERS_STORE(place, value) (*(layers_loose *)(place) = (layers_loose)(value))
#define LAYERS_ALL(number) ((layers_floats){0} + (number))

#define LAYERS_PART 2
#define LAYERS_NAME(name) name##_vnni
#define LAYERS_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,prefer-vector-width=512")))
#include "layers.h"
#undef LAYERS_PART
#undef LAYERS_NAME
#undef LAYERS_TARGET

#define LAYERS_PART 1
#define LAYERS_NAME(name) name##_avx2
#define LAYERS_TARGET __attribute__((target("avx2,fma")))
#include "layers.h"
#undef LAYERS_PART

/* Vectors of the pieces `ids` of texts, offsets [texts + 1], into out [pieces, size]; `way` as `layers_here` gives it. */
static void layers_run(const layers_network *network, const int32_t *ids, const long long *offsets, ptrdiff_t texts,
                       ptrdiff_t longest, int way, float *out, void *memory) {
    ptrdiff_t size = network->size, rows = layers_rows(longest), first = 0;
    ptrdiff_t wide = layers_wide(size, network->inner);
    layers_space space;
    space.state = (float *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    space.other = space.state + rows * size;
    space.wide = space.other + rows * size;
    space.keys = space.wide + rows * wide;
    space.found = space.keys + layers_lanes(longest) * LAYERS_HEAD;
    space.low = space.found + layers_lanes(longest) * LAYERS_ROWS;
    space.step = space.low + rows;
    space.bytes = (uint8_t *)(space.step + rows);
    memset(space.state, 0, 4 * rows * size); /* rows that fill up a product are computed too, and may hold anything finite */
    memset(space.other, 0, 4 * rows * size);
    while (first < texts) {
        ptrdiff_t last = first + 1;
        while (last < texts && offsets[last + 1] - offsets[first] <= rows) last++;
        if (way == 2)
            layers_tile_vnni(network, ids, offsets + first, last - first, &space, out);
        else
            layers_tile_avx2(network, ids, offsets + first, last - first, &space, out);
        first = last;
    }
}

/* out [rows, columns] = x [rows, width] · weights, which lie in blocks of 32 columns: [columns / 32][width][32]. */
static void layers_multiply(const float *x, ptrdiff_t rows, ptrdiff_t width, const float *weights, ptrdiff_t columns,
                            int way, float *out) {
    if (way == 2)
        layers_matrix_vnni(x, rows, width, weights, columns, out);
    else
        layers_matrix_avx2(x, rows, width, weights, columns, out);
}

#else /* another processor or compiler: NumPy multiplies */

typedef struct {
    ptrdiff_t size, inner, depth, heads, layers;
    float epsilon;
    const int8_t *words;
    const float *word_scales, *positions, *first_norm;
    const int8_t *weights;
    const float *numbers;
} layers_network;

static int layers_here(void) { return 0; }
static ptrdiff_t layers_memory(ptrdiff_t size, ptrdiff_t inner, ptrdiff_t longest) { return size; }
static void layers_run(const layers_network *network, const int32_t *ids, const long long *offsets, ptrdiff_t texts,
                       ptrdiff_t longest, int way, float *out, void *memory) {}
static void layers_multiply(const float *x, ptrdiff_t rows, ptrdiff_t width, const float *weights, ptrdiff_t columns,
                            int way, float *out) {}

#endif

#else /* LAYERS_PART: once for each processor */

#if LAYERS_PART == 2
#define LAYERS_VECTOR __m512
#define LAYERS_MM(name) _mm512_##name##_ps
#else
#define LAYERS_VECTOR __m256
#define LAYERS_MM(name) _mm256_##name##_ps
#endif
#define LAYERS_STEP ((ptrdiff_t)(sizeof(LAYERS_VECTOR) / 4))

/* The sums of two vectors of columns for LAYERS_ROWS rows: each is rounded once for every product, in the order of the
   inputs, whatever the processor. */
LAYERS_INLINE void LAYERS_NAME(layers_block)(const float *const *x, ptrdiff_t width, const float *weights, float *into) {
    LAYERS_VECTOR sums[LAYERS_ROWS][2];
    for (int r = 0; r < LAYERS_ROWS; r++) sums[r][0] = sums[r][1] = LAYERS_MM(set1)(0.0f);
    for (ptrdiff_t k = 0; k < width; k++, weights += LAYERS_PANEL) {
        LAYERS_VECTOR first = LAYERS_MM(loadu)(weights), second = LAYERS_MM(loadu)(weights + LAYERS_STEP);
        _Pragma("GCC unroll 6") for (int r = 0; r < LAYERS_ROWS; r++) {
            LAYERS_VECTOR all = LAYERS_MM(set1)(x[r][k]);
            sums[r][0] = LAYERS_MM(fmadd)(all, first, sums[r][0]);
            sums[r][1] = LAYERS_MM(fmadd)(all, second, sums[r][1]);
        }
    }
    for (int r = 0; r < LAYERS_ROWS; r++) {
        LAYERS_MM(storeu)(into + r * LAYERS_PANEL, sums[r][0]);
        LAYERS_MM(storeu)(into + r * LAYERS_PANEL + LAYERS_STEP, sums[r][1]);
    }
}

LAYERS_TARGET static void LAYERS_NAME(layers_matrix)(const float *x, ptrdiff_t rows, ptrdiff_t width,
                                                     const float *weights, ptrdiff_t columns, float *out) {
    for (ptrdiff_t tile = 0; tile < rows; tile += LAYERS_TILE)
        for (ptrdiff_t column = 0; column < columns; column += LAYERS_PANEL) {
            ptrdiff_t many = columns - column < LAYERS_PANEL ? columns - column : LAYERS_PANEL;
            for (ptrdiff_t row = tile; row < rows && row < tile + LAYERS_TILE; row += LAYERS_ROWS) {
                const float *at[LAYERS_ROWS];
                float found[LAYERS_ROWS * LAYERS_PANEL];
                for (int r = 0; r < LAYERS_ROWS; r++) at[r] = x + (row + r < rows ? row + r : rows - 1) * width;
                for (ptrdiff_t v = 0; v < many; v += 2 * LAYERS_STEP)
                    LAYERS_NAME(layers_block)(at, width, weights + column * width + v, found + v);
                for (int r = 0; r < LAYERS_ROWS && row + r < rows; r++)
                    memcpy(out + (row + r) * columns + column, found + r * LAYERS_PANEL, 4 * many);
            }
        }
}

#undef LAYERS_VECTOR
#undef LAYERS_MM

/* The sums of one block of 64 columns for LAYERS_ROWS rows. */
#if LAYERS_PART == 2

/* Sums have names, and the instruction is written out: as arrays and intrinsics GCC 12 copies every register around it. */
#define LAYERS_EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#define LAYERS_ZERO(r) __m512i s##r##0 = _mm512_setzero_si512(), s##r##1 = s##r##0, s##r##2 = s##r##0, s##r##3 = s##r##0;
#define LAYERS_DOT(sum, x, weights) __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(weights))
#define LAYERS_ADD(r)                            \
    {                                            \
        int32_t four;                            \
        memcpy(&four, x + r * width + k, 4);     \
        __m512i all = _mm512_set1_epi32(four);   \
        LAYERS_DOT(s##r##0, all, w0);            \
        LAYERS_DOT(s##r##1, all, w1);            \
        LAYERS_DOT(s##r##2, all, w2);            \
        LAYERS_DOT(s##r##3, all, w3);            \
    }
#define LAYERS_KEEP(r)                         \
    sums[r][0] = (layers_whole)s##r##0, sums[r][1] = (layers_whole)s##r##1; \
    sums[r][2] = (layers_whole)s##r##2, sums[r][3] = (layers_whole)s##r##3;

LAYERS_APART void LAYERS_NAME(layers_sums)(const uint8_t *x, ptrdiff_t width, const int8_t *weights,
                                            layers_whole sums[LAYERS_ROWS][4]) {
    LAYERS_EACH(LAYERS_ZERO)
    for (ptrdiff_t k = 0; k < width; k += 4, weights += 256) {
        __m512i w0 = _mm512_loadu_si512(weights), w1 = _mm512_loadu_si512(weights + 64);
        __m512i w2 = _mm512_loadu_si512(weights + 128), w3 = _mm512_loadu_si512(weights + 192);
        LAYERS_EACH(LAYERS_ADD)
    }
    LAYERS_EACH(LAYERS_KEEP)
}

#else

/* Four columns at once, each with two sums, for two rows of inputs. */
LAYERS_APART void LAYERS_NAME(layers_sums)(const uint8_t *x, ptrdiff_t width, const int8_t *weights,
                                            layers_whole sums[LAYERS_ROWS][4]) {
    for (int part = 0; part < 4; part++)
        for (int r = 0; r < LAYERS_ROWS; r += 2) {
            const uint8_t *x0 = x + r * width, *x1 = x0 + width;
            const int8_t *w = weights + 64 * part;
            __m256i a0 = _mm256_setzero_si256(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
            for (ptrdiff_t k = 0; k < width; k += 4, w += 256) {
                int32_t four0, four1;
                memcpy(&four0, x0 + k, 4);
                memcpy(&four1, x1 + k, 4);
                __m256i all0 = _mm256_cvtepu8_epi16(_mm_set1_epi32(four0));
                __m256i all1 = _mm256_cvtepu8_epi16(_mm_set1_epi32(four1));
                __m256i w0 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)w));
                __m256i w1 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(w + 16)));
                __m256i w2 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(w + 32)));
                __m256i w3 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(w + 48)));
                a0 = _mm256_add_epi32(a0, _mm256_madd_epi16(all0, w0));
                a1 = _mm256_add_epi32(a1, _mm256_madd_epi16(all0, w1));
                a2 = _mm256_add_epi32(a2, _mm256_madd_epi16(all0, w2));
                a3 = _mm256_add_epi32(a3, _mm256_madd_epi16(all0, w3));
                b0 = _mm256_add_epi32(b0, _mm256_madd_epi16(all1, w0));
                b1 = _mm256_add_epi32(b1, _mm256_madd_epi16(all1, w1));
                b2 = _mm256_add_epi32(b2, _mm256_madd_epi16(all1, w2));
                b3 = _mm256_add_epi32(b3, _mm256_madd_epi16(all1, w3));
            }
            /* Both sums of a column lie side by side; adding them swaps the middle quarters. */
            __m256i *into = (__m256i *)&sums[r][part];
            _mm256_storeu_si256(into, _mm256_permute4x64_epi64(_mm256_hadd_epi32(a0, a1), 0xD8));
            _mm256_storeu_si256(into + 1, _mm256_permute4x64_epi64(_mm256_hadd_epi32(a2, a3), 0xD8));
            into = (__m256i *)&sums[r + 1][part];
            _mm256_storeu_si256(into, _mm256_permute4x64_epi64(_mm256_hadd_epi32(b0, b1), 0xD8));
            _mm256_storeu_si256(into + 1, _mm256_permute4x64_epi64(_mm256_hadd_epi32(b2, b3), 0xD8));
        }
}

#endif

/* As `add_gelu` of transformer.py. */
LAYERS_INLINE layers_floats LAYERS_NAME(layers_gelu)(layers_floats x) {
    layers_floats a = (layers_floats)((layers_whole)x & 0x7FFFFFFF), tail;
    tail = 6.848336852272041e-06f * a + 4.09942222177051e-05f;
    tail = tail * a + 7.036444003460929e-05f;
    tail = tail * a + 0.003379344241693616f;
    tail = tail * a + 0.022105839103460312f;
    tail = tail * a + 0.05206722766160965f;
    tail = 1.0f / (tail * a + 1.0442743301391602f);
    tail = tail * tail;
    tail = tail * tail;
    tail = tail * tail;
    tail = tail * tail;
    return (x + a) * 0.5f - a * tail;
}

LAYERS_INLINE layers_floats LAYERS_NAME(layers_larger)(layers_floats a, layers_floats b) {
    layers_whole mask = a > b;
    return (layers_floats)((mask & (layers_whole)a) | (~mask & (layers_whole)b));
}

LAYERS_INLINE layers_floats LAYERS_NAME(layers_smaller)(layers_floats a, layers_floats b) {
    layers_whole mask = a < b;
    return (layers_floats)((mask & (layers_whole)a) | (~mask & (layers_whole)b));
}

/* As `exponentials` of encoders/integers.py, for numbers of at most 0. */
LAYERS_INLINE layers_floats LAYERS_NAME(layers_exponential)(layers_floats x) {
    x = LAYERS_NAME(layers_larger)(x, LAYERS_ALL(-80.0f));
    layers_floats power = (x * 1.4426950216293335f + 12582912.0f) - 12582912.0f;
    layers_floats r = (x - power * 0.693145751953125f) - power * 1.42860677e-06f, q;
    q = 0.001381446490995586f * r + 0.008368780836462975f;
    q = q * r + 0.04166839271783829f;
    q = q * r + 0.1666651964187622f;
    q = q * r + 0.4999999403953552f;
    q = (q * r * r + r) + 1.0f;
    layers_whole two = (__builtin_convertvector(power, layers_whole) + 127) << 23;
    return q * (layers_floats)two;
}

LAYERS_INLINE float LAYERS_NAME(layers_total)(layers_floats x) {
    float lanes[LAYERS_LANES];
    LAYERS_STORE(lanes, x);
    for (int half = LAYERS_LANES / 2; half; half /= 2)
        for (int i = 0; i < half; i++) lanes[i] = lanes[i] + lanes[i + half];
    return lanes[0];
}

/* Rows as bytes: x ≈ low + step · byte, with the least and the largest number of a row as 0 and 255. */
LAYERS_INLINE void LAYERS_NAME(layers_quantise)(const float *x, ptrdiff_t rows, ptrdiff_t width, uint8_t *bytes,
                                                float *lows, float *steps) {
    for (ptrdiff_t r = 0; r < rows; r++, x += width, bytes += width) {
        layers_floats least = LAYERS_LOAD(x), most = least;
        for (ptrdiff_t j = LAYERS_LANES; j < width; j += LAYERS_LANES) {
            layers_floats each = LAYERS_LOAD(x + j);
            least = LAYERS_NAME(layers_smaller)(each, least);
            most = LAYERS_NAME(layers_larger)(each, most);
        }
        float low = least[0], high = most[0];
        for (int i = 1; i < LAYERS_LANES; i++) {
            low = least[i] < low ? least[i] : low;
            high = most[i] > high ? most[i] : high;
        }
        float range = high - low, many = range > 0 ? 255.0f / range : 0.0f;
        lows[r] = low;
        steps[r] = range / 255.0f;
        for (ptrdiff_t j = 0; j < width; j += LAYERS_LANES) {
            layers_floats whole = (LAYERS_LOAD(x + j) - low) * many + 12582912.0f; /* the last bits are the integer */
#if LAYERS_PART == 2
            _mm_storeu_si128((__m128i *)(bytes + j), _mm512_cvtepi32_epi8((__m512i)whole));
#else
            *(layers_bytes *)(bytes + j) = __builtin_convertvector((layers_whole)whole & 255, layers_bytes);
#endif
        }
    }
}

/* out [rows, columns] = (bytes · weights · scale) · step + (low · sum + bias), and GELU of it if asked. */
LAYERS_INLINE void LAYERS_NAME(layers_product)(const layers_linear *linear, const layers_space *space, ptrdiff_t rows,
                                               int gelu, float *out) {
    ptrdiff_t width = linear->width, columns = linear->columns;
    layers_whole sums[LAYERS_ROWS][4];
    for (ptrdiff_t column = 0; column < columns; column += 64)
        for (ptrdiff_t row = 0; row < rows; row += LAYERS_ROWS) {
            LAYERS_NAME(layers_sums)(space->bytes + row * width, width, linear->weights + column * width, sums);
            for (int v = 0; v < 4; v++) {
                ptrdiff_t at = column + LAYERS_LANES * v;
                layers_floats scale = LAYERS_LOAD(linear->scale + at), sum = LAYERS_LOAD(linear->sum + at);
                layers_floats bias = LAYERS_LOAD(linear->bias + at);
                for (int r = 0; r < LAYERS_ROWS; r++) {
                    layers_floats y = __builtin_convertvector(sums[r][v], layers_floats);
                    y = (y * scale) * space->step[row + r] + (sum * space->low[row + r] + bias);
                    if (gelu) y = LAYERS_NAME(layers_gelu)(y);
                    LAYERS_STORE(out + (row + r) * columns + at, y);
                }
            }
        }
}

LAYERS_INLINE float LAYERS_NAME(layers_folded)(layers_eight a) {
    return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

/* As `add_residual` and `scale_rows` of transformer.py: rows + residual, normalised, in place. Two rows at a time, so
   that the sums of one do not wait for each other. */
LAYERS_INLINE void LAYERS_NAME(layers_normalise)(float *x, const float *residual, ptrdiff_t rows, ptrdiff_t size,
                                                 const float *gain, const float *shift, float epsilon) {
    float count = (float)size;
    for (ptrdiff_t r = 0; r < rows; r += 2, x += 2 * size, residual += 2 * size) {
        layers_eight a = {0}, b = {0};
        for (ptrdiff_t j = 0; j < size; j += 8) {
            layers_eight u = *(layers_eight *)(x + j) + *(const layers_eight *)(residual + j);
            layers_eight v = *(layers_eight *)(x + size + j) + *(const layers_eight *)(residual + size + j);
            *(layers_eight *)(x + j) = u;
            *(layers_eight *)(x + size + j) = v;
            a += u;
            b += v;
        }
        float mean_a = LAYERS_NAME(layers_folded)(a) / count, mean_b = LAYERS_NAME(layers_folded)(b) / count;
        a = b = (layers_eight){0};
        for (ptrdiff_t j = 0; j < size; j += 8) {
            layers_eight u = *(layers_eight *)(x + j) - mean_a, v = *(layers_eight *)(x + size + j) - mean_b;
            a += u * u;
            b += v * v;
        }
        float scale_a = 1.0f / sqrtf(LAYERS_NAME(layers_folded)(a) / count + epsilon);
        float scale_b = 1.0f / sqrtf(LAYERS_NAME(layers_folded)(b) / count + epsilon);
        for (ptrdiff_t j = 0; j < size; j += LAYERS_LANES) {
            layers_floats slope = LAYERS_LOAD(gain + j), constant = LAYERS_LOAD(shift + j);
            LAYERS_STORE(x + j, (LAYERS_LOAD(x + j) - mean_a) * scale_a * slope + constant);
            LAYERS_STORE(x + size + j, (LAYERS_LOAD(x + size + j) - mean_b) * scale_b * slope + constant);
        }
    }
}

/* exp(query · key - largest) of some queries of one head with all keys into space->found [queries, lanes of keys]; 0
   behind the last key. Gives their sums. */
LAYERS_INLINE void LAYERS_NAME(layers_weigh)(const layers_network *network, const layers_space *space, ptrdiff_t length,
                                             const float *query, ptrdiff_t queries, float *totals) {
    ptrdiff_t depth = network->depth, lanes = layers_lanes(length), row = 3 * network->size;
    layers_floats most[LAYERS_ROWS], total[LAYERS_ROWS];
    for (ptrdiff_t j = 0; j < lanes; j += LAYERS_LANES) {
        layers_floats score[LAYERS_ROWS];
        for (int q = 0; q < LAYERS_ROWS; q++) score[q] = LAYERS_ALL(0.0f);
        if (queries == LAYERS_ROWS) {
            for (ptrdiff_t d = 0; d < depth; d++) {
                layers_floats key = LAYERS_LOAD(space->keys + d * lanes + j);
                for (int q = 0; q < LAYERS_ROWS; q++) score[q] += key * query[q * row + d];
            }
        } else {
            for (ptrdiff_t d = 0; d < depth; d++) {
                layers_floats key = LAYERS_LOAD(space->keys + d * lanes + j);
                for (int q = 0; q < queries; q++) score[q] += key * query[q * row + d];
            }
        }
        if (length - j < LAYERS_LANES) {
            layers_whole place = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
            layers_whole used = place < (int32_t)(length - j);
            for (int q = 0; q < queries; q++)
                score[q] = (layers_floats)((used & (layers_whole)score[q]) | (~used & (layers_whole)LAYERS_ALL(-1e30f)));
        }
        for (int q = 0; q < queries; q++) {
            most[q] = j ? LAYERS_NAME(layers_larger)(score[q], most[q]) : score[q];
            LAYERS_STORE(space->found + q * lanes + j, score[q]);
        }
    }
    for (int q = 0; q < queries; q++) {
        float largest = most[q][0];
        for (int i = 1; i < LAYERS_LANES; i++) largest = most[q][i] > largest ? most[q][i] : largest;
        total[q] = LAYERS_ALL(0.0f);
        for (ptrdiff_t j = 0; j < lanes; j += LAYERS_LANES) {
            float *place = space->found + q * lanes + j;
            layers_floats weight = LAYERS_NAME(layers_exponential)(LAYERS_LOAD(place) - largest);
            if (length - j < LAYERS_LANES) {
                layers_whole lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
                weight = (layers_floats)((lane < (int32_t)(length - j)) & (layers_whole)weight);
            }
            total[q] += weight;
            LAYERS_STORE(place, weight);
        }
        totals[q] = LAYERS_NAME(layers_total)(total[q]);
    }
}

/* Self-attention of one text, from its rows of queries, keys and values to its rows of `out` [length, size]. */
LAYERS_INLINE void LAYERS_NAME(layers_attend)(const layers_network *network, const layers_space *space, const float *rows,
                                              ptrdiff_t length, float *out) {
    ptrdiff_t size = network->size, depth = network->depth, lanes = layers_lanes(length), row = 3 * size;
    for (ptrdiff_t head = 0; head < network->heads; head++) {
        const float *queries = rows + head * depth, *keys = queries + size, *values = keys + size;
        for (ptrdiff_t d = 0; d < depth; d++) {
            for (ptrdiff_t j = 0; j < length; j++) space->keys[d * lanes + j] = keys[j * row + d];
            for (ptrdiff_t j = length; j < lanes; j++) space->keys[d * lanes + j] = 0.0f;
        }
        for (ptrdiff_t first = 0; first < length; first += LAYERS_ROWS) {
            ptrdiff_t number = length - first < LAYERS_ROWS ? length - first : LAYERS_ROWS;
            float totals[LAYERS_ROWS];
            LAYERS_NAME(layers_weigh)(network, space, length, queries + first * row, number, totals);
            for (ptrdiff_t q = 0; q < number; q++) {
                const float *weights = space->found + q * lanes;
                float part = 1.0f / totals[q];
                for (ptrdiff_t d = 0; d < depth; d += LAYERS_LANES) {
                    layers_floats sum = LAYERS_ALL(0.0f);
                    for (ptrdiff_t j = 0; j < length; j++) sum += LAYERS_LOAD(values + j * row + d) * weights[j];
                    LAYERS_STORE(out + (first + q) * size + head * depth + d, sum * part);
                }
            }
        }
    }
}

/* Whole texts that fit into the space, through all layers. */
LAYERS_TARGET static void LAYERS_NAME(layers_tile)(const layers_network *network, const int32_t *ids,
                                                   const long long *offsets, ptrdiff_t texts, const layers_space *space,
                                                   float *out) {
    ptrdiff_t size = network->size, inner = network->inner, first = offsets[0], rows = offsets[texts] - first;
    ptrdiff_t filled = layers_filled(rows);
    const int8_t *weights = network->weights;
    const float *numbers = network->numbers;
    for (ptrdiff_t text = 0; text < texts; text++)
        for (ptrdiff_t at = offsets[text]; at < offsets[text + 1]; at++) {
            const int8_t *word = network->words + (ptrdiff_t)ids[at] * size;
            const float *position = network->positions + (at - offsets[text]) * size;
            float scale = network->word_scales[ids[at]];
            float *state = space->state + (at - first) * size, *other = space->other + (at - first) * size;
            for (ptrdiff_t j = 0; j < size; j++) {
                state[j] = (float)word[j] * scale;
                other[j] = position[j];
            }
        }
    LAYERS_NAME(layers_normalise)(space->state, space->other, filled, size, network->first_norm,
                                  network->first_norm + size, network->epsilon);
    for (ptrdiff_t layer = 0; layer < network->layers; layer++) {
        layers_linear linears[4];
        ptrdiff_t columns[4] = {3 * size, size, inner, size}, widths[4] = {size, size, size, inner};
        for (int i = 0; i < 4; i++) {
            layers_linear linear = {weights, numbers, numbers + columns[i], numbers + 2 * columns[i], widths[i], columns[i]};
            linears[i] = linear;
            weights += widths[i] * columns[i];
            numbers += 3 * columns[i];
        }
        LAYERS_NAME(layers_quantise)(space->state, filled, size, space->bytes, space->low, space->step);
        LAYERS_NAME(layers_product)(&linears[0], space, filled, 0, space->wide);
        for (ptrdiff_t text = 0; text < texts; text++)
            LAYERS_NAME(layers_attend)(network, space, space->wide + (offsets[text] - first) * 3 * size,
                                       offsets[text + 1] - offsets[text], space->other + (offsets[text] - first) * size);
        LAYERS_NAME(layers_quantise)(space->other, filled, size, space->bytes, space->low, space->step);
        LAYERS_NAME(layers_product)(&linears[1], space, filled, 0, space->other);
        LAYERS_NAME(layers_normalise)(space->other, space->state, filled, size, numbers, numbers + size, network->epsilon);
        LAYERS_NAME(layers_quantise)(space->other, filled, size, space->bytes, space->low, space->step);
        LAYERS_NAME(layers_product)(&linears[2], space, filled, 1, space->wide);
        LAYERS_NAME(layers_quantise)(space->wide, filled, inner, space->bytes, space->low, space->step);
        LAYERS_NAME(layers_product)(&linears[3], space, filled, 0, space->state);
        LAYERS_NAME(layers_normalise)(space->state, space->other, filled, size, numbers + 2 * size, numbers + 3 * size,
                                      network->epsilon);
        numbers += 4 * size;
    }
    memcpy(out + first * size, space->state, 4 * rows * size);
}

#endif
