"""An LSTM over sentences of any lengths, in whole numbers: a layer in one piece where the processor multiplies pairs of
16-bit integers (`fused.h`), and elsewhere what both directions do to each number between NumPy's matrix products.

Operations are those of IEEE 754 in float32, one by one: all ways give the same bits.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels import chosen_way

if cython.compiled:
    from cython.cimports.vericap.kernels.fused import fused_direction, fused_here, fused_memory, fused_product

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


def ways() -> int:
    """Return what runs `product` and `run_directions` here: 2 for AVX-512 VNNI, 1 for AVX2 or NEON, 0 for nothing. A
    machine of 2 runs 1 as well, and `VERICAP_KERNELS` may ask for less than there is."""
    return chosen_way(int(fused_here())) if cython.compiled else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _tanh(x: cython.float) -> cython.float:
    if cython.compiled:
        x = -BOUND if x < -BOUND else x
        x = BOUND if x > BOUND else x
    else:
        x = np.clip(x, -BOUND, BOUND)
    y: cython.float = x * x
    return (x * (((P3 * y + P2) * y + P1) * y + P0)) / ((((Q4 * y + Q3) * y + Q2) * y + Q1) * y + ONE)


def tanh(values: Array) -> Array:
    """Return tanh of a row as the layers compute it.

    >>> tanh(np.array([0.5, -9], np.float32)).round(4).tolist()
    [0.46209999918937683, -1.0]
    """
    given: cython.const[cython.float][::1] = values
    found = np.empty_like(values)
    out: cython.float[::1] = found
    j: cython.Py_ssize_t
    for j in range(given.shape[0]) if cython.compiled else EVERY:
        out[j] = _tanh(given[j])
    return found


def step_gates(
    rows: NDArray[np.int32],
    active: int,
    inputs: Array,
    products: Array,
    scales: Array,
    ranges: Array,
    cells: Array,
    hidden: Array,
    outputs: Array,
) -> None:
    """Compute one step of both directions of a layer, between matrix products.

    `rows[d, s]` is the word that direction d of sentence s is at, as a row of a batch; sentences come longest first,
    and the first `active` of them have a word at this step. `inputs` [word, 2, gate, size] and `products` [2, sentence,
    gate, size] are what inputs and recurrence give the gates, in whole numbers; for `scales` [2, 3, gate, size] and
    `ranges` see `run_directions`. `cells` [2, sentence, size] go on; the output goes in whole numbers into `hidden`
    [2, sentence, size], for the next step, and into `outputs` [word, 2, size], for the next layer.

    Compiled, the loops go over sentences and units one by one; in Python each loop has a single turn, whose index is
    used for all of them, so that the same line is one of NumPy.
    """
    at: cython.const[cython.int][:, ::1] = rows
    given: cython.float[:, :, :, ::1] = inputs
    own: cython.float[:, :, :, ::1] = products
    scale: cython.const[cython.float][:, :, :, ::1] = scales
    cell: cython.float[:, :, ::1] = cells
    state: cython.float[:, :, ::1] = hidden
    out: cython.float[:, :, ::1] = outputs
    limit: cython.float = ranges[0]
    step: cython.float = ranges[1]
    most: cython.float = ranges[2]
    sentences: cython.Py_ssize_t = active
    way: cython.Py_ssize_t
    b: cython.Py_ssize_t
    gate: cython.Py_ssize_t
    j: cython.Py_ssize_t
    word: cython.Py_ssize_t
    h: cython.float
    x: cython.float
    with cython.nogil:
        for way in range(2):
            for b in range(sentences) if cython.compiled else (slice(sentences),):
                word = at[way, b]
                for gate in range(4):
                    for j in range(cell.shape[2]) if cython.compiled else EVERY:
                        own[way, b, gate, j] = _tanh(
                            own[way, b, gate, j] * scale[way, 2, gate, j]
                            + (given[word, way, gate, j] * scale[way, 0, gate, j] + scale[way, 1, gate, j])
                        )
                for j in range(cell.shape[2]) if cython.compiled else EVERY:
                    # cell ← σ(f) · cell + σ(i) · tanh(c); the gates are tanh(i / 2), tanh(f / 2), tanh(o / 2), tanh(c).
                    x = (
                        cell[way, b, j] * (own[way, b, FORGET, j] * HALF + HALF)
                        + (own[way, b, INPUT, j] * HALF + HALF) * own[way, b, CELL, j]
                    )
                    cell[way, b, j] = x
                    h = _tanh(x) * (own[way, b, OUTPUT, j] * HALF + HALF)
                    x = (h * step + ROUND) - ROUND
                    # x, or ± most beyond it: sums of whole numbers are exact.
                    out[word, way, j] = (abs(x + most) - abs(x - most)) * HALF
                    state[way, b, j] = (h * limit + ROUND) - ROUND


def packed(weights: Array) -> Whole:
    """Return weights [width, columns] of whole numbers as `fused.h` reads them: [columns / 16, width / 2, 16, 2], with
    columns filled up to a multiple of 64, at the start of a line of memory.

    >>> packed(np.zeros((6, 70), np.float32)).shape
    (8, 3, 16, 2)
    """
    width, columns = weights.shape
    groups = -(-columns // 64) * 4
    filled = np.zeros((width, 16 * groups), np.float32)
    filled[:, :columns] = weights
    memory = np.empty(filled.size + 32, np.int16)
    skip = -memory.ctypes.data // 2 % 32
    found = memory[skip : skip + filled.size].reshape(groups, width // 2, 16, 2)
    found[:] = filled.reshape(width // 2, 2, groups, 16).transpose(2, 0, 3, 1)
    return found


def product(x: Whole, weights: Whole, numbers: Array, columns: int, way: int) -> Array:
    """Return x [rows, width] · weights · scale + bias, where the weights are `packed`; `numbers` are scale and bias,
    [2, columns filled up]."""
    given: cython.const[cython.short][:, ::1] = x
    blocks: cython.const[cython.short][:, :, :, ::1] = weights
    number: cython.const[cython.float][:, ::1] = numbers
    found = np.empty((len(x), columns), np.float32)
    out: cython.float[:, ::1] = found
    instructions: cython.int = way
    if cython.compiled and len(x):
        with cython.nogil:
            fused_product(
                cython.address(given[0, 0]),
                given.shape[0],
                given.shape[1],
                cython.address(blocks[0, 0, 0, 0]),
                cython.address(number[0, 0]),
                cython.address(number[1, 0]),
                out.shape[1],
                instructions,
                cython.address(out[0, 0]),
            )
    return found


def run_directions(
    x: Whole, inputs: Any, recurrent: Any, scales: Array, lengths: NDArray[np.int32], ranges: Array, way: int
) -> Whole:
    """Outputs [words, 2 × size] of both directions of a layer.

    Sentences, the longest first, are `lengths` rows of x [words, width]. `inputs` and `recurrent` are the `packed`
    weights of each direction, whose columns are [size / 16, gate, 16]; `scales` [2, 3, columns] are those of the
    inputs, the biases and those of the recurrence; `ranges` are the integers for an output of 1 in the recurrence and
    in what comes out, and the largest that may come out.
    """
    given: cython.const[cython.short][:, ::1] = x
    scale: cython.const[cython.float][:, :, ::1] = scales
    length: cython.const[cython.int][::1] = lengths
    reach: cython.const[cython.float][::1] = ranges
    size: cython.Py_ssize_t = scale.shape[2] // 4
    found = np.empty((len(x), 2 * size), np.int16)
    out: cython.short[:, ::1] = found
    into: cython.const[cython.short][:, :, :, ::1]
    own: cython.const[cython.short][:, :, :, ::1]
    memory: cython.uchar[::1]
    instructions: cython.int = way
    backward: cython.int
    if cython.compiled and len(x):
        memory = np.empty(fused_memory(size, length[0]), np.uint8)
        for backward in range(2):
            into, own = inputs[backward], recurrent[backward]
            with cython.nogil:
                fused_direction(
                    cython.address(given[0, 0]),
                    given.shape[1],
                    cython.address(into[0, 0, 0, 0]),
                    cython.address(own[0, 0, 0, 0]),
                    cython.address(scale[backward, 0, 0]),
                    size,
                    cython.address(length[0]),
                    length.shape[0],
                    backward,
                    cython.address(reach[0]),
                    instructions,
                    cython.address(out[0, 0]),
                    cython.address(memory[0]),
                )
    return found
