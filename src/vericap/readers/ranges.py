"""Files whose rows can be read by ranges: what a format of JSON Lines, tables or Parquet gives to streams."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

MARK = b"\xef\xbb\xbf"  # UTF-8's byte-order mark
TABLES = (".csv", ".tsv", ".tab")


@dataclass(frozen=True)
class Span:
    """Some rows of one file. `first` counts the rows of the file before it, `number` the spans before it, `overall` the
    rows of all files before it. `begin` and `end` are bytes of a text file; `share` is how much of the input it is."""

    file: int
    first: int
    rows: int
    begin: int = 0
    end: int = 0
    number: int = 0
    overall: int = 0
    share: float = 0.0


class Ranges(ABC):
    """One file of rows with named fields."""

    def __init__(self, path: str) -> None:
        self.path = path

    @staticmethod
    @abstractmethod
    def recognises(head: bytes, extension: str) -> bool:
        """Return whether a file is in this format, by its first bytes and its extension."""

    @abstractmethod
    def names(self) -> tuple[Sequence[str], dict[str, Any]]:
        """Return the names of the fields, and the first row."""

    @abstractmethod
    def spans(self, rows: int) -> Iterator[Span]:
        """Yield spans of up to this many rows."""

    @abstractmethod
    def read(self, span: Span, names: Sequence[str]) -> list[Any]:
        """Return the rows of a span: each is {name: value} with the fields that it has of these, or an `InputError`."""

    @abstractmethod
    def after(self, span: Span, names: Sequence[str]) -> Iterator[Any]:
        """Yield the rows behind a span, one by one, as `read` gives them."""

    @abstractmethod
    def raw(self, span: Span, place: int) -> str:
        """Return a row of a span as the file has it, for the file of bad rows."""


class TextRanges(Ranges):
    """A text file, of which each span is a range of bytes."""

    start = 0  # the byte at which the first row begins

    def open(self, begin: int = 0) -> BinaryIO:
        """Return the file, open at a byte."""
        file = Path(self.path).open("rb")  # noqa: SIM115  # callers close it
        file.seek(begin)
        return file

    @property
    def size(self) -> int:
        """The byte at which the last row ends."""
        return Path(self.path).stat().st_size

    @abstractmethod
    def rows(self, begin: int, end: int | None = None) -> Iterator[tuple[Any, int]]:
        """Yield the rows of a range of bytes as they are, each with the byte at which it ends."""

    @abstractmethod
    def record(self, row: Any, number: int) -> Any:
        """Return a row as {name: value}, or the error that names its number."""

    @abstractmethod
    def shown(self, row: Any) -> str:
        """Return a row as the file has it."""

    def spans(self, rows: int) -> Iterator[Span]:
        size, begin, first, count = self.size, self.start, 0, 0
        for _, end in self.rows(begin, size):
            count += 1
            if count == rows:
                yield Span(0, first, rows, begin, end, share=(end - begin) / size)
                begin, first, count = end, first + rows, 0
        if count:
            yield Span(0, first, count, begin, size, share=(size - begin) / size)

    def read(self, span: Span, names: Sequence[str]) -> list[Any]:
        return [self.record(row, i) for i, (row, _) in enumerate(self.rows(span.begin, span.end), span.first + 1)]

    def after(self, span: Span, names: Sequence[str]) -> Iterator[Any]:
        for number, (row, _) in enumerate(self.rows(span.end or self.start), span.first + span.rows + 1):
            yield self.record(row, number)

    def raw(self, span: Span, place: int) -> str:
        return self.shown(next(islice(self.rows(span.begin, span.end), place, None))[0])
