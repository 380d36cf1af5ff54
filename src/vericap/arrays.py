"""The array types that everything shares: columns of numbers, and rows of different length in one column."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Booleans: TypeAlias = NDArray[np.bool_]


def offsets_of(lengths: Any) -> Integers:
    """Return the offsets of rows of these lengths, array [rows + 1].

    >>> offsets_of([2, 0, 1]).tolist()
    [0, 2, 2, 3]
    """
    ends = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=ends[1:])
    return ends


def rows_of(lengths: Any) -> Integers:
    """The row of each value of rows of these lengths, array [values].

    >>> rows_of([2, 0, 1]).tolist()
    [0, 0, 2]
    """
    return np.repeat(np.arange(len(lengths)), np.asarray(lengths, np.int64))


def sum_columns(rows: Floats) -> tuple[Floats, Floats]:
    """Return the sums of the columns of an array [n, k], each rounded once, and what that rounding lost: they have the
    same bits in any order of the rows.

    >>> sums, lost = sum_columns(np.array([[1e16, 0.1], [1.0, 0.2], [-1e16, 0.3]]))
    >>> sums.tolist()
    [1.0, 0.6]
    """
    sums, lost = np.asarray(rows.sum(axis=0), np.float64), np.zeros(rows.shape[1])
    exact = (rows == np.rint(rows)).all(axis=0) & (np.abs(rows).sum(axis=0) < 2**53)  # whole numbers: counts
    for column in np.flatnonzero(~exact & np.isfinite(sums)).tolist():
        values = rows[:, column].tolist()
        sums[column] = math.fsum(values)
        lost[column] = math.fsum([*values, -sums[column]])
    return sums, lost


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """The different numbers, in ascending order: `np.unique`, which would import NumPy's masked arrays, in 10 ms.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values)
    new: Booleans = np.diff(ordered, prepend=ordered[:1] - 1) != 0
    return ordered[new]


def gather(offsets: Integers, rows: Integers) -> tuple[Integers, Integers]:
    """Places of the values of some rows of a ragged column, one row after the other, and the new offsets.

    Several columns that share offsets (labels, boxes, confidences of objects) take the same places.

    >>> places, offsets = gather(np.array([0, 2, 2, 3]), np.array([2, 0]))
    >>> places.tolist(), offsets.tolist()
    ([2, 0, 1], [0, 1, 3])
    """
    places = Ragged.spans(offsets[rows], offsets[rows + 1])
    return places.values, places.offsets


@dataclass(frozen=True, eq=False)
class Ragged:
    """Rows of different length in one array: row i is `values[offsets[i]:offsets[i + 1]]`.

    >>> rows = Ragged(np.array([7, 8, 9]), np.array([0, 2, 2, 3]))
    >>> [row.tolist() for row in rows], rows.lengths.tolist()
    ([[7, 8], [], [9]], [2, 0, 1])
    """

    values: NDArray[Any]
    offsets: Integers

    @classmethod
    def of(cls, rows: Sequence[Sequence[Any]], dtype: Any = np.int64) -> Ragged:
        """A ragged column from lists.

        >>> Ragged.of([[1, 2], [], [3]]).offsets.tolist()
        [0, 2, 2, 3]
        """
        return cls(np.array([value for row in rows for value in row], dtype), offsets_of([len(row) for row in rows]))

    @classmethod
    def spans(cls, first: NDArray[np.integer], last: NDArray[np.integer]) -> Ragged:
        """Rows of consecutive numbers: row i is first[i] … last[i] - 1.

        >>> [row.tolist() for row in Ragged.spans(np.array([5, 0, 7]), np.array([7, 0, 8]))]
        [[5, 6], [], [7]]
        """
        lengths = last - first
        ends = offsets_of(lengths)
        return cls(np.arange(ends[-1]) + np.repeat(first - ends[:-1], lengths), ends)

    @classmethod
    def join(cls, columns: Sequence[Ragged]) -> Ragged:
        """The rows of several columns, one column after the other."""
        lengths = np.concatenate([column.lengths for column in columns])
        return cls(np.concatenate([column.values for column in columns]), offsets_of(lengths))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> NDArray[Any]:
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return (self.values[start:end] for start, end in pairwise(self.offsets.tolist()))

    @property
    def lengths(self) -> Integers:
        return np.diff(self.offsets)

    @property
    def row(self) -> Integers:
        """The row of each value, array [values].

        >>> Ragged.of([[7, 8], [], [9]]).row.tolist()
        [0, 0, 2]
        """
        return rows_of(self.lengths)

    def window(self, first: int, last: int) -> Ragged:
        """The rows first … last - 1, without a copy of their values."""
        start, end = self.offsets[first], self.offsets[last]
        return Ragged(self.values[start:end], self.offsets[first : last + 1] - start)

    def take(self, rows: Integers) -> Ragged:
        """Some rows, in the order given.

        >>> [row.tolist() for row in Ragged.of([[1, 2], [], [3]]).take(np.array([2, 0]))]
        [[3], [1, 2]]
        """
        places, offsets = gather(self.offsets, rows)
        return Ragged(self.values[places], offsets)

    def replace(self, rows: Integers, others: Ragged) -> Ragged:
        """The rows, with others in place of a few, whose numbers are given in ascending order.

        >>> [row.tolist() for row in Ragged.of([[1, 2], [], [3]]).replace(np.array([1]), Ragged.of([[7, 8]]))]
        [[1, 2], [7, 8], [3]]
        """
        lengths = self.lengths
        lengths[rows] = others.lengths
        # Neighbours are copied together: pieces of this column and of the others take turns.
        first = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
        last = np.append(first, len(rows))[1:]
        here = self.offsets[rows[first]], self.offsets[rows[last - 1] + 1]
        there = others.offsets[first], others.offsets[last]
        pieces: list[NDArray[Any]] = []
        behind = 0
        for start, end, begin, until in zip(*(each.tolist() for each in (*here, *there)), strict=True):
            pieces += self.values[behind:start], others.values[begin:until]
            behind = end
        return Ragged(np.concatenate([*pieces, self.values[behind:]]), offsets_of(lengths))

    def reduce(self, ufunc: np.ufunc, values: NDArray[Any] | None = None, empty: float = 0.0) -> Floats:
        """A ufunc over each row's values, or over others of the same shape; `empty` for rows without values.

        >>> Ragged.of([[1, 5], [], [3]]).reduce(np.maximum).tolist()
        [5.0, 0.0, 3.0]
        """
        # reduceat gives nonsense on empty segments: only rows with values take part.
        result = np.full(len(self), empty)
        some = np.flatnonzero(self.lengths)
        if len(some):
            result[some] = ufunc.reduceat(self.values if values is None else values, self.offsets[some])
        return result
