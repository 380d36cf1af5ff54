"""An LSTM over sentences of any lengths, in whole numbers: what both directions do to each number between matrix
products, one pass over memory where NumPy takes ten; and, where the processor multiplies pairs of 16-bit integers, the
whole layer in one piece (`fused.h`).

Compiled, the loops go over sentences and units one by one; in Python each loop has a single turn, whose index is used
for all of them, so that the same line is one of NumPy. Operations are those of IEEE 754 in float32, one by one: all
ways give the same bits.

`rows[d, s]` is the word that direction d of sentence s is at, as a row of a batch; sentences come longest first, and
the first `active` of them have a word at this step.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.encoding import ways

if cython.compiled:
    from cython.cimports.vericap.kernels.fused import fused_direction, fused_memory, fused_product

# Gates, in their order.
INPUT = cython.declare(cython.Py_ssize_t, 0)
FORGET = cython.declare(cython.Py_ssize_t, 1)
OUTPUT = cython.declare(cython.Py_ssize_t, 2)
CELL = cython.declare(cython.Py_ssize_t, 3)

HALF = cython.declare(cython.float, 0.5)
# Added and taken away again, it rounds numbers under 2²² to whole ones, half to even, as `rint` does.
ROUND = cython.declare(cython.float, 12582912.0)

# tanh(x) ≈ x · P(x²) / Q(x²) with Q₀ = 1 for |x| ≤ 8, beyond that as at 8: nearer than 5 · 10⁻⁷ everywhere. A formula,
# not the system's function, so that all machines give the same bits.
BOUND = cython.declare(cython.float, 8.0)
P0 = cython.declare(cython.float, 0.99999934)
P1 = cython.declare(cython.float, 0.12913641)
P2 = cython.declare(cython.float, 0.0029388284)
P3 = cython.declare(cython.float, 1.13102315e-05)
Q1 = cython.declare(cython.float, 0.4624674)
Q2 = cython.declare(cython.float, 0.02376383)
Q3 = cython.declare(cython.float, 0.00023702857)
Q4 = cython.declare(cython.float, 2.4238435e-07)
ONE = cython.declare(cython.float, 1.0)

EVERY = (slice(None),)

Array = NDArray[np.float32]
Whole = NDArray[np.int16]


def gate_inputs(
    rows: NDArray[np.int32],
    active: int,
    inputs: Array,
    input_scale: Array,
    bias: Array,
    recurrent: Array,
    recurrent_scale: Array,
) -> None:
    """Compute the input of the gates' tanh at a step: recurrent ← recurrent · scale + (input · scale + bias).

    `inputs` [word, 2, gates × size] and `recurrent` [2, sentence, gates × size] are products of whole numbers; scales
    and bias are [2, gates × size].
    """
    at: cython.int[:, ::1] = rows
    given: cython.float[:, :, ::1] = inputs
    weight: cython.float[:, ::1] = input_scale
    constant: cython.float[:, ::1] = bias
    into: cython.float[:, :, ::1] = recurrent
    own: cython.float[:, ::1] = recurrent_scale
    sentences: cython.Py_ssize_t = active
    way: cython.Py_ssize_t
    b: cython.Py_ssize_t
    j: cython.Py_ssize_t
    word: cython.Py_ssize_t
    with cython.nogil:
        for way in range(2):
            for b in range(sentences) if cython.compiled else (slice(sentences),):
                word = at[way, b]
                for j in range(into.shape[2]) if cython.compiled else EVERY:
                    into[way, b, j] = into[way, b, j] * own[way, j] + (
                        given[word, way, j] * weight[way, j] + constant[way, j]
                    )


def tanh_in_place(values: Array, active: int) -> None:
    """tanh of `values` [2, sentence, size].

    >>> values = np.float32([[[0.5, -20]]])
    >>> tanh_in_place(values, 1)
    >>> values.round(4).tolist()
    [[[0.46209999918937683, -1.0]]]
    """
    value: cython.float[:, :, ::1] = values
    sentences: cython.Py_ssize_t = active
    way: cython.Py_ssize_t
    b: cython.Py_ssize_t
    j: cython.Py_ssize_t
    x: cython.float
    y: cython.float
    if not cython.compiled:
        np.clip(values, -BOUND, BOUND, out=values)
    with cython.nogil:
        for way in range(value.shape[0]):
            for b in range(sentences) if cython.compiled else (slice(sentences),):
                for j in range(value.shape[2]) if cython.compiled else EVERY:
                    x = value[way, b, j]
                    if cython.compiled:
                        x = -BOUND if x < -BOUND else x
                        x = BOUND if x > BOUND else x
                    y = x * x
                    value[way, b, j] = (x * (((P3 * y + P2) * y + P1) * y + P0)) / (
                        (((Q4 * y + Q3) * y + Q2) * y + Q1) * y + ONE
                    )


def update_cells(active: int, gates: Array, cells: Array) -> None:
    """cell ← σ(f) · cell + σ(i) · tanh(c), where `gates` [2, sentence, gate, size] hold tanh(i / 2), tanh(f / 2),
    tanh(o / 2), tanh(c), and `cells` are [2, sentence, size]."""
    gate: cython.float[:, :, :, ::1] = gates
    cell: cython.float[:, :, ::1] = cells
    sentences: cython.Py_ssize_t = active
    way: cython.Py_ssize_t
    b: cython.Py_ssize_t
    j: cython.Py_ssize_t
    with cython.nogil:
        for way in range(2):
            for b in range(sentences) if cython.compiled else (slice(sentences),):
                for j in range(cell.shape[2]) if cython.compiled else EVERY:
                    cell[way, b, j] = (
                        cell[way, b, j] * (gate[way, b, FORGET, j] * HALF + HALF)
                        + (gate[way, b, INPUT, j] * HALF + HALF) * gate[way, b, CELL, j]
                    )


def write_outputs(
    rows: NDArray[np.int32],
    active: int,
    gates: Array,
    hidden: Array,
    limit: float,
    outputs: Array,
    output_step: float,
    output_limit: float,
) -> None:
    """h = σ(o) · tanh(cell), where `hidden` [2, sentence, size] comes as tanh(cell), in whole numbers: h · limit back
    into `hidden`, for the next step, and h · output_step, not beyond ± output_limit, into `outputs` [word, 2, size],
    for the next layer."""
    at: cython.int[:, ::1] = rows
    gate: cython.float[:, :, :, ::1] = gates
    state: cython.float[:, :, ::1] = hidden
    out: cython.float[:, :, ::1] = outputs
    scale: cython.float = limit
    out_scale: cython.float = output_step
    most: cython.float = output_limit
    sentences: cython.Py_ssize_t = active
    way: cython.Py_ssize_t
    b: cython.Py_ssize_t
    j: cython.Py_ssize_t
    word: cython.Py_ssize_t
    h: cython.float
    x: cython.float
    with cython.nogil:
        for way in range(2):
            for b in range(sentences) if cython.compiled else (slice(sentences),):
                word = at[way, b]
                for j in range(state.shape[2]) if cython.compiled else EVERY:
                    h = state[way, b, j] * (gate[way, b, OUTPUT, j] * HALF + HALF)
                    x = (h * out_scale + ROUND) - ROUND
                    # x, or ± most beyond it: sums of whole numbers are exact.
                    out[word, way, j] = (abs(x + most) - abs(x - most)) * HALF
                    state[way, b, j] = (h * scale + ROUND) - ROUND


def is_fused() -> bool:
    """Return whether `product` and `run_directions` run here, with AVX-512 VNNI."""
    return bool(cython.compiled and ways() == 2)


def blocks(weights: Array) -> Whole:
    """Weights [width, 4, size] of whole numbers as `fused.h` reads them: [size / 16, width / 2, 4, 16, 2], at the
    start of a line of memory.

    >>> blocks(np.zeros((6, 4, 32), np.float32)).shape
    (2, 3, 4, 16, 2)
    """
    width, _, size = weights.shape
    shape = (size // 16, width // 2, 4, 16, 2)
    memory = np.empty(weights.size + 32, np.int16)
    skip = -memory.ctypes.data // 2 % 32
    packed = memory[skip : skip + weights.size].reshape(shape)
    packed[:] = weights.reshape(width // 2, 2, 4, size // 16, 16).transpose(3, 0, 2, 4, 1)
    return packed


def product(x: Whole, weights: Whole, scale: Array, bias: Array) -> Array:
    """x [rows, width] · weights · scale + bias, where the weights are `blocks`, 64 columns in each."""
    given: cython.const[cython.short][:, ::1] = x
    packed: cython.const[cython.short][:, :, :, :, ::1] = weights
    scales: cython.const[cython.float][::1] = scale
    constant: cython.const[cython.float][::1] = bias
    found = np.empty((len(x), len(scale)), np.float32)
    out: cython.float[:, ::1] = found
    if cython.compiled and len(x):
        with cython.nogil:
            fused_product(
                cython.address(given[0, 0]),
                given.shape[0],
                given.shape[1],
                cython.address(packed[0, 0, 0, 0, 0]),
                cython.address(scales[0]),
                cython.address(constant[0]),
                scales.shape[0],
                cython.address(out[0, 0]),
            )
    return found


def run_directions(
    x: Whole,
    inputs: Any,
    recurrent: Any,
    scales: Array,
    starts: NDArray[np.int32],
    lengths: NDArray[np.int32],
    ranges: Array,
) -> Whole:
    """Outputs [words, 2 × size] of both directions of a layer.

    Sentence s, the longest first, is `lengths[s]` rows of x [words, width] from `starts[s]` on. `inputs` and
    `recurrent` are the weights of each direction as `blocks`; `scales` [2, 3, gates × size] are those of the inputs,
    the biases and those of the recurrence; `ranges` are the integers for an output of 1 in the recurrence and in what
    comes out, and the largest that may come out.
    """
    given: cython.const[cython.short][:, ::1] = x
    scale: cython.const[cython.float][:, :, ::1] = scales
    first: cython.const[cython.int][::1] = starts
    length: cython.const[cython.int][::1] = lengths
    reach: cython.const[cython.float][::1] = ranges
    size: cython.Py_ssize_t = scale.shape[2] // 4
    found = np.empty((len(x), 2 * size), np.int16)
    out: cython.short[:, ::1] = found
    into: cython.const[cython.short][:, :, :, :, ::1]
    own: cython.const[cython.short][:, :, :, :, ::1]
    memory: cython.uchar[::1]
    way: cython.int
    if cython.compiled and len(x):
        memory = np.empty(fused_memory(size), np.uint8)
        for way in range(2):
            into, own = inputs[way], recurrent[way]
            with cython.nogil:
                fused_direction(
                    cython.address(given[0, 0]),
                    given.shape[1],
                    cython.address(into[0, 0, 0, 0, 0]),
                    cython.address(own[0, 0, 0, 0, 0]),
                    cython.address(scale[way, 0, 0]),
                    size,
                    cython.address(first[0]),
                    cython.address(length[0]),
                    length.shape[0],
                    way,
                    cython.address(reach[0]),
                    cython.address(out[0, 0]),
                    cython.address(memory[0]),
                )
    return found
