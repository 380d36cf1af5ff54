/* The layers of a BERT, for processors with AVX-512 VNNI, AVX2 or NEON. Weights are 8-bit integers, whose sums of
   products are exact, or float32, whose products are summed in the order of the inputs, each rounded once. Between
   products are the operations of IEEE 754 in float32 one by one, in the order of `encoders/network.py`, which NumPy runs
   elsewhere: of integers all ways give the same bits, of floats all compiled ones.

   And a product in float32 whose rows do not depend on each other (`layers_multiply`): OpenBLAS has other code for the
   last rows of a matrix, and its kernels for Haswell round the rows of one matrix in two ways.

   A few whole texts at a time go through all layers, so that what is between layers stays in the processor's cache.
   Vectors are GCC's, as wide as the processor's (wider ones GCC moves through memory); products alone are written for
   each processor. This file includes itself: the second part is compiled once for each of them.

   Integer weights [columns, width] lie in blocks of 16 columns, [columns / 16][width / 4][16][4]; float32 weights
   [width, columns] in blocks of 32, [columns / 32][width][32]. */

#ifndef LAYERS_PART

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    ptrdiff_t size, inner, depth, heads, layers; /* of a vector, of the inner layer, of a head; heads; layers */
    float epsilon;
    const float *positions;  /* [positions, size] */
    const float *first_norm; /* gain and shift, [2, size] */
    const int8_t *weights;   /* of each layer: heads, output, inner, outer, in blocks; NULL if they are `floats` */
    const float *floats;
    const float *numbers; /* of each layer: of the four, scale and sum of integers and bias; gain and shift of two norms */
} layers_network;

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))

#define LAYERS_ROWS 6   /* of a product at once */
#define LAYERS_TILE 144  /* rows that go through all layers together, unless a text is longer: a multiple of LAYERS_ROWS */
#define LAYERS_LANES 16 /* numbers are summed in so many lanes, which are then folded */
#define LAYERS_BLOCK 16 /* columns of a block of integer weights */
#define LAYERS_PANEL 32 /* columns of a block of float32 weights */
#define LAYERS_HEAD 128 /* the largest size of a head */

/* Memory of one thread, for a number of rows. */
typedef struct {
    float *state, *other, *wide; /* [rows, size], [rows, size], [rows, 3 × size or inner] */
    float *low, *step;           /* [rows] */
    float *keys, *found;         /* [head size, lanes of a text], [LAYERS_ROWS, lanes of a text] */
    uint8_t *bytes;              /* [rows, size or inner] */
} layers_space;

typedef struct {
    const int8_t *weights;
    const float *floats, *scale, *sum, *bias;
    ptrdiff_t width, columns;
    int fours; /* of four products the sum has 16 bits, not of two alone */
} layers_linear;

static ptrdiff_t layers_filled(ptrdiff_t number, ptrdiff_t unit) { return (number + unit - 1) / unit * unit; }
static ptrdiff_t layers_wide(ptrdiff_t size, ptrdiff_t inner) { return 3 * size > inner ? 3 * size : inner; }
static ptrdiff_t layers_rows(ptrdiff_t longest) {
    return layers_filled(longest > LAYERS_TILE ? longest : LAYERS_TILE, LAYERS_ROWS);
}

/* The bytes that `layers_run` works in. */
static ptrdiff_t layers_memory(ptrdiff_t size, ptrdiff_t inner, ptrdiff_t longest) {
    ptrdiff_t rows = layers_rows(longest), keys = layers_filled(longest, LAYERS_LANES) * (LAYERS_HEAD + LAYERS_ROWS);
    return 4 * (rows * (2 * size + layers_wide(size, inner) + 2) + keys) + rows * layers_wide(size, inner) + 4096;
}

#define LAYERS_INLINE static inline __attribute__((always_inline)) LAYERS_TARGET
#define LAYERS_APART static __attribute__((noinline)) LAYERS_TARGET /* all registers are for its loop */
#define LAYERS_UNROLL _Pragma("GCC unroll 16")

