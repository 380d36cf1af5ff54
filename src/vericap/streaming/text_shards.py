"""JSON Lines, CSV and TSV files, of which each span is a range of bytes."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from vericap.errors import InputError
from vericap.readers.captions.caption_shapes import describe_record
from vericap.readers.files import not_utf8
from vericap.readers.json_values import parse_json
from vericap.readers.messages import one_line
from vericap.streaming.shards import Shard, Span

_MARK = b"\xef\xbb\xbf"  # UTF-8's byte-order mark
_BLOCK = 1 << 22
_STAND_IN = "\uf8fe"  # of private use


class TextShard(Shard):
    """A file whose rows are lines, or several lines where a field in quotation marks holds line breaks."""

    def _open(self) -> BinaryIO:
        return Path(self.path).open("rb")

    def _content(self, span: Span) -> bytes:
        with self._open() as file:
            file.seek(span.begin)
            content = file.read(span.end - span.begin)
        return content.removeprefix(_MARK) if span.begin == 0 else content

    @property
    def _size(self) -> int:
        return Path(self.path).stat().st_size


class LineShard(TextShard):
    """One JSON object per line. A blank line is a bad row; trailing blank lines are ignored."""

    def names(self) -> tuple[Sequence[str], dict[str, Any]]:
        with self._open() as file:
            line = file.readline().removeprefix(_MARK)
        record = parse_json(line, self.path, 1)
        if not isinstance(record, dict):
            problem = f"the row is {describe_record(record)}, not an object with fields"
            raise InputError(problem, source=self.path, row=1, fix="write it as an object")
        return list(record), record

    def spans(self, rows: int) -> Iterator[Span]:
        size, first, begin = self._content_size, 0, 0
        with self._open() as file:
            place = lines = 0
            while block := file.read(min(_BLOCK, size - place)):
                at = 0
                while True:
                    count = block.count(b"\n", at)
                    if lines + count < rows:
                        lines += count
                        break
                    for _ in range(rows - lines):
                        at = block.index(b"\n", at) + 1
                    yield Span(0, first, rows, begin, place + at, share=(place + at - begin) / size)
                    first, begin, lines = first + rows, place + at, 0
                place += len(block)
        if begin < size:
            yield Span(0, first, lines + 1, begin, size, share=(size - begin) / size)

    @property
    def _content_size(self) -> int:
        """The size of the file without blank lines at its end."""
        size = self._size
        with self._open() as file:
            while size:
                begin = max(size - _BLOCK, 0)
                file.seek(begin)
                content = file.read(size - begin).rstrip()
                size = begin + len(content)
                if content:
                    break
        return size

    def read(self, span: Span, names: Sequence[str]) -> list[Any]:
        return [_record(line, self.path, span.first + i + 1) for i, line in enumerate(self._lines(span))]

    def _lines(self, span: Span) -> list[bytes]:
        return self._content(span).removesuffix(b"\n").split(b"\n")

    def after(self, span: Span, names: Sequence[str]) -> Iterator[Any]:
        with self._open() as file:
            file.seek(span.end)
            for number, line in enumerate(file, span.first + span.rows + 1):
                yield _record(line.removeprefix(_MARK) if number == 1 else line, self.path, number)

    def raw(self, span: Span, place: int) -> str:
        return self._lines(span)[place].decode("utf-8", "replace")


def _record(line: bytes, source: str, row: int) -> Any:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        if not line.strip():
            return InputError("the line is blank", source=source, row=row, fix="delete it")
        try:
            record = parse_json(line, source, row)
        except InputError as error:
            return error
    if not isinstance(record, dict):
        problem = f"the row is {describe_record(record)}, not an object with fields"
        return InputError(problem, source=source, row=row, fix="give every row the same shape")
    return record


class TableShard(TextShard):
    """CSV or TSV, whose first row names the columns."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        with self._open() as file:
            line = file.readline()
        self.delimiter = "\t" if Path(path).suffix.lower() in (".tsv", ".tab") else max(",;\t", key=_counts(line))
        with self._open() as file:
            self._header, self._header_end = next(self._rows(file, 0), ([], 0))
        self._header = [name.strip().removeprefix("\ufeff") for name in self._header]
        repeated = next((name for name, times in Counter(self._header).items() if times > 1), None)
        if repeated is not None:
            raise InputError(
                "the header names this column twice", source=path, field=one_line(repeated), fix="rename one of them"
            )

    def names(self) -> tuple[Sequence[str], dict[str, Any]]:
        with self._open() as file:
            file.seek(self._header_end)
            cells = next(self._rows(file, self._header_end), ([], 0))[0]
        return self._header, dict(zip(self._header, cells, strict=False))

    def spans(self, rows: int) -> Iterator[Span]:
        size, begin, first, count = self._size, self._header_end, 0, 0
        with self._open() as file:
            file.seek(begin)
            for cells, end in self._rows(file, begin):
                count += bool(cells) or len(self._header) == 1
                if count == rows:
                    yield Span(0, first, rows, begin, end, share=(end - begin) / size)
                    begin, first, count = end, first + rows, 0
        if count:
            yield Span(0, first, count, begin, size, share=(size - begin) / size)

    def read(self, span: Span, names: Sequence[str]) -> list[Any]:
        with self._open() as file:
            file.seek(span.begin)
            rows = (cells for cells, _ in self._rows(file, span.begin, span.end))
            return [self._record(cells, span.first + i + 1) for i, cells in enumerate(self._full(rows))]

    def after(self, span: Span, names: Sequence[str]) -> Iterator[Any]:
        begin = span.end or self._header_end
        with self._open() as file:
            file.seek(begin)
            rows = (cells for cells, _ in self._rows(file, begin))
            for number, cells in enumerate(self._full(rows), span.first + span.rows + 1):
                yield self._record(cells, number)

    def raw(self, span: Span, place: int) -> str:
        with self._open() as file:
            file.seek(span.begin)
            rows = list(self._full(cells for cells, _ in self._rows(file, span.begin, span.end)))
        return self.delimiter.join(rows[place])

    def _full(self, rows: Iterator[list[str]]) -> Iterator[list[str]]:
        """The rows but blank lines; where there is one column, a blank line is an empty value."""
        return rows if len(self._header) == 1 else (cells for cells in rows if cells)

    def _record(self, cells: list[str], row: int) -> Any:
        if len(cells) != len(self._header):
            return InputError(
                f"the row has {len(cells)} fields, but the header names {len(self._header)}",
                source=self.path,
                row=row,
                fix="put a field that holds the delimiter in quotation marks",
            )
        text = "".join(cells)
        if not text.isascii():
            data = text.encode("utf-8", "surrogateescape")
            try:
                data.decode()
            except UnicodeDecodeError as error:
                return not_utf8(data, error, self.path, row)
            cells = [cell.replace(_STAND_IN, "\r") for cell in cells]
        return dict(zip(self._header, cells, strict=True))

    def _rows(self, file: BinaryIO, begin: int, end: int | None = None) -> Iterator[tuple[list[str], int]]:
        """The cells of each row, and the byte at which it ends."""
        place = begin

        def lines() -> Iterator[str]:
            nonlocal place
            while (end is None or place < end) and (line := file.readline()):
                text = (line.removeprefix(_MARK) if place == 0 else line).decode("utf-8", "surrogateescape")
                place += len(line)
                # The csv module takes a lone \r for the end of a row: another character replaces it.
                yield text.removesuffix("\n").removesuffix("\r").replace("\r", _STAND_IN) + "\n"

        reader = csv.reader(lines(), delimiter=self.delimiter, strict=True)
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise InputError(
                    f"the table is broken before byte {place} ({one_line(error)})",
                    source=self.path,
                    fix="put the field in quotation marks, and double those inside it",
                ) from None
            yield cells, place


def _counts(line: bytes) -> Callable[[str], int]:
    return lambda delimiter: line.count(delimiter.encode())
