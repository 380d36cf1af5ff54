"""CSV, TSV and plain text → captions. Lines end with \\n or \\r\\n, and with nothing else."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from typing import Any

import orjson

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, Wanted, checked
from vericap.readers.captions.caption_shapes import from_columns
from vericap.readers.messages import one_line

# Flickr8k's and Flickr30k's own format: the picture's name, the number of the caption, the caption.
# One name of Flickr8k is 2258277193_586949ec62.jpg.1.
_FLICKR = re.compile(r"([^\t\r\n]+\.(?:jpg|png)(?:\.\d+)?)#\d+\t(.*)", re.IGNORECASE | re.DOTALL)


def lines_of(text: str) -> list[str]:
    r"""The lines of a text. A line break at the end starts no further line.

    >>> lines_of("a dog\r\n\na\u2028cat\rsits\n")
    ['a dog', '', 'a\u2028cat\rsits']
    """
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def read_text(text: str, source: str) -> Captions:
    """A caption a line; or, in Flickr8k's own format, `picture.jpg#0<tab>caption`."""
    lines = lines_of(text)
    if _FLICKR.fullmatch(lines[0]):
        return _read_flickr(lines, source)
    return checked(source, None, lines)


def _read_flickr(lines: list[str], source: str) -> Captions:
    rows = [_FLICKR.fullmatch(line) for line in lines]
    if None in rows:
        raise InputError(
            "the row is not a picture's name, #, a number, a tab and a caption, as the rows before are",
            source=source,
            row=rows.index(None) + 1,
            fix="give every row the same shape",
        )
    pairs = [row.groups() for row in rows if row is not None]
    return checked(source, [name for name, _ in pairs], [caption for _, caption in pairs])


def delimiter_of(text: str, wanted: Wanted, extension: str) -> str | None:
    """The delimiter of a table with a header; None when the text is not a table.

    A file named .csv or .tsv is one. So is another file whose first line names a column of captions and at least
    one more column that is known.
    """
    if extension in (".tsv", ".tab"):
        return "\t"
    header = lines_of(text[: text.find("\n") + 1] or text)[0]
    if extension == ".csv":
        return max(",;\t", key=header.count) if not set(",;\t").isdisjoint(header) else ","
    for delimiter in "\t,;":
        names = [name.strip().strip('"') for name in header.split(delimiter)]
        if len(names) > 1 and wanted.caption_in(names) and wanted.ids_in(names, lambda _: 0):
            return delimiter
    return None


def read_table(text: str, delimiter: str, wanted: Wanted, source: str) -> Captions:
    """Captions of a CSV or TSV file, whose first row names the columns."""
    rows, ends = _parse(text, delimiter, source)
    while len(rows[0]) > 1 and not rows[-1]:
        rows.pop()  # blank lines at the end
    header = [name.strip() for name in rows[0]]
    rows = rows[1:]
    line_of = _line_names(ends)
    repeated = next((name for i, name in enumerate(header) if name in header[:i]), None)
    if repeated is not None:
        raise InputError("the header names this column twice", source=source, field=one_line(repeated), fix="rename")
    caption_field = wanted.caption_in(header)
    if caption_field is None:
        raise wanted.no_caption(header, source)
    for i, row in enumerate(rows):
        if len(row) != len(header):
            raise InputError(
                f"the row has {len(row)} fields, but the header names {len(header)}",
                source=source,
                row=line_of(i),
                fix="put a field that holds the delimiter in quotation marks",
            )
    if not rows:
        raise InputError("there is a header but no row below it", source=source, fix="give at least one caption")
    columns: dict[str, list[Any]] = {
        name: list(column) for name, column in zip(header, zip(*rows, strict=True), strict=True)
    }
    if wanted.role == "references":
        columns[caption_field] = _lists(columns[caption_field])
    return from_columns(columns, wanted, source, line_of)


def _lists(column: list[str]) -> list[Any]:
    """References that are written as JSON lists of strings, if all of them are."""
    if not all(cell.startswith('["') and cell.endswith('"]') for cell in column):
        return column
    try:
        lists = [orjson.loads(cell) for cell in column]
    except orjson.JSONDecodeError:
        return column
    return lists


def _line_names(ends: list[int]) -> Callable[[int], int | str]:
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
    # The csv module takes a lone \r for the end of a row; a character that the text does not use stands in for it.
    stand_in = ""
    if "\r" in text:
        stand_in = next(chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in text)
        text = re.sub(r"\r(?!\n)", stand_in, text)
    lines = text.removesuffix("\n").split("\n")
    reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter, strict=True)
    row = 0
    end = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(
                f"the table is broken ({one_line(error)})",
                source=source,
                row=f"{row} (line {end + 1})" if row else "1 of the file, the header",
                fix="put the field in quotation marks, and double those inside it",
            ) from None
        end = reader.line_num
        yield ([cell.replace(stand_in, "\r") for cell in cells] if stand_in else cells), end
        row += 1
