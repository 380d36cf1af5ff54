"""The layers of a BERT with 8-bit weights in one piece, where the processor multiplies 8-bit or 16-bit integers
(`layers.h`). Elsewhere, and where no compiler was, `vericap.encoders.integers` does the same in NumPy, to the last bit.
And a matrix product in float32 whose rows do not depend on each other (`vericap.encoders.products`).
"""

from __future__ import annotations

from typing import NamedTuple

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels import chosen_way

if cython.compiled:
    from cython.cimports.vericap.kernels.layers import (
        layers_here,
        layers_memory,
        layers_multiply,
        layers_network,
        layers_run,
    )

Array = NDArray[np.float32]
Whole = NDArray[np.int8]

COLUMNS = 64  # of a block of weights
PANEL = 32  # columns of a block of float32 weights
LANES = 16  # numbers that are computed at once


class Packed(NamedTuple):
    """A network as `layers.h` reads it."""

    sizes: NDArray[np.int64]  # of a vector, of the inner layer, of a head; heads; layers
    epsilon: float  # of layer normalisation
    words: Whole  # [pieces, size]
    word_scales: Array  # [pieces]
    positions: Array  # [positions, size]
    first_norm: Array  # [2 × size]: gain and shift
    weights: Whole  # of each layer: heads, output, inner and outer, in blocks
    numbers: Array  # of each layer: scale, sum and bias of the four; gain and shift of two norms


def ways() -> int:
    """Return what runs here: 2 with AVX-512 VNNI, 1 with AVX2, 0 with neither or without compiled kernels. A machine
    of 2 runs 1 as well, and `VERICAP_KERNELS` may ask for less than there is."""
    return chosen_way(int(layers_here())) if cython.compiled else 0


def fits(size: int, inner: int, heads: int) -> bool:
    """Return whether `run_layers` takes a network of these sizes: whole blocks and lanes.

    >>> fits(384, 1536, 12), fits(24, 52, 4)
    (True, False)
    """
    depth = size // heads
    return size % COLUMNS == 0 and inner % COLUMNS == 0 and depth % LANES == 0 and depth <= 128


def blocks(weights: Whole) -> Whole:
    """Weights [columns, width] as `layers.h` reads them: [columns / 64, width / 4, 64, 4], flat.

    >>> blocks(np.arange(128 * 8).astype(np.int8).reshape(128, 8))[:8].tolist()
    [0, 1, 2, 3, 8, 9, 10, 11]
    """
    columns, width = weights.shape
    parts = weights.reshape(columns // COLUMNS, COLUMNS, width // 4, 4).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(parts).reshape(-1)


def in_lines(weights: Whole) -> Whole:
    """Return a copy of weights at the start of a line of memory: a vector never crosses two lines."""
    memory = np.empty(weights.size + COLUMNS, np.int8)
    skip = -memory.ctypes.data % COLUMNS
    found = memory[skip : skip + weights.size]
    found[:] = weights
    return found


def run_layers(packed: Packed, ids: NDArray[np.int32], offsets: NDArray[np.int64], layers: int, way: int) -> Array:
    """Vectors [pieces, size] of the pieces `ids` of texts after this many layers; `offsets` [texts + 1] say where texts
    begin and end, and none is empty."""
    found = np.empty((len(ids), int(packed.sizes[0])), np.float32)
    if not len(ids) or not cython.compiled:
        return found
    sizes: cython.const[cython.longlong][::1] = packed.sizes
    words: cython.const[cython.schar][:, ::1] = packed.words
    word_scales: cython.const[cython.float][::1] = packed.word_scales
    positions: cython.const[cython.float][:, ::1] = packed.positions
    first_norm: cython.const[cython.float][::1] = packed.first_norm
    weights: cython.const[cython.schar][::1] = packed.weights
    numbers: cython.const[cython.float][::1] = packed.numbers
    pieces: cython.const[cython.int][::1] = ids
    places: cython.const[cython.longlong][::1] = offsets
    out: cython.float[:, ::1] = found
    longest: cython.Py_ssize_t = int(np.diff(offsets).max())
    instructions: cython.int = way
    network = cython.declare(layers_network)
    network.size = sizes[0]
    network.inner = sizes[1]
    network.depth = sizes[2]
    network.heads = sizes[3]
    network.layers = layers
    network.epsilon = packed.epsilon
    network.words = cython.address(words[0, 0])
    network.word_scales = cython.address(word_scales[0])
    network.positions = cython.address(positions[0, 0])
    network.first_norm = cython.address(first_norm[0])
    network.weights = cython.address(weights[0])
    network.numbers = cython.address(numbers[0])
    memory: cython.uchar[::1] = np.empty(layers_memory(network.size, network.inner, longest), np.uint8)
    with cython.nogil:
        layers_run(
            cython.address(network),
            cython.address(pieces[0]),
            cython.address(places[0]),
            places.shape[0] - 1,
            longest,
            instructions,
            cython.address(out[0, 0]),
            cython.address(memory[0]),
        )
    return found


def panels(weights: Array) -> Array:
    """Return weights [width, columns] as `multiply` reads them, [columns / 32, width, 32]; zeros fill the last block.

    >>> panels(np.arange(66, dtype=np.float32).reshape(2, 33))[:, :, :2].tolist()
    [[[0.0, 1.0], [33.0, 34.0]], [[32.0, 0.0], [65.0, 0.0]]]
    """
    width, columns = weights.shape
    filled = np.zeros((width, -(-columns // PANEL) * PANEL), np.float32)
    filled[:, :columns] = weights
    return np.ascontiguousarray(filled.reshape(width, -1, PANEL).transpose(1, 0, 2))


def multiply(x: Array, weights: Array, out: Array, way: int) -> None:
    """out [rows, columns] ← x [rows, width] · weights, which `panels` has packed."""
    if not cython.compiled:
        raise NotImplementedError("only compiled kernels multiply; NumPy does in vericap.encoders.products")
    if not out.size:
        return
    inputs: cython.const[cython.float][:, ::1] = x
    packed: cython.const[cython.float][:, :, ::1] = weights
    into: cython.float[:, ::1] = out
    instructions: cython.int = way
    with cython.nogil:
        layers_multiply(
            cython.address(inputs[0, 0]),
            inputs.shape[0],
            inputs.shape[1],
            cython.address(packed[0, 0, 0]),
            into.shape[1],
            instructions,
            cython.address(into[0, 0]),
        )
