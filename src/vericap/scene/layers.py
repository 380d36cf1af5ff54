"""Layers of the caption parser's network, run in NumPy so that results are exact.

Weights are 8-bit integers and every input of a matrix product is rounded to integers small enough that the product is
exact in floating point: what comes out for a sentence does not depend on the batch it is in or the number of threads.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.kernels.recurrence import gate_inputs, update_cells, write_outputs

Array: TypeAlias = NDArray[np.float32]

_EXACT = 2**24  # integers up to here, and their sums, are exact in float32


class ExactLinear:
    """A linear map with 8-bit weights: y = W x + b, its product computed in exact integers."""

    def __init__(self, arrays: dict[str, Any], name: str) -> None:
        weights = arrays[f"{name}.weight"]
        self.weights: Array = np.ascontiguousarray(weights.T.astype(np.float32))  # [in, out]
        largest = int(np.abs(weights.astype(np.int64)).sum(axis=1).max())
        self.limit = np.float32((_EXACT - 1) // largest)  # of an input's integer
        self.step = np.float32(self.limit / arrays[f"{name}.reach"])  # integers for an input of 1
        self.scale: Array = arrays[f"{name}.scale"].astype(np.float32) / self.step
        self.bias: Array | None = arrays.get(f"{name}.bias")

    def __call__(self, x: Array) -> Array:
        return self.of_whole(self.whole(x))

    def of_whole(self, x: Array) -> Array:
        """The map of inputs that are integers already."""
        y: Array = x @ self.weights
        y *= self.scale
        if self.bias is not None:
            y += self.bias
        return y

    def whole(self, x: Array) -> Array:
        """Inputs as integers."""
        rounded: Array = np.rint(x * self.step)
        return np.clip(rounded, -self.limit, self.limit, out=rounded)


class ExactLSTM:
    """Both directions of an LSTM layer. The gates' order is input, forget, output, cell; the first three come with
    half their weights, so that σ(x) = (1 + tanh(x / 2)) / 2 needs no more than the tanh of all four."""

    def __init__(self, arrays: dict[str, Any], name: str) -> None:
        ways = [ExactLinear(arrays, f"{name}.{way}") for way in ("forward", "backward")]
        self.weights = np.stack([way.weights for way in ways])
        self.limit = min(way.limit for way in ways)
        self.scale: Array = (np.stack([way.scale * way.step for way in ways]) / self.limit).astype(np.float32)

    def __call__(self, x: Array, project: ExactLinear, following: ExactLinear) -> Array:
        """From integers [time, batch, in], the input of the matrix that projects them to gates [2 × 4 × size], to the
        integers [time, batch, 2 × size] that are the input of the matrix after the layer."""
        length, batch, width = x.shape
        size = self.weights.shape[1]
        inputs = (x.reshape(length * batch, width) @ project.weights).reshape(length, batch, 2, 4 * size)
        scale = project.scale.reshape(2, -1)
        bias = np.zeros_like(scale) if project.bias is None else project.bias.reshape(2, -1)
        outputs = np.empty((length, batch, 2, size), np.float32)
        products = np.zeros((2, batch, 4 * size), np.float32)
        gates = products.reshape(2, batch, 4, size)
        cell = np.zeros((2, batch, size), np.float32)
        hidden = np.empty((2, batch, size), np.float32)
        limit, output_range = float(self.limit), (float(following.step), float(following.limit))
        for step in range(length):
            if step:
                np.matmul(hidden, self.weights, out=products)
            gate_inputs(step, inputs, scale, bias, products, self.scale)
            np.tanh(products, out=products)
            update_cells(gates, cell)
            np.tanh(cell, out=hidden)
            write_outputs(step, gates, hidden, limit, outputs, *output_range)
        return outputs.reshape(length, batch, 2 * size)


def normalise(x: Array, gain: Array) -> Array:
    """Root mean square normalisation of rows."""
    x = np.ascontiguousarray(x)
    scale = 1 / np.sqrt(np.square(x).mean(axis=1, keepdims=True) + np.float32(1e-6))
    normalised: Array = x * scale * gain
    return normalised


def log_softmax(x: NDArray[Any]) -> NDArray[np.float64]:
    """Log-probabilities along the last axis.

    >>> np.exp(log_softmax(np.array([[1.0, 1.0]])))
    array([[0.5, 0.5]])
    """
    y: NDArray[np.float64] = x.astype(np.float64)
    y -= y.max(axis=-1, keepdims=True)
    y -= np.log(np.exp(y).sum(axis=-1, keepdims=True))
    return y
