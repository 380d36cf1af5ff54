r"""The network of BERT (Devlin et al. 2019): embeddings, then layers of self-attention and feed-forward.

Texts of any length are in one matrix, one row for each of their pieces, without padding. Attention alone looks at
texts, each by itself, and what a row becomes does not depend on the rows of other texts. Everything between matrix
products is a formula in float32 whose operations have one order, sums in 16 lanes that are folded.

Weights are float32 (`encoders/products.py`) or integers of 8 bits with one scale per row. What goes into a product with
integers is rounded to bytes, each row (one word piece) by itself:

$$ x \approx low + step \cdot byte, \quad
   W x \approx scale \cdot (integers \cdot bytes) \cdot step + low \cdot scale \cdot \sum integers $$

Sums of integers are exact, so a text gives the same bits in any batch and on any machine. Where the processor is known
to `kernels/layers.h` all layers run compiled, elsewhere in NumPy, where products of integers are exact as well while
sums are below 2²⁴.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, Ragged
from vericap.encoders.products import Product
from vericap.encoders.weights import FIRST_NORM, POSITIONS, TYPES, WORDS, Array, IntegerWeights, Weights
from vericap.kernels.encoding import LANES, Packed, Whole, blocks, fits, in_lines, panels, run_layers, ways

_EXACT = 2**24  # whole numbers up to here are exact in float32
_BYTE = np.float32(255)
_LARGEST_SUM = 32_767 // 255  # of weights of one sign whose products with bytes are added in 16 bits
_LEAST = np.float32(-80)  # e^-80 is negligible compared with e^0
# e^x = 2^n · e^r with n a whole number and |r| ≤ ln 2 / 2; n · ln 2 is taken away in two parts, the first of few bits.
_PER_DOUBLING = np.float32(1.4426950216293335)  # 1 / ln 2
_DOUBLING = (np.float32(0.693145751953125), np.float32(1.42860677e-06))
# e^r = 1 + r + r² · Q(r), fitted here: exact to 10⁻⁷.
_Q = (0.001381446490995586, 0.008368780836462975, 0.04166839271783829, 0.1666651964187622, 0.4999999403953552)
# Φ(-a) = P(a)^-16 for a ≥ 0, Φ the normal distribution: the form is Hastings' (1955), the coefficients are fitted by
# weighted least squares. The error times a is at most 2.3·10⁻⁷; in float32 GELU is exact to 6·10⁻⁷.
_P = [6.848336852272041e-06, 4.09942222177051e-05, 7.036444003460929e-05, 0.003379344241693616]
_P += [0.022105839103460312, 0.05206722766160965, 1.0442743301391602]
_NONE = np.zeros(0, np.float32)

Map: TypeAlias = Callable[[Array], Array]  # rows [n, in] → rows [n, out]


class Norm(NamedTuple):
    """Gain and shift of a layer normalisation."""

    gain: Array
    shift: Array


class Linear(NamedTuple):
    """A linear map: weights in float32, or integers with the scale of each row and the sums of its weights, scaled."""

    weights: NDArray[Any]  # [out, in]
    bias: Array  # [out]
    scale: Array = _NONE  # [out], and empty if weights are float32
    sums: Array = _NONE

    def times(self, factor: np.float32) -> Linear:
        """Return the map times a number."""
        weights = self.weights if len(self.scale) else self.weights * factor
        return Linear(weights, self.bias * factor, self.scale * factor, self.sums * factor)


class _Layer(NamedTuple):
    linear: list[Linear]  # queries, keys and values at once; output of the attention; inner and outer
    norms: list[Norm]  # after the attention, and after the outer


class Network:
    """The network of some weights. `way` is what runs it: 2 and 1 are compiled, 0 is NumPy (see
    `vericap.kernels.encoding.ways`)."""

    def __init__(self, weights: Weights, way: int | None = None) -> None:
        self.config = config = weights.config
        self._weights = weights
        self._positions: Array = weights.tensor(POSITIONS) + weights.rows(TYPES, np.array([0]))
        self._norm = _norm(weights, FIRST_NORM)
        self._way = ways() if way is None else way
        layers = (_layer(weights, f"encoder.layer.{i}") for i in range(config.layers))
        self._packed: Packed | None = None
        self._layers: list[tuple[list[Map], list[Norm]]] = []
        if self._way and fits(config.size, config.inner_size, config.heads):
            self._packed = self._pack(layers)
        else:
            self._layers = [([_map(each, self._way) for each in layer.linear], layer.norms) for layer in layers]

    def run(self, ids: Ragged, layers: int | None = None) -> Array:
        """Return vectors of all pieces, array [pieces, size], after this many layers (all of them; 0: the embeddings).

        `ids` are the pieces of texts, longer ones not before shorter ones.
        """
        number = self.config.layers if layers is None else min(layers, self.config.layers)
        state = self._weights.rows(WORDS, ids.values)
        if self._packed is not None:
            run_layers(self._packed, state, np.ascontiguousarray(ids.offsets, np.int64), number, self._way)
            return state
        texts = list(blocks_of_one_length(ids))
        places = np.concatenate([np.arange(0), *(np.tile(np.arange(size), many) for _, many, size in texts)])
        state = normalise(state, self._positions[places], self._norm, self.config.epsilon)
        for (heads, output, inner, outer), (attention_norm, norm) in self._layers[:number]:
            parts, context = heads(state), np.empty_like(state)
            for first, many, length in texts:
                rows = slice(first, first + many * length)
                context[rows] = self._attend(parts[rows], many, length)
            attended = normalise(output(context), state, attention_norm, self.config.epsilon)
            state = normalise(outer(gelu(inner(attended))), attended, norm, self.config.epsilon)
        return state

    def _attend(self, rows: Array, texts: int, length: int) -> Array:
        """Return self-attention of texts of one length, from their queries, keys and values [pieces, 3 × size]. Sums
        run in one order: over the numbers of a head, over keys in lanes that are folded, and over keys."""
        parts = rows.reshape(texts, length, 3, self.config.heads, -1).transpose(2, 0, 3, 1, 4)
        query, key, value = parts  # [texts, heads, length, size of a head]
        scores = np.zeros((texts, self.config.heads, length, length), np.float32)
        for d in range(query.shape[3]):
            scores += key[:, :, None, :, d] * query[:, :, :, d, None]
        scores -= scores.max(axis=3, keepdims=True)
        exponentials(scores)
        found = np.zeros(query.shape, np.float32)
        for j in range(length):
            found += value[:, :, j, None, :] * scores[..., j, None]
        found *= np.float32(1) / folded(scores)
        return found.transpose(0, 2, 1, 3).reshape(len(rows), -1)

    def _pack(self, layers: Iterator[_Layer]) -> Packed:
        config = self.config
        weights, floats, numbers = [np.zeros(1, np.int8)], [np.zeros(1, np.float32)], [_NONE]
        for layer in layers:
            for linear in layer.linear:
                if len(linear.scale):
                    weights.append(blocks(linear.weights))
                else:
                    floats.append(panels(linear.weights.T))
                numbers += [linear.scale, linear.sums, linear.bias]
            numbers += [array for norm in layer.norms for array in norm]
        return Packed(
            np.array([config.size, config.inner_size, config.size // config.heads, config.heads], np.int64),
            config.epsilon,
            np.ascontiguousarray(self._positions),
            np.concatenate(self._norm),
            in_lines(weights[1:] or weights),
            in_lines(floats[1:] or floats),
            np.concatenate(numbers),
        )


def folded(x: Array) -> Array:
    """Return the sums of the last axis, which keeps its place: in 16 lanes, whose second half is added to the first
    until one is left.

    >>> folded(np.arange(40, dtype=np.float32)).tolist()
    [780.0]
    """
    lanes = np.zeros((*x.shape[:-1], LANES), np.float32)
    for first in range(0, x.shape[-1], LANES):
        part = x[..., first : first + LANES]
        lanes[..., : part.shape[-1]] += part
    while lanes.shape[-1] > 1:
        half = lanes.shape[-1] // 2
        lanes = lanes[..., :half] + lanes[..., half:]
    return lanes


def normalise(rows: Array, residual: Array, norm: Norm, epsilon: float) -> Array:
    """Return the layer normalisation of rows + residual, [n, columns]."""
    rows = rows + residual
    count = np.float32(rows.shape[1])
    rows -= folded(rows) / count
    scale = np.float32(1) / np.sqrt(folded(rows * rows) / count + np.float32(epsilon))
    rows *= scale
    rows *= norm.gain
    rows += norm.shift
    return rows


def gelu(x: Array) -> Array:
    """Return x · Φ(x), where Φ is the normal distribution (the form with erf, not with tanh); x is changed.

    >>> [f"{y:.4f}" for y in gelu(np.float32([-30, -1, 0, 1, 30]))]
    ['0.0000', '-0.1587', '0.0000', '0.8413', '30.0000']
    """
    a = np.abs(x)
    tail = np.float32(_P[0]) * a
    tail += np.float32(_P[1])
    for constant in _P[2:]:
        tail *= a
        tail += np.float32(constant)
    # The quotient first: its powers become 0 where those of the polynomial would be infinite.
    np.divide(np.float32(1), tail, out=tail)
    for _ in range(4):
        tail *= tail
    x += a
    x *= np.float32(0.5)
    a *= tail
    x -= a  # max(x, 0) - |x| · Φ(-|x|)
    return x


def exponentials(x: NDArray[np.float32]) -> None:
    """e^x in place for numbers of at most 0: a formula rather than the system's function, so that all machines give
    the same bits.

    >>> x = np.float32([0, -1, -100])
    >>> exponentials(x)
    >>> [round(float(each), 4) for each in x]
    [1.0, 0.3679, 0.0]
    """
    np.maximum(x, _LEAST, out=x)
    power = np.rint(x * _PER_DOUBLING)
    r = (x - power * _DOUBLING[0]) - power * _DOUBLING[1]
    q = np.float32(_Q[0]) * r + np.float32(_Q[1])
    for constant in _Q[2:]:
        q = q * r + np.float32(constant)
    q = (q * r * r + r) + np.float32(1)
    x[:] = np.ldexp(q, power.astype(np.int32))


def blocks_of_one_length(ids: Ragged) -> Iterator[tuple[int, int, int]]:
    """First row, number of texts and their length, for each run of texts of one length."""
    lengths: Integers = ids.lengths
    changes = np.flatnonzero(np.diff(lengths)) + 1
    for start, end in pairwise([0, *changes.tolist(), len(lengths)]):
        if end > start:
            yield int(ids.offsets[start]), end - start, int(lengths[start])


def _map(linear: Linear, way: int) -> Map:
    """Return a linear map for NumPy."""
    weights, bias, scale, sums = linear
    if not len(scale):
        product = Product(weights.T, way)
        return lambda x: product(x) + bias
    # Of 512 inputs any sum is exact: 512 · 255 · 127 < 2²⁴. Of real weights usually all are.
    largest = int(np.abs(weights.astype(np.int64)).sum(axis=1).max()) * 255
    number = 1 if largest < _EXACT else -(-weights.shape[1] // 512)
    parts = [np.ascontiguousarray(part.T, np.float32) for part in np.array_split(weights, number, axis=1)]

    def apply(x: Array) -> Array:
        low, step, whole = _as_bytes(x)
        first, total = 0, np.zeros((), np.float32)
        for part in parts:
            product = whole[:, first : first + len(part)] @ part
            total = product if not first else total + product.astype(np.float64)
            first += len(part)
        return (total.astype(np.float32, copy=False) * scale) * step + (sums * low + bias)

    return apply


def _as_bytes(x: Array) -> tuple[Array, Array, Array]:
    """Return the number that 0 means and the step of each row, [rows, 1], and the rows as bytes (in float32)."""
    low = x.min(axis=1, keepdims=True)
    span = x.max(axis=1, keepdims=True) - low
    many = _BYTE / np.where(span > 0, span, np.float32(np.inf))
    return low, span / _BYTE, np.rint((x - low) * many)


def bounded(integers: Whole, scale: Array, together: int) -> tuple[Whole, Array]:
    """Return integers [rows, columns] and the scales of rows such that products of two neighbours with bytes can be
    added in 16 bits, or of four (two pairs, the second four columns after the first): what AVX2 multiplies fastest.
    Rows of larger sums are rounded to smaller integers, with a larger scale.

    >>> bounded(np.int8([[127, 64, 1, -1, 63, 2, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8]]), np.float32([1, 1]), 4)[0].tolist()
    [[63, 32, 0, 0, 31, 1, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8]]
    """
    whole = np.pad(integers.astype(np.int16), ((0, 0), (0, -integers.shape[1] % 8)))
    positive, largest = np.maximum(whole, 0), np.zeros(len(whole), np.int16)
    for part in (positive, positive - whole):
        sums = part[:, ::2] + part[:, 1::2]
        if together == 4:
            sums = sums.reshape(len(sums), -1, 2, 2).sum(axis=2, dtype=np.int16).reshape(len(sums), -1)
        np.maximum(largest, sums.max(axis=1), out=largest)
    # Rounding adds at most half a unit to each of them.
    most = np.float32(_LARGEST_SUM - together / 2)
    factor = np.where(largest > _LARGEST_SUM, most / np.maximum(largest, 1).astype(np.float32), np.float32(1))
    return np.rint(integers * factor[:, None]).astype(np.int8), np.asarray(scale / factor, np.float32)


def _layer(weights: Weights, name: str) -> _Layer:
    parts = [_linear(weights, f"{name}.attention.self.{part}", 2) for part in ("query", "key", "value")]
    # Scores are divided by the square root of a head's size: the queries are, once and for all.
    parts[0] = parts[0].times(np.float32(1 / np.sqrt(weights.config.size / weights.config.heads)))
    heads = Linear(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
    output = _linear(weights, f"{name}.attention.output.dense", 2)
    # Fewer bits cost the feed-forward layers least, and they are two thirds of the products.
    inner, outer = (_linear(weights, f"{name}.{part}.dense", 4) for part in ("intermediate", "output"))
    norms = [_norm(weights, f"{name}.{part}.LayerNorm") for part in ("attention.output", "output")]
    return _Layer([heads, output, inner, outer], norms)


def _linear(weights: Weights, name: str, together: int) -> Linear:
    bias = weights.tensor(f"{name}.bias")
    if not isinstance(weights, IntegerWeights):
        return Linear(weights.tensor(f"{name}.weight"), bias)
    integers, scale = bounded(*weights.integers(f"{name}.weight"), together)
    return Linear(integers, bias, scale, integers.sum(axis=1, dtype=np.int64).astype(np.float32) * scale)


def _norm(weights: Weights, name: str) -> Norm:
    return Norm(np.array(weights.tensor(f"{name}.weight")), np.array(weights.tensor(f"{name}.bias")))
