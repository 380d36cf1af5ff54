"""A benchmark's folder: finds its files, reads them, and says of one that is missing where it comes from."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from vericap.errors import InputError
from vericap.readers.files import as_utf8, decode, read_bytes


@dataclass(frozen=True)
class Folder:
    """Where a benchmark's files are. `origin` says where to get them."""

    path: Path
    benchmark: str
    origin: str

    @classmethod
    def find(cls, data: Path, benchmark: str, usual: Sequence[str], origin: str) -> Folder:
        """The folder of a benchmark: the one given, or the one of a usual name inside it; a file stands for itself."""
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
        """The first of these files that is there; the error names the first, and what looks like it."""
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
        """All files whose name has such an ending, by name."""
        if self.path.is_file():
            return [self.path]
        return sorted(each for each in self.path.iterdir() if each.is_file() and each.name.endswith(endings))

    def bytes(self, *names: str) -> bytes:
        """A text file as UTF-8."""
        path = self.file(*names)
        return as_utf8(read_bytes(path), str(path))

    def lines(self, *names: str) -> list[str]:
        """The lines of a text file."""
        path = self.file(*names)
        text = decode(as_utf8(read_bytes(path), str(path)), str(path))
        return text.replace("\r\n", "\n").removesuffix("\n").split("\n")

    def rows(self, name: str, columns: int) -> list[list[str]]:
        """The rows of a file with tabs between its columns."""
        rows = [line.split("\t") for line in self.lines(name)]
        for number, row in enumerate(rows, 1):
            if len(row) != columns:
                raise InputError(
                    f"the row has {len(row)} columns, not {columns}",
                    source=str(self.file(name)),
                    row=number,
                    fix=f"take the file as it is published: {self.origin}",
                )
        return rows

    def json(self, *names: str) -> Any:
        """The content of a JSON file."""
        return read_json(self.file(*names))

    def number(self, text: Any, name: str, row: int, field: str) -> float:
        """A number of a row, or an error that says where it is none."""
        return number(text, str(self.file(name)), row, field)


def read_json(path: Path) -> Any:
    """The content of a JSON file, or of one with a JSON value a line, as a list."""
    data = as_utf8(read_bytes(path), str(path))
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        lines = [line for line in data.splitlines() if line.strip()]
        if len(lines) < 2:
            raise _broken(path, error) from None
    values = []
    for row, line in enumerate(lines, 1):
        try:
            values.append(orjson.loads(line))
        except orjson.JSONDecodeError as error:
            raise _broken(path, error, row) from None
    return values


def read_table(path: Path) -> list[dict[str, Any]]:
    """The rows of a table: JSON (a list of objects), JSON Lines, CSV or TSV with a header."""
    data = as_utf8(read_bytes(path), str(path))
    if data.lstrip()[:1] in (b"[", b"{"):
        found = read_json(path)
        rows = found if isinstance(found, list) else [found]
        for number, row in enumerate(rows, 1):
            if not isinstance(row, dict):
                raise InputError("the row is not an object", source=str(path), row=number, fix="write {…} for each row")
        return rows
    lines = decode(data, str(path)).splitlines()
    delimiter = max("\t,;", key=lines[0].count)
    table = list(csv.DictReader(lines, delimiter=delimiter))
    for number, row in enumerate(table, 2):
        if None in row or None in row.values():
            raise InputError("the row has another number of columns", source=str(path), row=number, fix="quote commas")
    return table


def number(text: Any, source: str, row: int, field: str) -> float:
    """A finite number, or an error that says where it is none."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        value = float("nan")
    if not value - value == 0 or isinstance(text, bool):
        raise InputError(f"{text!r} is not a number", source=source, row=row, field=field, fix="give a finite number")
    return value


def _broken(path: Path, error: orjson.JSONDecodeError, row: int | None = None) -> InputError:
    return InputError(f"the JSON is broken ({error})", source=str(path), row=row, fix="copy the file again")
