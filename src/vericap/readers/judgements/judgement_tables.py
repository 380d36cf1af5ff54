"""Tables of human judgements: JSON (a list of objects), JSON Lines, CSV or TSV with a header → rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from vericap.errors import InputError
from vericap.readers import formats
from vericap.readers.delimited import DELIMITERS, parse_table
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.json_values import read_values


def read_json(path: Path) -> Any:
    """The value of a JSON file, or of a JSON Lines file, as a list."""
    return read_values(File(path))


def read_table(path: Path) -> list[dict[str, Any]]:
    """The rows of a table: JSON (a list of objects), JSON Lines, CSV or TSV with a header."""
    rows: list[dict[str, Any]] = formats.read("table", File(path))
    return rows


def read_json_table(file: File, wanted: Wanted) -> list[dict[str, Any]]:
    """The rows of a JSON or JSON Lines file."""
    found = read_values(file)
    rows = found if isinstance(found, list) else [found]
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise InputError("the row is not an object", source=file.name, row=number, fix="write {…} for each row")
    return rows


def read_csv_table(file: File, wanted: Wanted) -> list[dict[str, Any]]:
    """The rows of a CSV or TSV file; the delimiter is the one that the header has most."""
    table = parse_table(file.text, max(DELIMITERS, key=file.first_line.count), file.name)
    return [*table.records()]


def from_rows(rows: Iterable[Mapping[str, Any]], wanted: Wanted, source: str) -> list[dict[str, Any]]:
    """Rows that come one by one."""
    return [dict(row) for row in rows]


def number(text: Any, source: str, row: int, field: str) -> float:
    """A finite number, or an error that says where there is none.

    >>> number("2.5", "ratings.csv", 1, "score")
    2.5
    """
    try:
        value = float(text)
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value) or isinstance(text, bool):
        raise InputError(f"{text!r} is not a number", source=source, row=row, field=field, fix="give a finite number")
    return value
