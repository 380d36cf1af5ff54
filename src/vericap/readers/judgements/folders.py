"""A benchmark's folder: finds its files, reads them, and says of one that is missing where it comes from."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vericap.errors import InputError
from vericap.options.choices import Missing
from vericap.readers.delimited import lines_of
from vericap.readers.files import File
from vericap.readers.judgements.judgement_tables import number, read_json


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
        """The folder of a benchmark: the one given, or the one of a usual name inside it; a file is taken as it is."""
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
        return File(self.file(*names)).utf8

    def lines(self, *names: str) -> list[str]:
        """The lines of a text file."""
        return lines_of(File(self.file(*names)).text)

    def rows(self, name: str, columns: int) -> list[list[str]]:
        """The rows of a file with tabs between its columns."""
        rows = [line.split("\t") for line in self.lines(name)]
        for place, row in enumerate(rows, 1):
            if len(row) != columns:
                raise InputError(
                    f"the row has {len(row)} columns, not {columns}",
                    source=str(self.file(name)),
                    row=place,
                    fix=f"take the file as it is published: {self.origin}",
                )
        return rows

    def json(self, *names: str) -> Any:
        """The content of a JSON file."""
        return read_json(self.file(*names))

    def number(self, text: Any, name: str, row: int, field: str) -> float:
        """A number of a row, or an error that says where there is none."""
        return number(text, str(self.file(name)), row, field)
