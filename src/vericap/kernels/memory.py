"""The numbers of kernels: rows with names, which compiled code and Python both read fast."""

from __future__ import annotations

from typing import Any

import numpy as np


class KernelRows:
    """Makes the rows of one kernel, which says whether it is compiled: `ROWS = KernelRows(cython.compiled)`.

    Compiled code reads arrays as fast as C does. Python reads an item of a list or a memoryview several times faster
    than one of an array. Which of them a row is does not matter to the code that uses it.

    >>> KernelRows(False).zeros(3, np.int32), KernelRows(True).zeros(3, np.int32)
    ([0, 0, 0], array([0, 0, 0], dtype=int32))
    """

    def __init__(self, compiled: bool) -> None:
        self.compiled = compiled

    def zeros(self, size: int, kind: Any) -> Any:
        """Memory to work in: at least one number, as rows without any have no address."""
        if self.compiled:
            return np.zeros(max(size, 1), kind)
        return [0.0 if kind is np.float64 else 0] * max(size, 1)

    def copy(self, values: Any, kind: Any) -> Any:
        """Numbers to read, of a size that is worth a copy.

        >>> KernelRows(False).copy(np.array([1, 2]), np.float64)
        [1.0, 2.0]
        """
        array = np.ascontiguousarray(values, kind)
        return array if self.compiled else array.tolist()

    def view(self, values: Any) -> Any:
        """Numbers as they are: large tables, read where they lie, and results, written where the caller finds them."""
        return values if self.compiled else memoryview(values)
