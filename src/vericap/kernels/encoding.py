"""The layers of a BERT in one piece, with 8-bit or float32 weights, where `layers.h` knows the processor's products.
Elsewhere, and where no compiler was, `vericap.encoders.network` does the same in NumPy: with 8-bit weights to the last
bit. And a matrix product in float32 whose rows do not depend on each other (`vericap.encoders.products`).
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

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
Number = TypeVar("Number", np.int8, np.float32)

BLOCK = 16  # columns of a block of 8-bit weights
PANEL = 32  # columns of a block of float32 weights
LANES = 16  # in which numbers are summed
LARGEST_HEAD = 128


class Packed(NamedTuple):
    """A network as `layers.h` reads it."""

    sizes: NDArray[np.int64]  # of a vector, of the inner layer, of a head; heads
    epsilon: float  # of layer normalisation
    positions: Array  # [positions, size]
    first_norm: Array  # [2 × size]: gain and shift
    weights: Whole  # of each layer: heads, output, inner and outer, in blocks; one number if they are in `floats`
    floats: Array  # the same in panels; one number if they are in `weights`
    numbers: Array  # of each layer: of the four, scale and sum of integers and bias; gain and shift of two norms


def ways() -> int:
    """Return what runs here: 2 with AVX-512 VNNI, 1 with AVX2 or NEON, 0 with neither or without compiled kernels. A
    machine of 2 runs 1 as well, and `VERICAP_KERNELS` may ask for less than there is."""
    return chosen_way(int(layers_here())) if cython.compiled else 0


def fits(size: int, inner: int, heads: int) -> bool:
    """Return whether `run_layers` takes a network of these sizes: whole blocks and lanes.

    >>> fits(384, 1536, 12), fits(24, 52, 4)
    (True, False)
    """
    depth = size // heads
    return size % 64 == 0 and inner % 64 == 0 and depth % LANES == 0 and depth <= LARGEST_HEAD


def blocks(weights: Whole) -> Whole:
    """Return weights [columns, width] as `layers.h` reads them: [columns / 16, width / 4, 16, 4].

    >>> blocks(np.arange(32 * 8).astype(np.int8).reshape(32, 8)).reshape(-1)[:8].tolist()
    [0, 1, 2, 3, 8, 9, 10, 11]
    """
    columns, width = weights.shape
    return np.ascontiguousarray(weights.reshape(columns // BLOCK, BLOCK, width // 4, 4).transpose(0, 2, 1, 3))


def in_lines(parts: list[NDArray[Number]]) -> NDArray[Number]:
    """Return weights one after another from the start of a line of memory: a vector never crosses two lines."""
    size, kind = sum(part.size for part in parts), parts[0].dtype
    memory = np.empty(size + 64, kind)
    skip = -memory.ctypes.data % 64 // kind.itemsize
    found = memory[skip : skip + size]
    np.concatenate([part.reshape(-1) for part in parts], out=found)
    return found


def run_layers(packed: Packed, rows: Array, offsets: NDArray[np.int64], layers: int, way: int) -> None:
    """Turn the vectors of pieces, `rows` [pieces, size], into those after this many layers, in place; `offsets`
    [texts + 1] say where texts begin and end, and none is empty."""
    if not len(rows) or not cython.compiled:
        return
    sizes: cython.const[cython.longlong][::1] = packed.sizes
    positions: cython.const[cython.float][:, ::1] = packed.positions
    first_norm: cython.const[cython.float][::1] = packed.first_norm
    weights: cython.const[cython.schar][::1] = packed.weights
    floats: cython.const[cython.float][::1] = packed.floats
    numbers: cython.const[cython.float][::1] = packed.numbers
    places: cython.const[cython.longlong][::1] = offsets
    into: cython.float[:, ::1] = rows
    longest: cython.Py_ssize_t = int(np.diff(offsets).max())
    instructions: cython.int = way
    network = cython.declare(layers_network)
    network.size = sizes[0]
    network.inner = sizes[1]
    network.depth = sizes[2]
    network.heads = sizes[3]
    network.layers = layers
    network.epsilon = packed.epsilon
    network.positions = cython.address(positions[0, 0])
    network.first_norm = cython.address(first_norm[0])
    network.weights = cython.address(weights[0])
    network.floats = cython.address(floats[0]) if floats.shape[0] > 1 else cython.NULL
    network.numbers = cython.address(numbers[0])
    memory: cython.uchar[::1] = np.empty(layers_memory(network.size, network.inner, longest), np.uint8)
    with cython.nogil:
        layers_run(
            cython.address(network),
            cython.address(into[0, 0]),
            cython.address(places[0]),
            places.shape[0] - 1,
            longest,
            instructions,
            cython.address(memory[0]),
        )


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
