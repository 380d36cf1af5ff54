"""The files of a stream, in order, and their division into spans of rows that one worker reads at a time."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from vericap.errors import InputError, not_a_set
from vericap.readers.captions.sources import CAPTIONS
from vericap.readers.files import GZIP, ZSTANDARD, File
from vericap.readers.ranges import TABLES, Ranges, Span


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
    endings = (".jsonl", ".ndjson", ".json", *TABLES, ".parquet", ".pq")
    return path.suffix in endings and path.name[0] not in "._"


def reads(given: Any, file: Path) -> str | None:
    """The folder or the pattern, among what `find_files` takes, that would name a file if it were there; else None.

    >>> reads(["a.jsonl", "shards/*.jsonl"], Path("shards/out.jsonl"))
    'shards/*.jsonl'
    """
    if not isinstance(given, (str, os.PathLike)):
        several = given if isinstance(given, Iterable) else ()
        return next((found for one in several if (found := reads(one, file))), None)
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


def open_shard(path: str) -> Ranges:
    """Return a file by its content, read by the format that recognises it."""
    file = File(path)
    if not file.head:
        raise InputError("the file is empty", source=path, fix="check the program that wrote it")
    if file.head.startswith((GZIP, ZSTANDARD)):
        raise InputError(
            "a stream cannot start in the middle of compressed text",
            source=path,
            fix="decompress the file, or write it as Parquet, which is compressed inside",
        )
    for each in CAPTIONS.formats:
        if each.ranges is not None and each.ranges.recognises(file.head, file.extension):
            return each.ranges(path)
    raise InputError("a stream reads rows with named fields", source=path, fix="give Parquet, JSON Lines, CSV or TSV")


class Shards:
    """All files of a stream.

    They are opened where they are read: an object of this class goes to the workers as a list of paths.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = list(paths)
        self._open: dict[int, Ranges] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {"paths": self.paths, "_open": {}}

    def __getitem__(self, file: int) -> Ranges:
        if file not in self._open:
            for behind in list(self._open)[:-1]:  # workers go forward: at most the file before is read again
                del self._open[behind]
            self._open[file] = open_shard(self.paths[file])
        return self._open[file]

    def first_with_rows(self) -> Ranges:
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
                yield replace(span, file=file, number=number, overall=overall, share=span.share * size / total)
                number += 1
                overall += span.rows

    def after(self, span: Span, names: Sequence[str]) -> Iterator[Any]:
        """The rows behind a span, those of the next files too."""
        yield from self[span.file].after(span, names)
        for file in range(span.file + 1, len(self.paths)):
            yield from open_shard(self.paths[file]).after(Span(file, 0, 0), names)
