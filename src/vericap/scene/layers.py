"""Layers of the caption parser's network, run in NumPy so that results are exact.

Weights are 8-bit integers and every input of a matrix product is rounded to integers small enough that the product is
exact, in floating point as in integers: the output for a sentence does not depend on its batch, on the number of
threads or on which of the two multiplies.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.kernels.recurrence import packed, product, run_directions, step_gates, ways

Array: TypeAlias = NDArray[np.float32]
Whole: TypeAlias = NDArray[np.int16]
Numbers: TypeAlias = NDArray[np.int32]

_EXACT = 2**24  # integers up to here, and their sums, are exact in float32
_SHORT = 2**15 - 1
WAY = ways()  # 0: NumPy multiplies


class ExactLinear:
    """A linear map with 8-bit weights: y = W x + b, its product computed in exact integers."""

    def __init__(self, arrays: dict[str, Any], name: str) -> None:
        weights = arrays[f"{name}.weight"]
        self.weights: Array = np.ascontiguousarray(weights.T.astype(np.float32))  # [in, out]
        largest = int(np.abs(weights.astype(np.int64)).sum(axis=1).max())
        self.limit = np.float32(min((_EXACT - 1) // largest, _SHORT))  # of an input's integer
        self.step = np.float32(self.limit / arrays[f"{name}.reach"])  # integers for an input of 1
        self.scale: Array = arrays[f"{name}.scale"].astype(np.float32) / self.step
        self.bias: Array = arrays.get(f"{name}.bias", np.zeros_like(self.scale))
        self.way = WAY if len(self.weights) % 2 == 0 else 0

    def __call__(self, x: Array) -> Array:
        return self.of_whole(self.whole(x))

    def of_whole(self, x: Whole) -> Array:
        """Return the map of inputs that are integers already."""
        if self.way:
            return product(x, *self._packed, len(self.scale), self.way)
        y: Array = x.astype(np.float32) @ self.weights
        y *= self.scale
        y += self.bias
        return y

    def whole(self, x: Array) -> Whole:
        """Return inputs as integers."""
        rounded: Array = x * self.step
        np.rint(rounded, out=rounded)
        np.clip(rounded, -self.limit, self.limit, out=rounded)
        return rounded.astype(np.int16)

    @cached_property
    def _packed(self) -> tuple[Whole, Array]:
        """The weights, and scale and bias, with columns filled up."""
        weights = packed(self.weights)
        numbers = np.zeros((2, 16 * len(weights)), np.float32)
        numbers[:, : len(self.scale)] = self.scale, self.bias
        return weights, numbers


class ExactLSTM:
    """Both directions of an LSTM layer. The gates' order is input, forget, output, cell; the first three have half
    their weights, so that σ(x) = (1 + tanh(x / 2)) / 2 needs only the tanh of all four."""

    def __init__(self, arrays: dict[str, Any], name: str, project: ExactLinear, following: ExactLinear) -> None:
        """`project` is the map from the layer's input to the gates, `following` the map after the layer."""
        directions = [ExactLinear(arrays, f"{name}.{way}") for way in ("forward", "backward")]
        self.weights = np.stack([each.weights for each in directions])
        self.project = project
        limit = min(each.limit for each in directions)
        scale: Array = (np.stack([each.scale * each.step for each in directions]) / limit).astype(np.float32)
        # Of either direction the scales and biases of its inputs, and the scales of the recurrence.
        self.scales = np.stack([project.scale.reshape(2, -1), project.bias.reshape(2, -1), scale], axis=1)
        self.ranges = np.array([limit, following.step, following.limit], np.float32)
        self.way = project.way if self.weights.shape[1] % 16 == 0 else 0
        if self.way:
            inputs = project.weights.reshape(len(project.weights), 2, -1).swapaxes(0, 1)
            own, given = ([packed(_in_groups(each)) for each in both] for both in (self.weights, inputs))
            self._packed = given, own, _in_groups(self.scales)

    def __call__(self, x: Whole, starts: Numbers, lengths: Numbers) -> Whole:
        """Return the integers [words, 2 × size] that are the input of the matrix after the layer, from the integers
        [words, in] that are the input of the matrix to the gates [2 × 4 × size]. Sentence s, the longest first, is
        `lengths[s]` rows from `starts[s]` on, where the one before it ends."""
        if self.way:
            return run_directions(x, *self._packed, lengths, self.ranges, self.way)
        # Word by word, all sentences at once.
        batch, size = len(lengths), self.weights.shape[1]
        inputs = (x.astype(np.float32) @ self.project.weights).reshape(-1, 2, 4, size)
        outputs = np.empty((len(x), 2, size), np.float32)
        products = np.zeros((2, batch, 4 * size), np.float32)
        cells, hidden = np.zeros((2, batch, size), np.float32), np.zeros((2, batch, size), np.float32)
        scales, gates = self.scales.reshape(2, 3, 4, size), products.reshape(2, batch, 4, size)
        for step in range(int(lengths.max(initial=0))):
            rows = np.stack([starts + step, starts + lengths - 1 - step]).astype(np.int32)
            active = int(np.count_nonzero(lengths > step))
            if step:
                np.matmul(hidden[:, :active], self.weights, out=products[:, :active])
            step_gates(rows, active, inputs, gates, scales, self.ranges, cells, hidden, outputs)
        return outputs.reshape(-1, 2 * size).astype(np.int16)


def _in_groups(columns: Array) -> Array:
    """Return the last axis [4 × size] in the order that `run_directions` reads: 16 units of each gate in turn."""
    return columns.reshape(*columns.shape[:-1], 4, -1, 16).swapaxes(-3, -2).reshape(columns.shape)


def normalise(x: Array, gain: Array) -> Array:
    """Return rows divided by their root mean square."""
    x = np.ascontiguousarray(x)
    scale = 1 / np.sqrt(np.square(x).mean(axis=1, keepdims=True) + np.float32(1e-6))
    normalised: Array = x * scale * gain
    return normalised


def log_softmax(x: NDArray[Any]) -> NDArray[np.float64]:
    """Return log-probabilities along the last axis.

    >>> np.exp(log_softmax(np.array([[1.0, 1.0]])))
    array([[0.5, 0.5]])
    """
    y: NDArray[np.float64] = x.astype(np.float64)
    y -= y.max(axis=-1, keepdims=True)
    y -= np.log(np.exp(y).sum(axis=-1, keepdims=True))
    return y
