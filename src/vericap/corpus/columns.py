"""Columns that look like lists: texts as UTF-8 in one array, and whole numbers. An item is made on demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, offsets_of

_BLOCK = 4096  # items that are made at once
_LAST_ASCII = 0x7F


class _Listed:
    """Columns equal lists of the same items and are shown as such."""

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, (list, _Listed)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError


@dataclass(frozen=True, eq=False, repr=False)
class TextColumn(_Listed, Sequence[str]):
    """Text i is `data[offsets[i]:offsets[i + 1]]`, in valid UTF-8: for captions half of the memory that a list of
    strings takes.

    >>> column = TextColumn.of(["a dog", "", "un café"])
    >>> column[2], column[-3:2], len(column), column == ["a dog", "", "un café"]
    ('un café', ['a dog', ''], 3, True)
    """

    data: NDArray[np.uint8]
    offsets: Integers

    @classmethod
    def of(cls, texts: Iterable[str]) -> TextColumn:
        """A column from strings."""
        texts = list(texts)
        data, sizes = [], list(map(len, texts))
        for first in range(0, len(texts), _BLOCK):
            block = texts[first : first + _BLOCK]
            data.append("".join(block).encode())
            if len(data[-1]) > sum(sizes[first : first + _BLOCK]):  # not ASCII
                sizes[first : first + _BLOCK] = [len(text.encode()) for text in block]
        return cls(np.frombuffer(b"".join(data), np.uint8), offsets_of(sizes))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> TextColumn: ...
    def __getitem__(self, place: int | slice) -> str | TextColumn:
        if isinstance(place, slice):
            first, last, step = place.indices(len(self))
            if step != 1:
                return self.take(np.arange(first, last, step))
            return TextColumn(self.data, self.offsets[first : max(first, last) + 1])
        row = range(len(self))[place]
        return self.data[self.offsets[row] : self.offsets[row + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _BLOCK):
            yield from self._strings(first, min(first + _BLOCK, len(self)))

    def _strings(self, first: int, last: int) -> list[str]:
        """The texts first … last - 1. Where a character is a byte, they are decoded at once."""
        start, end = int(self.offsets[first]), int(self.offsets[last])
        data = self.data[start:end].tobytes()
        ends = (self.offsets[first : last + 1] - start).tolist()
        if data.isascii():
            text = data.decode()
            return [text[start:end] for start, end in pairwise(ends)]
        return [data[start:end].decode() for start, end in pairwise(ends)]

    def take(self, rows: Integers) -> TextColumn:
        """Some texts, in the order given."""
        from vericap.kernels.columns import gather_texts

        ends = offsets_of(self.offsets[rows + 1] - self.offsets[rows])
        return TextColumn(gather_texts(self.data, self.offsets, rows, ends), ends)

    def blank_rows(self) -> list[int]:
        """The texts that are empty or white space.

        >>> TextColumn.of(["a dog", "", " \\n", " a cat", "\\u2003"]).blank_rows()
        [1, 2, 4]
        """
        start, end = self.offsets[:-1], self.offsets[1:]
        maybe = start == end
        some = np.flatnonzero(~maybe)
        first = self.data[start[some]]
        # White space begins with a byte up to the blank, or with one of a character that is not ASCII.
        maybe[some[(first <= ord(" ")) | (first > _LAST_ASCII)]] = True
        return [row for row in np.flatnonzero(maybe).tolist() if not (text := self[row]) or text.isspace()]


@dataclass(frozen=True, eq=False, repr=False)
class IntegerColumn(_Listed, Sequence[int]):
    """Whole numbers of 64 bits; items are Python's own integers.

    >>> column = IntegerColumn(np.array([7, 42]))
    >>> column[1], type(column[1]), column[:1], list(column)
    (42, <class 'int'>, [7], [7, 42])
    """

    values: Integers

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> IntegerColumn: ...
    def __getitem__(self, place: int | slice) -> int | IntegerColumn:
        return IntegerColumn(self.values[place]) if isinstance(place, slice) else int(self.values[place])

    def __iter__(self) -> Iterator[int]:
        for first in range(0, len(self), _BLOCK):
            yield from self.values[first : first + _BLOCK].tolist()


def take(column: Sequence[Any], rows: Integers) -> Sequence[Any]:
    """Some items of a column or a list, in the order given.

    >>> take(["a", "b"], np.array([1, 0])), take(TextColumn.of(["a", "b"]), np.array([1, 0]))
    (['b', 'a'], ['b', 'a'])
    """
    if isinstance(column, TextColumn):
        return column.take(rows)
    if isinstance(column, IntegerColumn):
        return IntegerColumn(column.values[rows])
    return [column[row] for row in rows.tolist()]


def blank_rows(texts: Sequence[str]) -> list[int]:
    """The texts that are empty or white space.

    >>> blank_rows(["a dog", "", " "])
    [1, 2]
    """
    if isinstance(texts, TextColumn):
        return texts.blank_rows()
    return [row for row, text in enumerate(texts) if not text or text.isspace()]
