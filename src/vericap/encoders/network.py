"""The network of BERT (Devlin et al. 2019) in NumPy: embeddings, then layers of self-attention and feed-forward.

Texts of any length are in one matrix, one row for each of their pieces, without padding: matrix products see only that.
Attention alone looks at texts, each by itself. What a row becomes does not depend on the rows of other texts: products
and kernels go row by row, and the products of attention have the shape of their text.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vericap.arrays import Integers, Ragged
from vericap.encoders.products import Product
from vericap.encoders.weights import FIRST_NORM, POSITIONS, TYPES, WORDS, Array, Weights
from vericap.kernels.transformer import add_gelu, add_residual, divide_by_sums, scale_rows, subtract_maxima

_ONE = np.float32(1)


class _Linear(NamedTuple):
    product: Product  # with weights [in, out]
    bias: Array


class Norm(NamedTuple):
    """Gain and shift of a layer normalisation."""

    gain: Array
    shift: Array


class _Layer(NamedTuple):
    heads: _Linear  # queries, keys and values at once
    output: _Linear
    attention_norm: Norm
    inner: _Linear
    outer: _Linear
    norm: Norm


class Network:
    """The network of some weights, in float32."""

    def __init__(self, weights: Weights) -> None:
        self.config = weights.config
        self._weights = weights
        self._positions: Array = weights.tensor(POSITIONS) + weights.rows(TYPES, np.array([0]))
        self._norm = norm_of(weights, FIRST_NORM)
        self._layers = [_layer(weights, f"encoder.layer.{i}") for i in range(self.config.layers)]

    def run(self, ids: Ragged, layers: int | None = None) -> Array:
        """Return vectors of all pieces, array [pieces, size], after this many layers (all of them; 0: the embeddings).

        `ids` are the pieces of texts, longer ones not before shorter ones: those of one length are then one block.
        """
        rows = len(ids.values)
        space = _Space(self.config.size, self.config.inner_size, rows)
        blocks = list(blocks_of_one_length(ids))
        self._embed(ids, blocks, space)
        for layer in self._layers[:layers]:
            layer.heads.product(space.state, space.heads)
            space.heads += layer.heads.bias
            for first, texts, length in blocks:
                self._attend(first, texts, length, space)
            layer.output.product(space.context, space.product)
            self._normalise(space.product, layer.output.bias, space.state, layer.attention_norm, space)
            layer.inner.product(space.product, space.inner)
            add_gelu(space.inner, layer.inner.bias)
            layer.outer.product(space.inner, space.state)
            self._normalise(space.state, layer.outer.bias, space.product, layer.norm, space)
        return space.state

    def _embed(self, ids: Ragged, blocks: list[tuple[int, int, int]], space: _Space) -> None:
        distinct, place = np.unique(ids.values, return_inverse=True)
        space.state[:] = self._weights.rows(WORDS, distinct)[place]
        for first, texts, length in blocks:
            shaped = space.product[first : first + texts * length].reshape(texts, length, -1)
            shaped[:] = self._positions[:length]
        self._normalise(space.state, np.zeros(self.config.size, np.float32), space.product, self._norm, space)

    def _attend(self, first: int, texts: int, length: int, space: _Space) -> None:
        """Self-attention of texts of one length, from `space.heads` to `space.context`."""
        heads, last = self.config.heads, first + texts * length
        parts = space.heads[first:last].reshape(texts, length, 3, heads, -1).transpose(2, 0, 3, 1, 4)
        query, key, value = parts
        scores = np.matmul(query, key.swapaxes(2, 3))
        flat = scores.reshape(-1, length)
        subtract_maxima(flat)
        np.exp(flat, out=flat)
        divide_by_sums(flat)
        into = space.context[first:last].reshape(texts, length, heads, -1).transpose(0, 2, 1, 3)
        np.matmul(scores, value, out=into)

    def _normalise(self, rows: Array, bias: Array, residual: Array, norm: Norm, space: _Space) -> None:
        """Layer normalisation of rows + bias + residual, in place."""
        add_residual(rows, bias, residual, space.means, space.variances)
        scales = 1 / np.sqrt(space.variances + np.float32(self.config.epsilon))
        scale_rows(rows, space.means, scales, norm.gain, norm.shift)


class _Space:
    """Memory for this many rows."""

    def __init__(self, size: int, inner_size: int, rows: int) -> None:
        self.state, self.product, self.context = (np.empty((rows, size), np.float32) for _ in range(3))
        self.heads: Array = np.empty((rows, 3 * size), np.float32)
        self.inner: Array = np.empty((rows, inner_size), np.float32)
        self.means, self.variances = np.empty(rows, np.float32), np.empty(rows, np.float32)


def blocks_of_one_length(ids: Ragged) -> Iterator[tuple[int, int, int]]:
    """First row, number of texts and their length, for each run of texts of one length."""
    lengths: Integers = ids.lengths
    changes = np.flatnonzero(np.diff(lengths)) + 1
    for start, end in pairwise([0, *changes.tolist(), len(lengths)]):
        if end > start:
            yield int(ids.offsets[start]), end - start, int(lengths[start])


def _layer(weights: Weights, name: str) -> _Layer:
    # Scores are divided by the square root of a head's size: the queries are, once and for all.
    scale = np.float32(1 / np.sqrt(weights.config.size / weights.config.heads))
    return _Layer(
        _linear(weights, *(f"{name}.attention.self.{part}" for part in ("query", "key", "value")), first=scale),
        _linear(weights, f"{name}.attention.output.dense"),
        norm_of(weights, f"{name}.attention.output.LayerNorm"),
        _linear(weights, f"{name}.intermediate.dense"),
        _linear(weights, f"{name}.output.dense"),
        norm_of(weights, f"{name}.output.LayerNorm"),
    )


def _linear(weights: Weights, *names: str, first: np.float32 = _ONE) -> _Linear:
    """Return maps of the same input as one; the first of them is multiplied by `first`."""
    scales = [first, *[_ONE] * (len(names) - 1)]
    matrix, bias = (
        np.concatenate([weights.tensor(f"{name}.{part}") * scale for name, scale in zip(names, scales, strict=True)])
        for part in ("weight", "bias")
    )
    return _Linear(Product(matrix.T), bias)


def norm_of(weights: Weights, name: str) -> Norm:
    """Return the layer normalisation of a name."""
    return Norm(np.array(weights.tensor(f"{name}.weight")), np.array(weights.tensor(f"{name}.bias")))
