"""The files of a stream, in order, and their division into spans of rows that one worker reads at a time."""

from __future__ import annotations

import glob
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from vericap.errors import InputError, not_a_set
from vericap.readers.files import GZIP, PARQUET, ZSTANDARD, File

LINES = (".jsonl", ".ndjson", ".json")
TABLES = (".csv", ".tsv", ".tab")
PARQUETS = (".parquet", ".pq")


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


class Shard(ABC):
    """One file of rows with named fields."""

    def __init__(self, path: str) -> None:
        self.path = path

    @abstractmethod
    def names(self) -> tuple[Sequence[str], dict[str, Any]]:
        """The names of the fields, and the first row."""

    @abstractmethod
    def spans(self, rows: int) -> Iterator[Span]:
        """Spans of up to this many rows."""

    @abstractmethod
    def read(self, span: Span, names: Sequence[str]) -> list[Any]:
        """The rows of a span: each is {name: value} with the fields that it has of these, or an `InputError`."""

    @abstractmethod
    def after(self, span: Span, names: Sequence[str]) -> Iterator[Any]:
        """The rows behind a span, one by one, as `read` gives them."""

    def raw(self, span: Span, place: int) -> str:
        """A row of a span as the file has it, for the file of bad rows."""
        return ""


def find_files(given: Any) -> list[str]:
    """The files of a path, a folder, a glob pattern, or a list of these, sorted within each.

    >>> find_files("no-such-*.parquet")
    Traceback (most recent call last):
    vericap.errors.InputError: no-such-*.parquet: no file has such a name; check the pattern
    """
    if isinstance(given, (str, os.PathLike)):
        return _files_of(os.fspath(given))
    if isinstance(given, Iterable):
        return [path for one in not_a_set(given, "candidates") for path in find_files(one)]
    fix = "give a path, a folder, a pattern, or a list of them"
    raise InputError("a stream reads files", field="candidates", fix=fix)


def _files_of(given: str) -> list[str]:
    if given == "-":
        raise InputError("a stream cannot go back in standard input", source=given, fix="give a file")
    path = Path(given)
    if path.is_dir():
        found = sorted(str(each) for each in path.iterdir() if _is_read_in_folders(each))
        if not found:
            problem = "no file of the folder is Parquet, JSON Lines or CSV"
            raise InputError(problem, source=given, fix="check the folder")
        return found
    if path.exists() or not glob.has_magic(given):
        if not path.exists():
            _ = File(given).head  # raises the error of every reader, also for the last of many files
        return [given]
    found = sorted(glob.glob(given))  # noqa: PTH207  # a pattern may be absolute
    if not found:
        raise InputError("no file has such a name", source=given, fix="check the pattern")
    return found


def _is_read_in_folders(path: Path) -> bool:
    return path.suffix in (*LINES, *TABLES, *PARQUETS) and path.name[0] not in "._"


def reads(given: Any, file: Path) -> str | None:
    """The folder or the pattern, among what `find_files` takes, that would name a file if it were there; else None.

    >>> reads(["a.jsonl", "shards/*.jsonl"], Path("shards/out.jsonl"))
    'shards/*.jsonl'
    """
    if not isinstance(given, (str, os.PathLike)):
        return next((found for one in given if (found := reads(one, file))), None) if _is_list(given) else None
    name = os.fspath(given)
    path, whole = Path(name), file.resolve()
    if path.is_dir():
        return name if whole.parent == path.resolve() and _is_read_in_folders(file) else None
    if path.exists() or not glob.has_magic(name):
        return None
    wanted, parts = Path(os.path.abspath(name)).parts, whole.parts  # noqa: PTH100  # a pattern has no resolved form
    if "**" in wanted:
        return name if fnmatch(str(whole), str(Path(*wanted)).replace(f"**{os.sep}", "*")) else None
    fits = len(parts) == len(wanted) and all(map(fnmatch, parts, wanted))
    return name if fits else None


def _is_list(given: Any) -> bool:
    return isinstance(given, Iterable)


def open_shard(path: str) -> Shard:
    """A file as a shard, by its content."""
    head = File(path).head
    if not head:
        raise InputError("the file is empty", source=path, fix="check the program that wrote it")
    if head.startswith(PARQUET):
        from vericap.streaming.parquet_shard import ParquetShard

        return ParquetShard(path)
    from vericap.streaming.text_shards import LineShard, TableShard

    if head.startswith((GZIP, ZSTANDARD)):
        raise InputError(
            "a stream cannot start in the middle of compressed text",
            source=path,
            fix="decompress the file, or write it as Parquet, which is compressed inside",
        )
    if Path(path).suffix.lower() in TABLES:
        return TableShard(path)
    if head.lstrip()[:1] == b"{":
        return LineShard(path)
    raise InputError("a stream reads rows with named fields", source=path, fix="give Parquet, JSON Lines, CSV or TSV")


class Shards:
    """All files of a stream.

    They are opened where they are read: an object of this class goes to the workers as a list of paths.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = list(paths)
        self._open: dict[int, Shard] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {"paths": self.paths, "_open": {}}

    def __getitem__(self, file: int) -> Shard:
        if file not in self._open:
            for behind in list(self._open)[:-1]:  # workers go forward: at most the file before is read again
                del self._open[behind]
            self._open[file] = open_shard(self.paths[file])
        return self._open[file]

    def first_with_rows(self) -> Shard:
        """The first file that has a row; the very first, if none has."""
        return next((self[file] for file in range(len(self.paths)) if self[file].names()[1]), self[0])

    def facts(self) -> list[list[Any]]:
        """Name, size and time of change of each file: a stream goes on only where they are the same."""
        stats = [(path, os.stat(path)) for path in self.paths]  # noqa: PTH116
        return [[path, stat.st_size, stat.st_mtime_ns] for path, stat in stats]

    def spans(self, rows: int) -> Iterator[Span]:
        """All spans, in order."""
        sizes = [max(os.path.getsize(path), 1) for path in self.paths]  # noqa: PTH202
        total, number, overall = sum(sizes), 0, 0
        for file, size in enumerate(sizes):
            for span in self[file].spans(rows):
                yield Span(
                    file, span.first, span.rows, span.begin, span.end, number, overall, span.share * size / total
                )
                number += 1
                overall += span.rows

    def after(self, span: Span, names: Sequence[str]) -> Iterator[Any]:
        """The rows behind a span, those of the next files too."""
        yield from self[span.file].after(span, names)
        for file in range(span.file + 1, len(self.paths)):
            yield from open_shard(self.paths[file]).after(Span(file, 0, 0), names)
