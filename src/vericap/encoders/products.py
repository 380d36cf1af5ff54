r"""A matrix product in which the bits of a row depend on that row alone, whatever the other rows are.

Libraries of matrix products (BLAS) do not promise that: their kernels have other code for the last rows of a matrix,
and OpenBLAS's for Haswell round the rows of one matrix in two ways. Compiled, every sum runs in the order of the
inputs, rounded once for each product (`kernels/layers.h`), as fast as OpenBLAS. In NumPy, inputs and weights are
rounded to whole numbers of so few bits that all sums are exact in float64, whatever their order:

$$ x_{ik} \approx 2^{e_i} X_{ik}, \quad w_{kj} \approx 2^{f_j} W_{kj}, \quad
   \sum_k x_{ik} w_{kj} \approx 2^{e_i + f_j} \sum_k X_{ik} W_{kj} $$
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats
from vericap.kernels.encoding import multiply, panels, ways

Array = NDArray[np.float32]

_EXACT = 53  # bits of a whole number that float64 holds
_BITS = 23  # of a weight; an input has those that its sums leave, 24 and more
_INPUTS = 128  # whose products are summed as whole numbers: of more, each would have fewer bits


class Product:
    """The product of any rows with some weights [in, out]. `way` is what runs it (`vericap.kernels.encoding.ways`).

    >>> double = Product(2 * np.eye(3, dtype=np.float32))
    >>> double(np.float32([[1, 2, 3]])).tolist()
    [[2.0, 4.0, 6.0]]
    """

    def __init__(self, weights: Array, way: int | None = None) -> None:
        self._columns = weights.shape[1]
        self._way = ways() if way is None else way
        if self._way:
            self._packed = panels(weights)
        else:
            self._parts = [_Part(part) for part in np.array_split(weights, -(-len(weights) // _INPUTS))]

    def __call__(self, x: Array, out: Array | None = None) -> Array:
        """Return x [rows, in] · weights [in, out], written to `out` if given."""
        if out is None:
            out = np.empty((len(x), self._columns), np.float32)
        if self._way:
            multiply(x, self._packed, out, self._way)
        else:
            inputs = np.array_split(x, len(self._parts), axis=1)
            out[:] = sum(part(some) for part, some in zip(self._parts, inputs, strict=True))
        return out


class _Part:
    """The product with some rows of weights, exact in float64 but for the rounding to whole numbers."""

    def __init__(self, weights: Array) -> None:
        self._whole, self._units = _whole(weights, _BITS, axis=0)
        self._bits = _EXACT - int(np.abs(self._whole).sum(axis=0).max(initial=0)).bit_length()

    def __call__(self, x: Array) -> Floats:
        whole, units = _whole(x, self._bits, axis=1)
        return np.asarray((whole @ self._whole) * (units * self._units))


def _whole(values: Array, bits: int, axis: int) -> tuple[Floats, Floats]:
    """Return values as whole numbers of this many bits, with the power of 2 that each row or column is to be
    multiplied by.

    >>> _whole(np.float32([[0.5, -3.0]]), 4, axis=1)
    (array([[  2., -12.]]), array([[0.25]]))
    """
    largest = np.abs(values).max(axis=axis, keepdims=True, initial=0)
    units = np.ldexp(1.0, np.frexp(largest)[1] - bits)
    return np.rint(values / units), units
