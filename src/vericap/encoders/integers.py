"""The network of BERT with weights of 8 bits, its matrix products in integers.

Weights are integers with one scale per row, as the file has them. What goes into a product is rounded to bytes, each
row (one word piece) by itself:

    x ≈ low + step · byte,   W x ≈ scale · (integers · bytes) · step + low · scale · (sum of integers)

Sums of integers are exact, and everything between products is a formula in float32 whose operations have one order.
So a text gives the same bits in any batch and on any machine: where the processor multiplies integers, compiled
(`kernels/layers.h`), elsewhere in NumPy, where products of integers are exact as well while sums are below 2²⁴.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged
from vericap.encoders.network import Norm, blocks_of_one_length, norm_of
from vericap.encoders.weights import FIRST_NORM, POSITIONS, TYPES, WORDS, Array, FileWeights
from vericap.kernels.encoding import LANES, Packed, Whole, blocks, fits, in_lines, run_layers, ways
from vericap.kernels.transformer import add_gelu, add_residual, scale_rows

_EXACT = 2**24  # whole numbers up to here are exact in float32
_BYTE = np.float32(255)
_LEAST = np.float32(-80)  # e^-80 is negligible compared with e^0
# e^x = 2^n · e^r with n a whole number and |r| ≤ ln 2 / 2; n · ln 2 is taken away in two parts, the first of few bits.
_PER_DOUBLING = np.float32(1.4426950216293335)  # 1 / ln 2
_DOUBLING = (np.float32(0.693145751953125), np.float32(1.42860677e-06))
# e^r = 1 + r + r² · Q(r), fitted here: exact to 10⁻⁷.
_Q = [np.float32(q) for q in (0.001381446490995586, 0.008368780836462975, 0.04166839271783829, 0.1666651964187622)]
_Q += [np.float32(0.4999999403953552)]


class _Linear(NamedTuple):
    weights: Whole  # [out, in]
    scale: Array  # [out]
    sums: Array  # [out]: of the weights, times the scale
    bias: Array  # [out]


class _Product:
    """A linear map in NumPy: as many products of float32 as it takes for all sums to be exact."""

    def __init__(self, linear: _Linear) -> None:
        self._linear = linear
        largest = int(np.abs(linear.weights.astype(np.int64)).sum(axis=1).max()) * 255
        # Of 512 inputs any sum is exact: 512 · 255 · 127 < 2²⁴. Of real weights usually all are.
        number = 1 if largest < _EXACT else -(-linear.weights.shape[1] // 512)
        parts = np.array_split(linear.weights, number, axis=1)
        self._parts: list[Array] = [np.ascontiguousarray(part.T, np.float32) for part in parts]

    def __call__(self, x: Array) -> Array:
        """x [rows, in] → [rows, out]."""
        low, step, whole = _as_bytes(x)
        first, total = 0, np.zeros((), np.float32)
        for part in self._parts:
            product = whole[:, first : first + len(part)] @ part
            total = product if not first else total + product.astype(np.float64)
            first += len(part)
        _, scale, sums, bias = self._linear
        return (total.astype(np.float32, copy=False) * scale) * step + (sums * low + bias)


_Map = TypeVar("_Map", _Linear, _Product)


class _Layer(NamedTuple, Generic[_Map]):
    heads: _Map  # queries, keys and values at once
    output: _Map
    inner: _Map
    outer: _Map
    attention_norm: Norm
    norm: Norm


class IntegerNetwork:
    """The network of weights of 8 bits. `way` is what runs it: 2 and 1 are compiled, 0 is NumPy (see
    `vericap.kernels.encoding.ways`)."""

    def __init__(self, weights: FileWeights, way: int | None = None) -> None:
        self.config = config = weights.config
        self._words, self._word_scales = weights.integers(WORDS)
        self._positions: Array = weights.tensor(POSITIONS) + weights.rows(TYPES, np.array([0]))
        self._norm = norm_of(weights, FIRST_NORM)
        layers = (_layer(weights, f"encoder.layer.{i}") for i in range(config.layers))
        self._way = ways() if way is None else way
        if not fits(config.size, config.inner_size, config.heads):
            self._way = 0
        self._packed = self._pack(layers) if self._way else None
        # None are left where they were packed.
        self._layers = [
            _Layer(_Product(heads), _Product(output), _Product(inner), _Product(outer), attention_norm, norm)
            for heads, output, inner, outer, attention_norm, norm in layers
        ]

    def run(self, ids: Ragged, layers: int | None = None) -> Array:
        """Return vectors of all pieces, array [pieces, size], after this many layers (all of them; 0: the embeddings).

        `ids` are the pieces of texts, longer ones not before shorter ones.
        """
        number = self.config.layers if layers is None else min(layers, self.config.layers)
        if self._packed is not None:
            pieces = np.ascontiguousarray(ids.values, np.int32)
            return run_layers(self._packed, pieces, np.ascontiguousarray(ids.offsets, np.int64), number, self._way)
        texts = list(blocks_of_one_length(ids))
        state: Array = self._words[ids.values] * self._word_scales[ids.values, None]
        positions = np.concatenate([np.arange(0), *(np.tile(np.arange(size), many) for _, many, size in texts)])
        state = self._normalise(state, self._positions[positions], self._norm)
        for layer in self._layers[:number]:
            heads = layer.heads(state)
            context = np.empty_like(state)
            for first, many, length in texts:
                rows = slice(first, first + many * length)
                context[rows] = self._attend(heads[rows], many, length)
            attended = self._normalise(layer.output(context), state, layer.attention_norm)
            inner = layer.inner(attended)
            add_gelu(inner, np.zeros(inner.shape[1], np.float32))
            state = self._normalise(layer.outer(inner), attended, layer.norm)
        return state

    def _attend(self, rows: Array, texts: int, length: int) -> Array:
        """Self-attention of texts of one length, from their queries, keys and values [pieces, 3 × size]. Sums run in
        one order: over the numbers of a head, over keys in lanes that are folded, and over keys."""
        parts = rows.reshape(texts, length, 3, self.config.heads, -1).transpose(2, 0, 3, 1, 4)
        query, key, value = parts  # [texts, heads, length, size of a head]
        scores = np.zeros((texts, self.config.heads, length, length), np.float32)
        for d in range(query.shape[3]):
            scores += key[:, :, None, :, d] * query[:, :, :, d, None]
        scores -= scores.max(axis=3, keepdims=True)
        exponentials(scores)
        lanes = np.zeros((*scores.shape[:3], LANES), np.float32)
        for first in range(0, length, LANES):
            part = scores[..., first : first + LANES]
            lanes[..., : part.shape[3]] += part
        while lanes.shape[3] > 1:
            half = lanes.shape[3] // 2
            lanes = lanes[..., :half] + lanes[..., half:]
        found = np.zeros(query.shape, np.float32)
        for j in range(length):
            found += value[:, :, j, None, :] * scores[..., j, None]
        found *= np.float32(1) / lanes
        return found.transpose(0, 2, 1, 3).reshape(len(rows), -1)

    def _normalise(self, rows: Array, residual: Array, norm: Norm) -> Array:
        """Layer normalisation of rows + residual, in place."""
        means, variances = np.empty(len(rows), np.float32), np.empty(len(rows), np.float32)
        add_residual(rows, np.zeros(rows.shape[1], np.float32), residual, means, variances)
        scales = np.float32(1) / np.sqrt(variances + np.float32(self.config.epsilon))
        scale_rows(rows, means, scales, norm.gain, norm.shift)
        return rows

    def _pack(self, layers: Iterator[_Layer[_Linear]]) -> Packed:
        config = self.config
        weights: list[Whole] = []
        numbers: list[Array] = []
        for layer in layers:
            for linear in layer[:4]:
                weights.append(blocks(linear.weights))
                numbers += [linear.scale, linear.sums, linear.bias]
            numbers += [*layer.attention_norm, *layer.norm]
        sizes = [config.size, config.inner_size, config.size // config.heads, config.heads, config.layers]
        return Packed(
            np.array(sizes, np.int64),
            config.epsilon,
            self._words,
            self._word_scales,
            np.ascontiguousarray(self._positions),
            np.concatenate(self._norm),
            in_lines(np.concatenate(weights)),
            np.concatenate(numbers),
        )


def _as_bytes(x: Array) -> tuple[Array, Array, Array]:
    """Return rows as bytes (in float32), with the number that 0 means and the step of each row, [rows, 1]."""
    low = x.min(axis=1, keepdims=True)
    span = x.max(axis=1, keepdims=True) - low
    many = _BYTE / np.where(span > 0, span, np.float32(np.inf))
    whole = np.rint((x - low) * many)
    return low, span / _BYTE, whole


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
    q = _Q[0] * r + _Q[1]
    for constant in _Q[2:]:
        q = q * r + constant
    q = (q * r * r + r) + np.float32(1)
    x[:] = np.ldexp(q, power.astype(np.int32))


def _layer(weights: FileWeights, name: str) -> _Layer[_Linear]:
    parts = [_linear(weights, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
    # Scores are divided by the square root of a head's size: the queries are, once and for all.
    scale = np.float32(1 / np.sqrt(weights.config.size / weights.config.heads))
    query = parts[0]
    parts[0] = _Linear(query.weights, query.scale * scale, query.sums * scale, query.bias * scale)
    return _Layer(
        _Linear(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True))),
        _linear(weights, f"{name}.attention.output.dense"),
        _linear(weights, f"{name}.intermediate.dense"),
        _linear(weights, f"{name}.output.dense"),
        norm_of(weights, f"{name}.attention.output.LayerNorm"),
        norm_of(weights, f"{name}.output.LayerNorm"),
    )


def _linear(weights: FileWeights, name: str) -> _Linear:
    integers, scale = weights.integers(f"{name}.weight")
    sums = integers.sum(axis=1, dtype=np.int64).astype(np.float32) * scale
    return _Linear(integers, scale, sums, weights.tensor(f"{name}.bias"))
