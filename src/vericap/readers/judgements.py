"""Human judgements: the tables and folders of benchmarks.

A table is JSON (a list of objects), JSON Lines, CSV or TSV with a header. A folder finds its files, reads them, and
says of one that is missing where it comes from.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vericap.errors import InputError
from vericap.options.choices import Missing
from vericap.readers.delimited import DELIMITERS, lines_of, parse_table
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.formats import Content, Format
from vericap.readers.json_values import looks_like_json, read_values

__all__ = ["Folder", "number", "read_json", "read_table"]


def read_json(path: Path) -> Any:
    """Return the value of a JSON file, or of a JSON Lines file, as a list."""
    return read_values(File(path))


def read_table(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a table: JSON (a list of objects), JSON Lines, CSV or TSV with a header."""
    return TABLES.read(File(path))


def read_json_table(file: File, wanted: Wanted) -> list[dict[str, Any]]:
    """Return the rows of a JSON or JSON Lines file."""
    found = read_values(file)
    rows = found if isinstance(found, list) else [found]
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise InputError("the row is not an object", source=file.name, row=number, fix="write {…} for each row")
    return rows


def read_csv_table(file: File, wanted: Wanted) -> list[dict[str, Any]]:
    """Return the rows of a CSV or TSV file; the delimiter is the one that the header has most."""
    table = parse_table(file.text, max(DELIMITERS, key=file.first_line.count), file.name)
    return [*table.records()]


TABLES = Content(
    "table",
    (
        Format("json", lambda file, _: looks_like_json(file.utf8), read_json_table),
        Format("csv", lambda file, _: True, read_csv_table),
    ),
    lambda rows, wanted, source: [dict(row) for row in rows],
)


def number(text: Any, source: str, row: int, field: str) -> float:
    """Return a finite number, or an error that says where there is none.

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


@dataclass(frozen=True)
class Folder:
    """The folder of a benchmark's files. `origin` says where to get them."""

    path: Path
    benchmark: str
    origin: str
    # Of a table of one's own: its columns by role, those with scores of metrics, and what to do with empty ratings.
    columns: Mapping[str, str] = field(default_factory=dict)
    score_columns: Mapping[str, str] = field(default_factory=dict)
    missing: Missing = "error"

    @classmethod
    def find(cls, data: Path, benchmark: str, usual: Sequence[str], origin: str) -> Folder:
        """Return the folder of a benchmark: the one given, or the one of a usual name in it; a file stays as it is."""
        if not data.exists():
            raise InputError(
                f"there is no such folder or file, in which to look for {benchmark}",
                source=str(data),
                fix=f"check the path; {benchmark} comes from {origin}",
            )
        for name in usual:
            if data.is_dir() and (data / name).is_dir():
                return cls(data / name, benchmark, origin)
        return cls(data, benchmark, origin)

    def file(self, *names: str) -> Path:
        """Return the first of these files that is there; the error names the first, and what looks like it."""
        if self.path.is_file():
            return self.path
        for name in names:
            if (self.path / name).is_file():
                return self.path / name
        there = sorted(each.name for each in self.path.iterdir() if each.is_file())
        like = difflib.get_close_matches(names[0].lower(), [name.lower() for name in there], 1, 0.75)
        meant = next((name for name in there if like and name.lower() == like[0]), None)
        raise InputError(
            f"{names[0]} is missing, which {self.benchmark} needs",
            source=str(self.path),
            fix=f"rename {meant}, if that is the file" if meant else f"it comes from {self.origin}",
        )

    def files(self, *endings: str) -> list[Path]:
        """Return all files whose name has such an ending, by name."""
        if self.path.is_file():
            return [self.path]
        return sorted(each for each in self.path.iterdir() if each.is_file() and each.name.endswith(endings))

    def bytes(self, *names: str) -> bytes:
        """Return a text file as UTF-8."""
        return File(self.file(*names)).utf8

    def lines(self, *names: str) -> list[str]:
        """Return the lines of a text file."""
        return lines_of(File(self.file(*names)).text)

    def rows(self, name: str, columns: int) -> list[list[str]]:
        """Return the rows of a file with tabs between its columns."""
        rows = [line.split("\t") for line in self.lines(name)]
        for place, row in enumerate(rows, 1):
            if len(row) != columns:
                raise self.unlike_published(f"the row has {len(row)} columns, not {columns}", name, place)
        return rows

    def unlike_published(self, problem: str, name: str, row: int) -> InputError:
        """Return the error of a row that is not as the file has it when it is published."""
        fix = f"take the file as it is published: {self.origin}"
        return InputError(problem, source=str(self.file(name)), row=row, fix=fix)

    def json(self, *names: str) -> Any:
        """Return the content of a JSON file."""
        return read_json(self.file(*names))

    def number(self, text: Any, name: str, row: int, field: str) -> float:
        """Return a number of a row, or an error that says where there is none."""
        return number(text, str(self.file(name)), row, field)
