"""CSV and TSV → rows of strings. Lines end with \\n or \\r\\n, and with nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from vericap.errors import InputError
from vericap.readers.files import not_utf8
from vericap.readers.messages import one_line
from vericap.readers.ranges import MARK, TABLES, TextRanges

DELIMITERS = "\t,;"
_STAND_IN = "\uf8fe"  # of private use
_QUOTE = "put the field in quotation marks, and double those inside it"


@dataclass(frozen=True, eq=False)
class Table:
    """The rows below a header, each as long as the header, and how errors name a row."""

    header: list[str]
    rows: list[list[str]]
    row_name: Callable[[int], int | str]

    def columns(self) -> dict[str, list[str]]:
        """Name → values."""
        return {name: list(cells) for name, cells in zip(self.header, zip(*self.rows, strict=True), strict=True)}

    def records(self) -> list[dict[str, str]]:
        """The rows as {name: value}."""
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]


def lines_of(text: str) -> list[str]:
    r"""The lines of a text. A line break at the end starts no further line.

    >>> lines_of("a dog\r\n\na\u2028cat\rsits\n")
    ['a dog', '', 'a\u2028cat\rsits']
    """
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def header_names(line: str, delimiter: str) -> list[str]:
    """The names in a header line, if it is one.

    >>> header_names('"image_id", caption', ",")
    ['image_id', 'caption']
    """
    return [name.strip().strip('"') for name in line.split(delimiter)]


def table_delimiter(header: str, extension: str) -> str:
    """Return the delimiter of a file that is known to be a table, by its extension and its first line."""
    return "\t" if extension in (".tsv", ".tab") else max(",;\t", key=header.count)


def parse_table(text: str, delimiter: str, source: str) -> Table:
    """The table of a text whose first row names the columns.

    >>> table = parse_table('id,caption\\n1,"a dog, running"\\n', ",", "results.csv")
    >>> table.columns()
    {'id': ['1'], 'caption': ['a dog, running']}
    """
    rows, ends = _parse(text, delimiter, source)
    while len(rows[0]) > 1 and not rows[-1]:
        rows.pop()  # blank lines at the end
    header = _header(rows[0], source)
    rows = rows[1:]
    row_name = _row_names(ends)
    for i, row in enumerate(rows):
        if len(row) != len(header):
            raise _of_other_length(row, header, source, row_name(i))
    if not rows:
        raise InputError("there is a header but no row below it", source=source, fix="add at least one row")
    return Table(header, rows, row_name)


def _header(cells: list[str], source: str) -> list[str]:
    """Return the names in a header; a name that occurs twice is an error."""
    header = [name.strip() for name in cells]
    repeated = next((name for name, times in Counter(header).items() if times > 1), None)
    if repeated is not None:
        problem = "the header names this column twice"
        raise InputError(problem, source=source, field=one_line(repeated), fix="rename one of them")
    return header


def _of_other_length(row: list[str], header: list[str], source: str, name: int | str) -> InputError:
    problem = f"the row has {len(row)} fields, but the header names {len(header)}"
    fix = "put a field that holds the delimiter in quotation marks"
    return InputError(problem, source=source, row=name, fix=fix)


def _row_names(ends: list[int]) -> Callable[[int], int | str]:
    """Names of the rows below the header: their number, and the line on which they start when that says more."""
    whole_lines = ends == list(range(ends[0], ends[0] + len(ends)))

    def name(row: int) -> int | str:
        return row + 1 if whole_lines else f"{row + 1} (line {ends[row] + 1})"

    return name


def _parse(text: str, delimiter: str, source: str) -> tuple[list[list[str]], list[int]]:
    """The rows, and the number of the line on which each ends."""
    try:
        quoted = list(_quoted_rows(text, delimiter, source))
    except InputError:
        if delimiter != "\t":
            raise
        plain = _plain_rows(text, delimiter)
        if plain is None:
            raise
        return plain
    rows, ends = [row for row, _ in quoted], [end for _, end in quoted]
    if delimiter == "\t" and any("\n" in cell for row in rows for cell in row):
        # Many TSV files are written without quoting: there, a quotation mark is a part of the caption.
        header_is_quoted = text.startswith('"')
        if not header_is_quoted and _plain_rows(text, delimiter) is not None:
            broken = next(i for i, row in enumerate(rows) if any("\n" in cell for cell in row))
            raise InputError(
                "a quotation mark opens here and closes on another line, but each line is a full row as well",
                source=source,
                row=f"{broken} (line {ends[broken - 1] + 1})",
                fix="save it as CSV or JSONL",
            )
    return rows, ends


def _plain_rows(text: str, delimiter: str) -> tuple[list[list[str]], list[int]] | None:
    """Rows of a table without quoting; None when the lines do not all have as many fields as the header."""
    rows = [line.split(delimiter) for line in lines_of(text)]
    if any(len(row) != len(rows[0]) for row in rows):
        return None
    return rows, list(range(1, len(rows) + 1))


def _quoted_rows(text: str, delimiter: str, source: str) -> Iterator[tuple[list[str], int]]:
    import csv  # not for a run that reads JSON

    # The csv module takes a lone \r for the end of a row; a character that the text does not use replaces it.
    stand_in = ""
    if "\r" in text:
        stand_in = next(chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in text)
        text = re.sub(r"\r(?!\n)", stand_in, text)
    lines = text.removesuffix("\n").split("\n")
    reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter, strict=True)
    row = end = 0
    try:
        for cells in reader:
            row, end = row + 1, reader.line_num
            yield ([cell.replace(stand_in, "\r") for cell in cells] if stand_in else cells), end
    except csv.Error as error:
        raise InputError(
            f"the table is broken ({one_line(error)})",
            source=source,
            row=f"{row} (line {end + 1})" if row else "1 of the file, the header",
            fix=_QUOTE,
        ) from None


class TableRanges(TextRanges):
    """CSV or TSV, whose first row names the columns. Rows are lines, or several lines where a field in quotation marks
    holds line breaks."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._header: list[str] = []
        with self.open() as file:
            line = file.readline().decode("utf-8", "surrogateescape")
        self.delimiter = table_delimiter(line, Path(path).suffix.lower())
        cells, self.start = next(self.rows(0), ([], 0))
        self._header = _header(cells, path)

    @staticmethod
    def recognises(head: bytes, extension: str) -> bool:
        return extension in TABLES

    def names(self) -> tuple[Sequence[str], dict[str, Any]]:
        cells = next(self.rows(self.start), ([], 0))[0]
        return self._header, dict(zip(self._header, cells, strict=False))

    def rows(self, begin: int, end: int | None = None) -> Iterator[tuple[list[str], int]]:
        import csv

        place = begin

        def lines(file: BinaryIO) -> Iterator[str]:
            nonlocal place
            while (end is None or place < end) and (line := file.readline()):
                text = (line.removeprefix(MARK) if place == 0 else line).decode("utf-8", "surrogateescape")
                place += len(line)
                # The csv module takes a lone \r for the end of a row: another character replaces it.
                yield text.removesuffix("\n").removesuffix("\r").replace("\r", _STAND_IN) + "\n"

        with self.open(begin) as file:
            try:
                for cells in csv.reader(lines(file), delimiter=self.delimiter, strict=True):
                    # Blank lines are left out; where there is one column, a blank line is an empty value.
                    if cells or len(self._header) < 2:
                        yield cells, place
            except csv.Error as error:
                problem = f"the table is broken before byte {place} ({one_line(error)})"
                raise InputError(problem, source=self.path, fix=_QUOTE) from None

    def record(self, row: list[str], number: int) -> Any:
        if len(row) != len(self._header):
            return _of_other_length(row, self._header, self.path, number)
        text = "".join(row)
        if not text.isascii():
            data = text.encode("utf-8", "surrogateescape")
            try:
                data.decode()
            except UnicodeDecodeError as error:
                return not_utf8(data, error, self.path, number)
            row = [cell.replace(_STAND_IN, "\r") for cell in row]
        return dict(zip(self._header, row, strict=True))

    def shown(self, row: list[str]) -> str:
        return self.delimiter.join(row)