static const int32_t layers_places[LAYERS_LANES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

#ifdef __x86_64__

#include <immintrin.h>

/* 2 for AVX-512 VNNI, 1 for AVX2, 0 for neither. */
static int layers_here(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vnni"))
        return 2;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 1 : 0;
}

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

#define LAYERS_RUN(way, name, ...) (way == 2 ? name##_vnni(__VA_ARGS__) : name##_avx2(__VA_ARGS__))

#else /* __aarch64__ */

#include <arm_neon.h>

static int layers_here(void) { return 1; }

#define LAYERS_PART 0
#define LAYERS_NAME(name) name##_neon
#define LAYERS_TARGET
#include "layers.h"

#define LAYERS_RUN(way, name, ...) name##_neon(__VA_ARGS__)

#endif

/* The rows of texts, offsets [texts + 1], from vectors of their pieces to those after all layers; `way` as
   `layers_here` gives it. */
static void layers_run(const layers_network *network, float *rows, const long long *offsets, ptrdiff_t texts,
                       ptrdiff_t longest, int way, void *memory) {
    ptrdiff_t size = network->size, many = layers_rows(longest), lanes = layers_filled(longest, LAYERS_LANES), first = 0;
    ptrdiff_t wide = layers_wide(size, network->inner);
    layers_space space;
    space.state = (float *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    space.other = space.state + many * size;
    space.wide = space.other + many * size;
    space.keys = space.wide + many * wide;
    space.found = space.keys + lanes * LAYERS_HEAD;
    space.low = space.found + lanes * LAYERS_ROWS;
    space.step = space.low + many;
    space.bytes = (uint8_t *)(space.step + many);
    memset(space.state, 0, 4 * many * size); /* rows that fill up a product are computed too, and may hold anything finite */
    memset(space.other, 0, 4 * many * size);
    while (first < texts) {
        ptrdiff_t last = first + 1;
        while (last < texts && offsets[last + 1] - offsets[first] <= many) last++;
        LAYERS_RUN(way, layers_tile, network, rows + offsets[first] * size, offsets + first, last - first, &space);
        first = last;
    }
}

/* out [rows, columns] = x [rows, width] · weights, which lie in blocks. */
static void layers_multiply(const float *x, ptrdiff_t rows, ptrdiff_t width, const float *weights, ptrdiff_t columns,
                            int way, float *out) {
    LAYERS_RUN(way, layers_matrix, x, rows, width, weights, columns, out);
}

#else /* another processor or compiler: NumPy multiplies */

static int layers_here(void) { return 0; }
static ptrdiff_t layers_memory(ptrdiff_t size, ptrdiff_t inner, ptrdiff_t longest) { return size; }
static void layers_run(const layers_network *network, float *rows, const long long *offsets, ptrdiff_t texts,
                       ptrdiff_t longest, int way, void *memory) {}
static void layers_multiply(const float *x, ptrdiff_t rows, ptrdiff_t width, const float *weights, ptrdiff_t columns,
                            int way, float *out) {}

#endif

#else /* LAYERS_PART: once for each processor */

/* LAYERS_WIDTH numbers are a vector. LAYERS_COLUMNS columns of an integer product are computed at once. */
#if LAYERS_PART == 2
#define LAYERS_WIDTH 16
#define LAYERS_COLUMNS 64
#define LAYERS_LARGER(a, b) ((LAYERS_FLOATS)_mm512_max_ps((__m512)(a), (__m512)(b)))
#define LAYERS_SMALLER(a, b) ((LAYERS_FLOATS)_mm512_min_ps((__m512)(a), (__m512)(b)))
#define LAYERS_ALL(number) ((LAYERS_FLOATS)_mm512_set1_ps(number))
#define LAYERS_BYTES(place, x) _mm_storeu_si128((__m128i *)(place), _mm512_cvtepi32_epi8((__m512i)(x)))
#define LAYERS_FUSED(x, y, sum) ((LAYERS_FLOATS)_mm512_fmadd_ps((__m512)(x), (__m512)(y), (__m512)(sum)))
#elif LAYERS_PART == 1
#define LAYERS_WIDTH 8
#define LAYERS_COLUMNS 16
#define LAYERS_LARGER(a, b) ((LAYERS_FLOATS)_mm256_max_ps((__m256)(a), (__m256)(b)))
#define LAYERS_SMALLER(a, b) ((LAYERS_FLOATS)_mm256_min_ps((__m256)(a), (__m256)(b)))
#define LAYERS_ALL(number) ((LAYERS_FLOATS)_mm256_set1_ps(number))
#define LAYERS_BYTES(place, x)                                                                           \
    {                                                                                                    \
        __m256i last = _mm256_shuffle_epi8((__m256i)(x), _mm256_set1_epi32(0x0C080400));                 \
        __m128i high = _mm256_extracti128_si256(last, 1);                                                \
        _mm_storel_epi64((__m128i *)(place), _mm_unpacklo_epi32(_mm256_castsi256_si128(last), high));    \
    }
#define LAYERS_FUSED(x, y, sum) ((LAYERS_FLOATS)_mm256_fmadd_ps((__m256)(x), (__m256)(y), (__m256)(sum)))
#else
#define LAYERS_WIDTH 4
#define LAYERS_COLUMNS 16
#define LAYERS_LARGER(a, b) ((LAYERS_FLOATS)vmaxq_f32((float32x4_t)(a), (float32x4_t)(b)))
#define LAYERS_SMALLER(a, b) ((LAYERS_FLOATS)vminq_f32((float32x4_t)(a), (float32x4_t)(b)))
#define LAYERS_ALL(number) ((LAYERS_FLOATS)vdupq_n_f32(number))
#define LAYERS_BYTES(place, x) (*(LAYERS_NAME(layers_bytes) *)(place) = __builtin_convertvector(x, LAYERS_NAME(layers_bytes)))
#define LAYERS_FUSED(x, y, sum) ((LAYERS_FLOATS)vfmaq_f32((float32x4_t)(sum), (float32x4_t)(x), (float32x4_t)(y)))
#endif
#define LAYERS_VECTORS (LAYERS_LANES / LAYERS_WIDTH) /* of all lanes */

typedef float LAYERS_NAME(layers_floats) __attribute__((vector_size(4 * LAYERS_WIDTH), aligned(4), may_alias));
typedef int32_t LAYERS_NAME(layers_whole) __attribute__((vector_size(4 * LAYERS_WIDTH), aligned(4), may_alias));
typedef uint8_t LAYERS_NAME(layers_bytes) __attribute__((vector_size(LAYERS_WIDTH), aligned(1), may_alias));
#define LAYERS_FLOATS LAYERS_NAME(layers_floats)
#define LAYERS_WHOLE LAYERS_NAME(layers_whole)
#define LAYERS_LOAD(place) (*(const LAYERS_FLOATS *)(place))
#define LAYERS_STORE(place, value) (*(LAYERS_FLOATS *)(place) = (value))

/* The sums of two vectors of float32 columns for LAYERS_ROWS rows. */
LAYERS_INLINE void LAYERS_NAME(layers_block)(const float *const *x, ptrdiff_t width, const float *weights, float *into) {
    LAYERS_FLOATS sums[LAYERS_ROWS][2];
    LAYERS_UNROLL for (int r = 0; r < LAYERS_ROWS; r++) sums[r][0] = sums[r][1] = LAYERS_ALL(0.0f);
    for (ptrdiff_t k = 0; k < width; k++, weights += LAYERS_PANEL) {
        LAYERS_FLOATS first = LAYERS_LOAD(weights), second = LAYERS_LOAD(weights + LAYERS_WIDTH);
        LAYERS_UNROLL for (int r = 0; r < LAYERS_ROWS; r++) {
            LAYERS_FLOATS all = LAYERS_ALL(x[r][k]);
            sums[r][0] = LAYERS_FUSED(all, first, sums[r][0]);
            sums[r][1] = LAYERS_FUSED(all, second, sums[r][1]);
        }
    }
    LAYERS_UNROLL for (int r = 0; r < LAYERS_ROWS; r++) {
        LAYERS_STORE(into + r * LAYERS_PANEL, sums[r][0]);
        LAYERS_STORE(into + r * LAYERS_PANEL + LAYERS_WIDTH, sums[r][1]);
    }
}

/* The sums of one panel, [LAYERS_ROWS][LAYERS_PANEL]; rows behind the last of `left` repeat it. */
LAYERS_APART void LAYERS_NAME(layers_panel)(const float *x, ptrdiff_t left, ptrdiff_t width, const float *weights,
                                            ptrdiff_t columns, float *into) {
    const float *at[LAYERS_ROWS];
    for (int r = 0; r < LAYERS_ROWS; r++) at[r] = x + (r < left ? r : left - 1) * width;
    for (ptrdiff_t v = 0; v < columns && v < LAYERS_PANEL; v += 2 * LAYERS_WIDTH)
        LAYERS_NAME(layers_block)(at, width, weights + v, into + v);
}

LAYERS_TARGET static void LAYERS_NAME(layers_matrix)(const float *x, ptrdiff_t rows, ptrdiff_t width,
                                                     const float *weights, ptrdiff_t columns, float *out) {
    float found[LAYERS_ROWS * LAYERS_PANEL];
    for (ptrdiff_t tile = 0; tile < rows; tile += LAYERS_TILE)
        for (ptrdiff_t column = 0; column < columns; column += LAYERS_PANEL) {
            ptrdiff_t many = columns - column < LAYERS_PANEL ? columns - column : LAYERS_PANEL;
            for (ptrdiff_t row = tile; row < rows && row < tile + LAYERS_TILE; row += LAYERS_ROWS) {
                LAYERS_NAME(layers_panel)(x + row * width, rows - row, width, weights + column * width, many, found);
                for (int r = 0; r < LAYERS_ROWS && row + r < rows; r++)
                    memcpy(out + (row + r) * columns + column, found + r * LAYERS_PANEL, 4 * many);
            }
        }
}

/* The sums of LAYERS_COLUMNS integer columns for LAYERS_ROWS rows, [LAYERS_ROWS][LAYERS_COLUMNS]. */
#define LAYERS_FOUR(name, place) \
    int32_t name;                \
    memcpy(&name, place, 4);
#if LAYERS_PART == 2

/* Sums have names, and the instruction is written out: as arrays and intrinsics GCC 12 copies every register around it. */
#define LAYERS_EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#define LAYERS_ZERO(r) __m512i s##r##0 = _mm512_setzero_si512(), s##r##1 = s##r##0, s##r##2 = s##r##0, s##r##3 = s##r##0;
#define LAYERS_DOT(sum, x, weights) __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(weights))
#define LAYERS_ADD(r)                            \
    {                                            \
        LAYERS_FOUR(four, x + r * width + k)     \
        __m512i all = _mm512_set1_epi32(four);   \
        LAYERS_DOT(s##r##0, all, w0);            \
        LAYERS_DOT(s##r##1, all, w1);            \
        LAYERS_DOT(s##r##2, all, w2);            \
        LAYERS_DOT(s##r##3, all, w3);            \
    }
#define LAYERS_KEEP(r)                                                                            \
    _mm512_storeu_si512(into + 64 * r, s##r##0), _mm512_storeu_si512(into + 64 * r + 16, s##r##1); \
    _mm512_storeu_si512(into + 64 * r + 32, s##r##2), _mm512_storeu_si512(into + 64 * r + 48, s##r##3);

LAYERS_APART void LAYERS_NAME(layers_sums)(const uint8_t *x, ptrdiff_t width, const int8_t *weights, int fours,
                                           int32_t *into) {
    LAYERS_EACH(LAYERS_ZERO)
    for (ptrdiff_t k = 0; k < width; k += 4, weights += 64) {
        __m512i w0 = _mm512_loadu_si512(weights), w1 = _mm512_loadu_si512(weights + 16 * width);
        __m512i w2 = _mm512_loadu_si512(weights + 32 * width), w3 = _mm512_loadu_si512(weights + 48 * width);
        LAYERS_EACH(LAYERS_ADD)
    }
    LAYERS_EACH(LAYERS_KEEP)
}

#undef LAYERS_ADD

#elif LAYERS_PART == 1

/* Products are first added in 16 bits, two or four to a sum: `bounded` of encoders/network.py has made weights so small
   that they fit. Three rows and two vectors of columns at once. */
#define LAYERS_PAIRS(x, weights) _mm256_maddubs_epi16(x, _mm256_loadu_si256((const __m256i *)(weights)))
#define LAYERS_WIDEN(x) _mm256_madd_epi16(x, ones)
#define LAYERS_BOTH(a, b) \
    (fours ? LAYERS_WIDEN(_mm256_add_epi16(a, b)) : _mm256_add_epi32(LAYERS_WIDEN(a), LAYERS_WIDEN(b)))
#define LAYERS_ADD(r)                                                                                              \
    {                                                                                                              \
        LAYERS_FOUR(four, x + r * width + k)                                                                       \
        LAYERS_FOUR(next, x + r * width + k + 4)                                                                   \
        __m256i all = _mm256_set1_epi32(four), then = _mm256_set1_epi32(next);                                     \
        a##r = _mm256_add_epi32(a##r, LAYERS_BOTH(LAYERS_PAIRS(all, w), LAYERS_PAIRS(then, w + 64)));              \
        b##r = _mm256_add_epi32(b##r, LAYERS_BOTH(LAYERS_PAIRS(all, w + 32), LAYERS_PAIRS(then, w + 96)));         \
    }
#define LAYERS_KEEP(r)                                     \
    _mm256_storeu_si256((__m256i *)(into + 16 * r), a##r); \
    _mm256_storeu_si256((__m256i *)(into + 16 * r + 8), b##r);

LAYERS_INLINE void LAYERS_NAME(layers_halves)(const uint8_t *x, ptrdiff_t width, const int8_t *weights, int fours,
                                              int32_t *into) {
    const __m256i ones = _mm256_set1_epi16(1);
    for (int half = 0; half < 2; half++, x += 3 * width, into += 48) {
        __m256i a0 = _mm256_setzero_si256(), a1 = a0, a2 = a0, b0 = a0, b1 = a0, b2 = a0;
        const int8_t *w = weights;
        for (ptrdiff_t k = 0; k < width; k += 8, w += 128) {
            LAYERS_ADD(0) LAYERS_ADD(1) LAYERS_ADD(2)
        }
        LAYERS_KEEP(0) LAYERS_KEEP(1) LAYERS_KEEP(2)
    }
}

LAYERS_APART void LAYERS_NAME(layers_sums)(const uint8_t *x, ptrdiff_t width, const int8_t *weights, int fours,
                                           int32_t *into) {
    if (fours)
        LAYERS_NAME(layers_halves)(x, width, weights, 1, into);
    else
        LAYERS_NAME(layers_halves)(x, width, weights, 0, into);
}

#else

/* With `sdot`, which takes inputs less 128: what that leaves out is 128 times the sum of the weights. Elsewhere, and so
   on Linux unless it is compiled for a processor that has it, two products are added in 16 bits, as with AVX2. */
LAYERS_APART void LAYERS_NAME(layers_sums)(const uint8_t *x, ptrdiff_t width, const int8_t *weights, int fours,
                                           int32_t *into) {
    for (int column = 0; column < 16; column += 4)
        for (int r = 0; r < LAYERS_ROWS; r++) {
            const int8_t *w = weights + 4 * column;
            const uint8_t *at = x + r * width;
            int32x4_t sum = vdupq_n_s32(0);
            for (ptrdiff_t k = 0; k < width; k += 8, w += 128) {
                int8x16_t first = vld1q_s8(w), second = vld1q_s8(w + 64);
                LAYERS_FOUR(four, at + k)
                LAYERS_FOUR(next, at + k + 4)
#ifdef __ARM_FEATURE_DOTPROD
                const int8x16_t half = vdupq_n_s8(64), flip = vdupq_n_s8(-128);
                sum = vdotq_s32(sum, first, veorq_s8(vreinterpretq_s8_s32(vdupq_n_s32(four)), flip));
                sum = vdotq_s32(sum, second, veorq_s8(vreinterpretq_s8_s32(vdupq_n_s32(next)), flip));
                sum = vdotq_s32(vdotq_s32(sum, first, half), first, half);
                sum = vdotq_s32(vdotq_s32(sum, second, half), second, half);
#else
                int16x8_t a = vreinterpretq_s16_u16(vmovl_u8(vreinterpret_u8_s32(vdup_n_s32(four))));
                int16x8_t b = vreinterpretq_s16_u16(vmovl_u8(vreinterpret_u8_s32(vdup_n_s32(next))));
                int16x8_t low = vmulq_s16(vmovl_s8(vget_low_s8(first)), a), high = vmulq_s16(vmovl_high_s8(first), a);
                sum = vpadalq_s16(sum, vpaddq_s16(low, high));
                low = vmulq_s16(vmovl_s8(vget_low_s8(second)), b), high = vmulq_s16(vmovl_high_s8(second), b);
                sum = vpadalq_s16(sum, vpaddq_s16(low, high));
#endif
            }
            vst1q_s32(into + 16 * r + column, sum);
        }
}

#endif

/* GELU, as `gelu` of encoders/network.py. */
LAYERS_INLINE LAYERS_FLOATS LAYERS_NAME(layers_gelu)(LAYERS_FLOATS x) {
    LAYERS_FLOATS a = (LAYERS_FLOATS)((LAYERS_WHOLE)x & 0x7FFFFFFF), tail;
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

/* As `exponentials` of encoders/network.py, for numbers of at most 0. */
LAYERS_INLINE LAYERS_FLOATS LAYERS_NAME(layers_exponential)(LAYERS_FLOATS x) {
    x = LAYERS_LARGER(x, LAYERS_ALL(-80.0f));
    LAYERS_FLOATS power = (x * 1.4426950216293335f + 12582912.0f) - 12582912.0f;
    LAYERS_FLOATS r = (x - power * 0.693145751953125f) - power * 1.42860677e-06f, q;
    q = 0.001381446490995586f * r + 0.008368780836462975f;
    q = q * r + 0.04166839271783829f;
    q = q * r + 0.1666651964187622f;
    q = q * r + 0.4999999403953552f;
    q = (q * r * r + r) + 1.0f;
    LAYERS_WHOLE two = (__builtin_convertvector(power, LAYERS_WHOLE) + 127) << 23;
    return q * (LAYERS_FLOATS)two;
}

/* The sum of all lanes, as `folded` of encoders/network.py. */
LAYERS_INLINE float LAYERS_NAME(layers_total)(const LAYERS_FLOATS *x) {
    float lanes[LAYERS_LANES];
    memcpy(lanes, x, sizeof lanes);
    LAYERS_UNROLL for (int half = LAYERS_LANES / 2; half; half /= 2)
        LAYERS_UNROLL for (int i = 0; i < half; i++) lanes[i] = lanes[i] + lanes[i + half];
    return lanes[0];
}

/* Rows as bytes: x ≈ low + step · byte, with the least and the largest number of a row as 0 and 255. */
LAYERS_APART void LAYERS_NAME(layers_quantise)(const float *x, ptrdiff_t rows, ptrdiff_t width, uint8_t *bytes,
                                               float *lows, float *steps) {
    for (ptrdiff_t r = 0; r < rows; r++, x += width, bytes += width) {
        LAYERS_FLOATS least = LAYERS_LOAD(x), most = least;
        for (ptrdiff_t j = LAYERS_WIDTH; j < width; j += LAYERS_WIDTH) {
            least = LAYERS_SMALLER(LAYERS_LOAD(x + j), least);
            most = LAYERS_LARGER(LAYERS_LOAD(x + j), most);
        }
        float low = least[0], high = most[0];
        for (int i = 1; i < LAYERS_WIDTH; i++) {
            low = least[i] < low ? least[i] : low;
            high = most[i] > high ? most[i] : high;
        }
        float range = high - low, many = range > 0 ? 255.0f / range : 0.0f;
        lows[r] = low;
        steps[r] = range / 255.0f;
        for (ptrdiff_t j = 0; j < width; j += LAYERS_WIDTH) {
            LAYERS_FLOATS whole = (LAYERS_LOAD(x + j) - low) * many + 12582912.0f; /* the last bits are the integer */
            LAYERS_BYTES(bytes + j, (LAYERS_WHOLE)whole);
        }
    }
}

/* out [rows, columns] = (bytes · weights · scale) · step + (low · sum + bias), and GELU of it if asked. */
LAYERS_INLINE void LAYERS_NAME(layers_integers)(const layers_linear *linear, const layers_space *space, ptrdiff_t rows,
                                                int gelu, float *out) {
    ptrdiff_t width = linear->width, columns = linear->columns;
    int32_t sums[LAYERS_ROWS * LAYERS_COLUMNS];
    for (ptrdiff_t column = 0; column < columns; column += LAYERS_COLUMNS)
        for (ptrdiff_t row = 0; row < rows; row += LAYERS_ROWS) {
            LAYERS_NAME(layers_sums)(space->bytes + row * width, width, linear->weights + column * width,
                                     linear->fours, sums);
            for (int v = 0; v < LAYERS_COLUMNS; v += LAYERS_WIDTH) {
                ptrdiff_t at = column + v;
                LAYERS_FLOATS scale = LAYERS_LOAD(linear->scale + at), sum = LAYERS_LOAD(linear->sum + at);
                LAYERS_FLOATS bias = LAYERS_LOAD(linear->bias + at);
                for (int r = 0; r < LAYERS_ROWS; r++) {
                    LAYERS_WHOLE whole = *(LAYERS_WHOLE *)(sums + r * LAYERS_COLUMNS + v);
                    LAYERS_FLOATS y = __builtin_convertvector(whole, LAYERS_FLOATS);
                    y = (y * scale) * space->step[row + r] + (sum * space->low[row + r] + bias);
                    LAYERS_STORE(out + (row + r) * columns + at, gelu ? LAYERS_NAME(layers_gelu)(y) : y);
                }
            }
        }
}

/* out [rows, columns] = x · weights + bias, and GELU of it if asked. */
LAYERS_INLINE void LAYERS_NAME(layers_reals)(const layers_linear *linear, const float *x, ptrdiff_t rows, int gelu,
                                             float *out) {
    ptrdiff_t width = linear->width, columns = linear->columns;
    float sums[LAYERS_ROWS * LAYERS_PANEL];
    for (ptrdiff_t column = 0; column < columns; column += LAYERS_PANEL)
        for (ptrdiff_t row = 0; row < rows; row += LAYERS_ROWS) {
            LAYERS_NAME(layers_panel)(x + row * width, LAYERS_ROWS, width, linear->floats + column * width, LAYERS_PANEL,
                                      sums);
            for (int v = 0; v < LAYERS_PANEL; v += LAYERS_WIDTH)
                for (int r = 0; r < LAYERS_ROWS; r++) {
                    LAYERS_FLOATS y = LAYERS_LOAD(sums + r * LAYERS_PANEL + v) + LAYERS_LOAD(linear->bias + column + v);
                    LAYERS_STORE(out + (row + r) * columns + column + v, gelu ? LAYERS_NAME(layers_gelu)(y) : y);
                }
        }
}

/* A linear map of rows of x, and GELU of it if asked. */
LAYERS_APART void LAYERS_NAME(layers_map)(const layers_linear *linear, const layers_space *space, const float *x,
                                          ptrdiff_t rows, int gelu, float *out) {
    if (linear->floats) {
        LAYERS_NAME(layers_reals)(linear, x, rows, gelu, out);
        return;
    }
    LAYERS_NAME(layers_quantise)(x, rows, linear->width, space->bytes, space->low, space->step);
    LAYERS_NAME(layers_integers)(linear, space, rows, gelu, out);
}

/* Layer normalisation of rows + residual, as `normalise` of encoders/network.py. */
LAYERS_APART void LAYERS_NAME(layers_normalise)(const float *x, const float *residual, ptrdiff_t rows, ptrdiff_t size,
                                                const float *gain, const float *shift, float epsilon, float *into) {
    float count = (float)size;
    for (ptrdiff_t r = 0; r < rows; r++, x += size, residual += size, into += size) {
        LAYERS_FLOATS sums[LAYERS_VECTORS];
        LAYERS_UNROLL for (int v = 0; v < LAYERS_VECTORS; v++) sums[v] = LAYERS_ALL(0.0f);
        for (ptrdiff_t j = 0; j < size; j += LAYERS_LANES)
            LAYERS_UNROLL for (int v = 0; v < LAYERS_VECTORS; v++) {
                ptrdiff_t at = j + v * LAYERS_WIDTH;
                LAYERS_FLOATS sum = LAYERS_LOAD(x + at) + LAYERS_LOAD(residual + at);
                LAYERS_STORE(into + at, sum);
                sums[v] += sum;
            }
        float mean = LAYERS_NAME(layers_total)(sums) / count;
        LAYERS_UNROLL for (int v = 0; v < LAYERS_VECTORS; v++) sums[v] = LAYERS_ALL(0.0f);
        for (ptrdiff_t j = 0; j < size; j += LAYERS_LANES)
            LAYERS_UNROLL for (int v = 0; v < LAYERS_VECTORS; v++) {
                LAYERS_FLOATS apart = LAYERS_LOAD(into + j + v * LAYERS_WIDTH) - mean;
                sums[v] += apart * apart;
            }
        float scale = 1.0f / sqrtf(LAYERS_NAME(layers_total)(sums) / count + epsilon);
        for (ptrdiff_t j = 0; j < size; j += LAYERS_WIDTH)
            LAYERS_STORE(into + j, (LAYERS_LOAD(into + j) - mean) * scale * LAYERS_LOAD(gain + j) + LAYERS_LOAD(shift + j));
    }
}

/* Some queries of one head with all keys: exp(query · key - largest) into space->found [LAYERS_ROWS, lanes], 0 behind
   the last key; gives 1 / their sums. Queries behind the last repeat it. */
LAYERS_INLINE void LAYERS_NAME(layers_weigh)(const layers_space *space, ptrdiff_t length, ptrdiff_t depth,
                                             const float *const *query, ptrdiff_t queries, float *parts) {
    ptrdiff_t lanes = layers_filled(length, LAYERS_LANES);
    LAYERS_FLOATS most[LAYERS_ROWS];
    for (int q = 0; q < LAYERS_ROWS; q++) most[q] = LAYERS_ALL(-1e30f);
    for (ptrdiff_t j = 0; j < lanes; j += LAYERS_WIDTH) {
        LAYERS_FLOATS score[LAYERS_ROWS];
        LAYERS_UNROLL for (int q = 0; q < LAYERS_ROWS; q++) score[q] = LAYERS_ALL(0.0f);
        for (ptrdiff_t d = 0; d < depth; d++) {
            LAYERS_FLOATS key = LAYERS_LOAD(space->keys + d * lanes + j);
            LAYERS_UNROLL for (int q = 0; q < LAYERS_ROWS; q++) score[q] += key * query[q][d];
        }
        LAYERS_WHOLE used = *(const LAYERS_WHOLE *)layers_places < (int32_t)(length - j);
        LAYERS_UNROLL for (int q = 0; q < LAYERS_ROWS; q++) {
            score[q] = (LAYERS_FLOATS)((used & (LAYERS_WHOLE)score[q]) | (~used & (LAYERS_WHOLE)LAYERS_ALL(-1e30f)));
            most[q] = LAYERS_LARGER(score[q], most[q]);
            LAYERS_STORE(space->found + q * lanes + j, score[q]);
        }
    }
    for (int q = 0; q < queries; q++) {
        float largest = most[q][0], *found = space->found + q * lanes;
        for (int i = 1; i < LAYERS_WIDTH; i++) largest = most[q][i] > largest ? most[q][i] : largest;
        LAYERS_FLOATS totals[LAYERS_VECTORS];
        LAYERS_UNROLL for (int v = 0; v < LAYERS_VECTORS; v++) totals[v] = LAYERS_ALL(0.0f);
        for (ptrdiff_t j = 0; j < lanes; j += LAYERS_LANES)
            LAYERS_UNROLL for (int v = 0; v < LAYERS_VECTORS; v++) {
                float *place = found + j + v * LAYERS_WIDTH;
                LAYERS_WHOLE used = *(const LAYERS_WHOLE *)layers_places < (int32_t)(length - j) - v * LAYERS_WIDTH;
                LAYERS_FLOATS weight = LAYERS_NAME(layers_exponential)(LAYERS_LOAD(place) - largest);
                weight = (LAYERS_FLOATS)(used & (LAYERS_WHOLE)weight);
                totals[v] += weight;
                LAYERS_STORE(place, weight);
            }
        parts[q] = 1.0f / LAYERS_NAME(layers_total)(totals);
    }
}

/* Self-attention of one text, from its rows of queries, keys and values to its rows of `out` [length, size]. */
LAYERS_APART void LAYERS_NAME(layers_attend)(const layers_network *network, const layers_space *space, const float *rows,
                                             ptrdiff_t length, float *out) {
    ptrdiff_t size = network->size, depth = network->depth, lanes = layers_filled(length, LAYERS_LANES), row = 3 * size;
    for (ptrdiff_t head = 0; head < network->heads; head++) {
        const float *queries = rows + head * depth, *keys = queries + size, *values = keys + size;
        for (ptrdiff_t d = 0; d < depth; d++) {
            for (ptrdiff_t j = 0; j < length; j++) space->keys[d * lanes + j] = keys[j * row + d];
            for (ptrdiff_t j = length; j < lanes; j++) space->keys[d * lanes + j] = 0.0f;
        }
        for (ptrdiff_t first = 0; first < length; first += LAYERS_ROWS) {
            ptrdiff_t number = length - first < LAYERS_ROWS ? length - first : LAYERS_ROWS;
            const float *query[LAYERS_ROWS];
            float parts[LAYERS_ROWS];
            for (int q = 0; q < LAYERS_ROWS; q++) query[q] = queries + (first + (q < number ? q : number - 1)) * row;
            LAYERS_NAME(layers_weigh)(space, length, depth, query, number, parts);
            for (ptrdiff_t d = 0; d < depth; d += LAYERS_WIDTH) {
                LAYERS_FLOATS sums[LAYERS_ROWS];
                LAYERS_UNROLL for (int q = 0; q < LAYERS_ROWS; q++) sums[q] = LAYERS_ALL(0.0f);
                for (ptrdiff_t j = 0; j < length; j++) {
                    LAYERS_FLOATS value = LAYERS_LOAD(values + j * row + d);
                    LAYERS_UNROLL for (int q = 0; q < LAYERS_ROWS; q++) sums[q] += value * space->found[q * lanes + j];
                }
                for (int q = 0; q < number; q++)
                    LAYERS_STORE(out + (first + q) * size + head * depth + d, sums[q] * parts[q]);
            }
        }
    }
}

/* Whole texts that fit into the space, through all layers. */
LAYERS_TARGET static void LAYERS_NAME(layers_tile)(const layers_network *network, float *rows, const long long *offsets,
                                                   ptrdiff_t texts, const layers_space *space) {
    ptrdiff_t size = network->size, inner = network->inner, first = offsets[0], many = offsets[texts] - first;
    ptrdiff_t filled = layers_filled(many, LAYERS_ROWS);
    ptrdiff_t columns[4] = {3 * size, size, inner, size}, widths[4] = {size, size, size, inner};
    const int8_t *weights = network->weights;
    const float *floats = network->floats, *numbers = network->numbers;
    memcpy(space->state, rows, 4 * many * size);
    for (ptrdiff_t text = 0; text < texts; text++)
        memcpy(space->other + (offsets[text] - first) * size, network->positions,
               4 * (offsets[text + 1] - offsets[text]) * size);
    LAYERS_NAME(layers_normalise)(space->state, space->other, filled, size, network->first_norm,
                                  network->first_norm + size, network->epsilon, space->state);
    for (ptrdiff_t layer = 0; layer < network->layers; layer++) {
        layers_linear linear[4];
        for (int i = 0; i < 4; i++) {
            linear[i].width = widths[i];
            linear[i].columns = columns[i];
            linear[i].fours = i >= 2;
            linear[i].weights = weights;
            linear[i].floats = floats;
            linear[i].scale = numbers;
            linear[i].sum = numbers + columns[i];
            linear[i].bias = floats ? numbers : numbers + 2 * columns[i];
            numbers = linear[i].bias + columns[i];
            if (floats)
                floats += widths[i] * columns[i];
            else
                weights += widths[i] * columns[i];
        }
        LAYERS_NAME(layers_map)(&linear[0], space, space->state, filled, 0, space->wide);
        for (ptrdiff_t text = 0; text < texts; text++)
            LAYERS_NAME(layers_attend)(network, space, space->wide + (offsets[text] - first) * 3 * size,
                                       offsets[text + 1] - offsets[text], space->other + (offsets[text] - first) * size);
        LAYERS_NAME(layers_map)(&linear[1], space, space->other, filled, 0, space->wide);
        LAYERS_NAME(layers_normalise)(space->wide, space->state, filled, size, numbers, numbers + size, network->epsilon,
                                      space->other);
        LAYERS_NAME(layers_map)(&linear[2], space, space->other, filled, 1, space->wide);
        LAYERS_NAME(layers_map)(&linear[3], space, space->wide, filled, 0, space->state);
        LAYERS_NAME(layers_normalise)(space->state, space->other, filled, size, numbers + 2 * size, numbers + 3 * size,
                                      network->epsilon, space->state);
        numbers += 4 * size;
    }
    memcpy(rows, space->state, 4 * many * size);
}

#undef LAYERS_WIDTH
#undef LAYERS_COLUMNS
#undef LAYERS_LARGER
#undef LAYERS_SMALLER
#undef LAYERS_ALL
#undef LAYERS_BYTES
#undef LAYERS_FUSED
#undef LAYERS_KEEP

#endif
