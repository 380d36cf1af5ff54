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

from vericap.kernels.recurrence import (
    blocks,
    gate_inputs,
    is_fused,
    product,
    run_directions,
    tanh_in_place,
    update_cells,
    write_outputs,
)

Array: TypeAlias = NDArray[np.float32]
Whole: TypeAlias = NDArray[Any]  # whole numbers, float32 or int16, whichever the machine multiplies
Numbers: TypeAlias = NDArray[np.int32]

_EXACT = 2**24  # integers up to here, and their sums, are exact in float32
_SHORT = 2**15 - 1
FUSED = is_fused()


class ExactLinear:
    """A linear map with 8-bit weights: y = W x + b, its product computed in exact integers: of 16 bits if the
    machine multiplies pairs of them, else in float32."""

    def __init__(self, arrays: dict[str, Any], name: str) -> None:
        weights = arrays[f"{name}.weight"]
        self.weights: Array = np.ascontiguousarray(weights.T.astype(np.float32))  # [in, out]
        largest = int(np.abs(weights.astype(np.int64)).sum(axis=1).max())
        self.limit = np.float32((_EXACT - 1) // largest)  # of an input's integer
        self.step = np.float32(self.limit / arrays[f"{name}.reach"])  # integers for an input of 1
        self.scale: Array = arrays[f"{name}.scale"].astype(np.float32) / self.step
        self.bias: Array | None = arrays.get(f"{name}.bias")
        self.fused = bool(FUSED and self.limit <= _SHORT and len(self.weights) % 2 == 0)  # inputs have 16 bits

    def __call__(self, x: Array) -> Array:
        return self.of_whole(self.whole(x))

    def of_whole(self, x: Whole) -> Array:
        """Return the map of inputs that are integers already."""
        if x.dtype == np.int16:
            packed, bias = self._packed
            return product(x, packed, self.scale, bias)
        y: Array = x @ self.weights
        y *= self.scale
        if self.bias is not None:
            y += self.bias
        return y

    def whole(self, x: Array) -> Whole:
        """Return inputs as integers."""
        rounded: Array = x * self.step
        np.rint(rounded, out=rounded)
        np.clip(rounded, -self.limit, self.limit, out=rounded)
        return rounded.astype(np.int16) if self.fused else rounded

    @cached_property
    def _packed(self) -> tuple[NDArray[np.int16], Array]:
        """The weights, with columns filled up to whole blocks, and the bias."""
        width, columns = self.weights.shape
        filled = np.zeros((width, -(-columns // 64) * 64), np.float32)
        filled[:, :columns] = self.weights
        bias = np.zeros(columns, np.float32) if self.bias is None else self.bias
        # A block of an LSTM has 16 units of four gates; here it has four times 16 columns.
        in_blocks = filled.reshape(width, -1, 4, 16).transpose(0, 2, 1, 3).reshape(width, 4, -1)
        return blocks(in_blocks), bias


class ExactLSTM:
    """Both directions of an LSTM layer. The gates' order is input, forget, output, cell; the first three have half
    their weights, so that σ(x) = (1 + tanh(x / 2)) / 2 needs only the tanh of all four."""

    def __init__(self, arrays: dict[str, Any], name: str, project: ExactLinear, following: ExactLinear) -> None:
        """`project` is the map from the layer's input to the gates, `following` the map after the layer."""
        ways = [ExactLinear(arrays, f"{name}.{way}") for way in ("forward", "backward")]
        self.weights = np.stack([way.weights for way in ways])
        self.limit = min(way.limit for way in ways)
        self.scale: Array = (np.stack([way.scale * way.step for way in ways]) / self.limit).astype(np.float32)
        self.project, self.following = project, following
        # Scales and biases of the inputs of the gates, of either direction.
        self._input_scale = project.scale.reshape(2, -1)
        zeros = np.zeros_like(self._input_scale)
        self._bias = zeros if project.bias is None else project.bias.reshape(2, -1)
        self._packed: tuple[list[NDArray[np.int16]], list[NDArray[np.int16]], Array] | None = None
        # In one piece: with integers of 16 bits, and units in groups of 16.
        size = self.weights.shape[1]
        if project.fused and following.fused and self.limit <= _SHORT and size % 16 == 0:
            inputs = project.weights.reshape(-1, 2, 4, size)
            self._packed = (
                [blocks(np.ascontiguousarray(inputs[:, way])) for way in range(2)],
                [blocks(way.reshape(size, 4, size)) for way in self.weights],
                np.stack([self._input_scale, self._bias, self.scale], axis=1),
            )

    def __call__(self, x: Whole, starts: Numbers, lengths: Numbers) -> Whole:
        """Return the integers [words, 2 × size] that are the input of the matrix after the layer, from the integers
        [words, in] that are the input of the matrix to the gates [2 × 4 × size]. Sentence s, the longest first, is
        `lengths[s]` rows from `starts[s]` on."""
        if self._packed is not None:
            ranges = np.array([self.limit, self.following.step, self.following.limit], np.float32)
            return run_directions(x, *self._packed, starts, lengths, ranges)
        found = self._by_steps(x.astype(np.float32, copy=False), starts, lengths)
        return found.astype(np.int16) if self.following.fused else found

    def _by_steps(self, x: Array, starts: Numbers, lengths: Numbers) -> Array:
        """Run the layer word by word, all sentences at once."""
        batch, size = len(lengths), self.weights.shape[1]
        inputs = (x @ self.project.weights).reshape(-1, 2, 4 * size)
        outputs = np.empty((len(x), 2, size), np.float32)
        products = np.zeros((2, batch, 4 * size), np.float32)
        gates = products.reshape(2, batch, 4, size)
        cell = np.zeros((2, batch, size), np.float32)
        hidden = np.zeros((2, batch, size), np.float32)
        limit, output_range = float(self.limit), (float(self.following.step), float(self.following.limit))
        for step in range(int(lengths.max(initial=0))):
            rows = np.stack([starts + step, starts + lengths - 1 - step]).astype(np.int32)
            active = int(np.count_nonzero(lengths > step))
            if step:
                np.matmul(hidden[:, :active], self.weights, out=products[:, :active])
            gate_inputs(rows, active, inputs, self._input_scale, self._bias, products, self.scale)
            tanh_in_place(products, active)
            update_cells(active, gates, cell)
            hidden[:] = cell
            tanh_in_place(hidden, active)
            write_outputs(rows, active, gates, hidden, limit, outputs, *output_range)
        return outputs.reshape(-1, 2 * size)


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
