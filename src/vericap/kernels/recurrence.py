"""What both directions of an LSTM do to each number between matrix products and tanh: one pass over memory where NumPy
takes ten.

Compiled, the loops go over sentences and units one by one; in Python each loop has a single turn, whose index stands
for all of them, so that the same line is one of NumPy. Operations are those of IEEE 754 in float32, one by one: both
give the same bits.

Step t of the second direction is at word `length - 1 - t`.
"""

from __future__ import annotations

import cython
import numpy as np
from numpy.typing import NDArray

# Gates, in their order.
INPUT = cython.declare(cython.Py_ssize_t, 0)
FORGET = cython.declare(cython.Py_ssize_t, 1)
OUTPUT = cython.declare(cython.Py_ssize_t, 2)
CELL = cython.declare(cython.Py_ssize_t, 3)

HALF = cython.declare(cython.float, 0.5)
# Added and taken away again, it rounds numbers under 2²² to whole ones, half to even, as `rint` does.
ROUND = cython.declare(cython.float, 12582912.0)

EVERY = (slice(None),)

Array = NDArray[np.float32]


def gate_inputs(
    step: int, inputs: Array, input_scale: Array, bias: Array, recurrent: Array, recurrent_scale: Array
) -> None:
    """What goes into the gates' tanh at a step: recurrent ← recurrent · scale + (input · scale + bias).

    `inputs` [word, sentence, 2, gates × size] and `recurrent` [2, sentence, gates × size] are products of whole
    numbers; scales and bias are [2, gates × size].
    """
    given: cython.float[:, :, :, ::1] = inputs
    weight: cython.float[:, ::1] = input_scale
    constant: cython.float[:, ::1] = bias
    into: cython.float[:, :, ::1] = recurrent
    own: cython.float[:, ::1] = recurrent_scale
    at: cython.Py_ssize_t = step
    length: cython.Py_ssize_t = given.shape[0]
    way: cython.Py_ssize_t
    b: cython.Py_ssize_t
    j: cython.Py_ssize_t
    word: cython.Py_ssize_t
    with cython.nogil:
        for way in range(2):
            word = at if way == 0 else length - 1 - at
            for b in range(into.shape[1]) if cython.compiled else EVERY:
                for j in range(into.shape[2]) if cython.compiled else EVERY:
                    into[way, b, j] = into[way, b, j] * own[way, j] + (
                        given[word, b, way, j] * weight[way, j] + constant[way, j]
                    )


def update_cells(gates: Array, cells: Array) -> None:
    """cell ← σ(f) · cell + σ(i) · tanh(c), where `gates` [2, sentence, gate, size] hold tanh(i / 2), tanh(f / 2),
    tanh(o / 2), tanh(c), and `cells` are [2, sentence, size]."""
    gate: cython.float[:, :, :, ::1] = gates
    cell: cython.float[:, :, ::1] = cells
    way: cython.Py_ssize_t
    b: cython.Py_ssize_t
    j: cython.Py_ssize_t
    with cython.nogil:
        for way in range(2):
            for b in range(cell.shape[1]) if cython.compiled else EVERY:
                for j in range(cell.shape[2]) if cython.compiled else EVERY:
                    cell[way, b, j] = cell[way, b, j] * (gate[way, b, FORGET, j] * HALF + HALF) + (
                        gate[way, b, INPUT, j] * HALF + HALF
                    ) * gate[way, b, CELL, j]


def write_outputs(
    step: int, gates: Array, hidden: Array, limit: float, outputs: Array, output_step: float, output_limit: float
) -> None:
    """h = σ(o) · tanh(cell), where `hidden` [2, sentence, size] comes as tanh(cell), in whole numbers: h · limit back
    into `hidden`, for the next step, and h · output_step, not beyond ± output_limit, into `outputs`
    [word, sentence, 2, size], for the next layer."""
    gate: cython.float[:, :, :, ::1] = gates
    state: cython.float[:, :, ::1] = hidden
    out: cython.float[:, :, :, ::1] = outputs
    scale: cython.float = limit
    out_scale: cython.float = output_step
    most: cython.float = output_limit
    at: cython.Py_ssize_t = step
    length: cython.Py_ssize_t = out.shape[0]
    way: cython.Py_ssize_t
    b: cython.Py_ssize_t
    j: cython.Py_ssize_t
    word: cython.Py_ssize_t
    h: cython.float
    x: cython.float
    with cython.nogil:
        for way in range(2):
            word = at if way == 0 else length - 1 - at
            for b in range(state.shape[1]) if cython.compiled else EVERY:
                for j in range(state.shape[2]) if cython.compiled else EVERY:
                    h = state[way, b, j] * (gate[way, b, OUTPUT, j] * HALF + HALF)
                    x = (h * out_scale + ROUND) - ROUND
                    # x, or ± most beyond it: sums of whole numbers are exact.
                    out[word, b, way, j] = (abs(x + most) - abs(x - most)) * HALF
                    state[way, b, j] = (h * scale + ROUND) - ROUND
