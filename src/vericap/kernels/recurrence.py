# cython: boundscheck=False, wraparound=False, cdivision=True
"""What both directions of an LSTM do to each number between matrix products and tanh: one pass over memory where NumPy
takes ten. Operations are those of IEEE 754 in float32, one by one, so NumPy, which does them without a compiler, gives
the same bits.

Arrays are [direction, sentence, unit]; step t of the second direction is at word `length - 1 - t`. Gates stand in the
order input, forget, output, cell.
"""

from __future__ import annotations

import cython
import numpy as np
from numpy.typing import NDArray

_HALF = cython.declare(cython.float, 0.5)
# Added and taken away again, it rounds numbers under 2²² to whole ones, half to even, as `rint` does.
_ROUND = cython.declare(cython.float, 12582912.0)

Array = NDArray[np.float32]


def gate_inputs(
    step: int, inputs: Array, input_scale: Array, bias: Array, recurrent: Array, recurrent_scale: Array
) -> None:
    """What goes into the gates' tanh at a step: recurrent ← recurrent · scale + (input · scale + bias).

    `inputs` [word, sentence, 2 × 4 × size] and `recurrent` [2, sentence, 4 × size] are products of whole numbers;
    scales and bias are [2, 4 × size].
    """
    length: cython.Py_ssize_t = inputs.shape[0]
    if not cython.compiled:
        recurrent *= recurrent_scale[:, None]
        half = input_scale.shape[1]
        recurrent[0] += inputs[step, :, :half] * input_scale[0] + bias[0]
        recurrent[1] += inputs[length - 1 - step, :, half:] * input_scale[1] + bias[1]
        return
    given: cython.float[:, :, ::1] = inputs
    weight: cython.float[:, ::1] = input_scale
    constant: cython.float[:, ::1] = bias
    into: cython.float[:, :, ::1] = recurrent
    own: cython.float[:, ::1] = recurrent_scale
    at: cython.Py_ssize_t = step
    width: cython.Py_ssize_t = into.shape[2]
    first: cython.Py_ssize_t
    way: cython.Py_ssize_t
    b: cython.Py_ssize_t
    j: cython.Py_ssize_t
    word: cython.Py_ssize_t
    with cython.nogil:
        for way in range(2):
            word = at if way == 0 else length - 1 - at
            first = way * width
            for b in range(into.shape[1]):
                for j in range(width):
                    into[way, b, j] = into[way, b, j] * own[way, j] + (
                        given[word, b, first + j] * weight[way, j] + constant[way, j]
                    )


def turn_cells(gates: Array, cells: Array) -> None:
    """cell ← σ(f) · cell + σ(i) · tanh(c), where `gates` hold tanh(i / 2), tanh(f / 2), tanh(o / 2), tanh(c)."""
    size: cython.Py_ssize_t = cells.shape[2]
    if not cython.compiled:
        opened = gates[:, :, : 2 * size] * np.float32(0.5) + np.float32(0.5)
        cells *= opened[:, :, size:]
        cells += opened[:, :, :size] * gates[:, :, 3 * size :]
        return
    gate: cython.float[:, :, ::1] = gates
    cell: cython.float[:, :, ::1] = cells
    way: cython.Py_ssize_t
    b: cython.Py_ssize_t
    j: cython.Py_ssize_t
    with cython.nogil:
        for way in range(2):
            for b in range(cell.shape[1]):
                for j in range(size):
                    cell[way, b, j] = cell[way, b, j] * (gate[way, b, size + j] * _HALF + _HALF) + (
                        gate[way, b, j] * _HALF + _HALF
                    ) * gate[way, b, 3 * size + j]


def let_out(
    step: int, gates: Array, hidden: Array, limit: float, outputs: Array, output_step: float, output_limit: float
) -> None:
    """h = σ(o) · tanh(cell), given as `hidden`, as whole numbers: h · limit back into `hidden`, for the next step, and
    h · output_step, not beyond ± output_limit, into `outputs` [word, sentence, 2 × size], for the next layer."""
    length: cython.Py_ssize_t = outputs.shape[0]
    size: cython.Py_ssize_t = hidden.shape[2]
    if not cython.compiled:
        hidden *= gates[:, :, 2 * size : 3 * size] * np.float32(0.5) + np.float32(0.5)
        whole = np.clip(np.rint(hidden * np.float32(output_step)), -output_limit, output_limit)
        outputs[step, :, :size] = whole[0]
        outputs[length - 1 - step, :, size:] = whole[1]
        np.rint(np.multiply(hidden, np.float32(limit), out=hidden), out=hidden)
        return
    gate: cython.float[:, :, ::1] = gates
    state: cython.float[:, :, ::1] = hidden
    out: cython.float[:, :, ::1] = outputs
    scale: cython.float = limit
    out_scale: cython.float = output_step
    most: cython.float = output_limit
    least: cython.float = -output_limit
    h: cython.float
    x: cython.float
    at: cython.Py_ssize_t = step
    way: cython.Py_ssize_t
    b: cython.Py_ssize_t
    j: cython.Py_ssize_t
    word: cython.Py_ssize_t
    with cython.nogil:
        for way in range(2):
            word = at if way == 0 else length - 1 - at
            for b in range(state.shape[1]):
                for j in range(size):
                    h = state[way, b, j] * (gate[way, b, 2 * size + j] * _HALF + _HALF)
                    x = h * out_scale
                    x = least if x < least else x
                    x = most if x > most else x
                    out[word, b, way * size + j] = (x + _ROUND) - _ROUND
                    state[way, b, j] = (h * scale + _ROUND) - _ROUND
