"""Outputs of a stream: one file of JSON Lines, or a folder of Parquet files. Both can be cut back to the
last checkpoint, so that a stream that was killed and went on gives the same bytes as one that ran through."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from vericap.errors import InputError
from vericap.streaming.job import Piece
from vericap.written import whole_path


class Writer(ABC):
    """Takes pieces; at a checkpoint all that was taken is on the disk."""

    as_lines = False

    def __init__(self, path: Path, state: Path, bad_rows: Path) -> None:
        self.path, self.state, self.bad_rows = path, state, bad_rows
        self.lock = path.with_name(path.name + ".lock")
        self._bad: BinaryIO | None = None

    @abstractmethod
    def earlier(self) -> Path | None:
        """Return the path of output of an earlier run; None if there is none."""

    @property
    def files(self) -> list[Path]:
        """Files that it writes, one of each kind."""
        return [self.path, self.state, self.bad_rows]

    def check(self, written: dict[str, int]) -> None:
        """Raises an error where the disk has less than a checkpoint says is written."""
        for path, size in self._sizes(written):
            if not path.is_file() or path.stat().st_size < size:
                raise InputError(
                    "the output is shorter than the state of the stream says",
                    source=str(path),
                    fix="delete the output and its state to start again",
                )

    def start(self, written: dict[str, int]) -> None:
        """Cuts the output back to what a checkpoint says is written."""
        self.check(written)
        self._cut(written)
        self._bad = _open_at(self.bad_rows, written.get("bad_rows", 0)) if written.get("bad_rows") else None
        if self._bad is None:
            self.bad_rows.unlink(missing_ok=True)

    def add(self, piece: Piece) -> None:
        """Takes a piece."""
        self._add(piece)
        if piece.bad:
            if self._bad is None:
                self._bad = self.bad_rows.open("wb")
            self._bad.writelines(bad.line() for bad in piece.bad)

    def checkpoint(self) -> dict[str, int]:
        """Puts everything on the disk and says how much there is."""
        written = self._checkpoint()
        if self._bad is not None:
            written["bad_rows"] = _sync(self._bad)
        return written

    def close(self) -> None:
        """Closes the files."""
        if self._bad is not None:
            self._bad.close()

    def _sizes(self, written: dict[str, int]) -> Iterator[tuple[Path, int]]:
        """The files that have to be there, and their smallest size in bytes."""
        if written.get("bad_rows"):
            yield self.bad_rows, written["bad_rows"]

    @abstractmethod
    def _cut(self, written: dict[str, int]) -> None: ...

    @abstractmethod
    def _add(self, piece: Piece) -> None: ...

    @abstractmethod
    def _checkpoint(self) -> dict[str, int]: ...


class LinesWriter(Writer):
    """One file of JSON Lines; next to it, NAME.state.json and NAME.bad.jsonl."""

    as_lines = True

    def __init__(self, path: Path) -> None:
        super().__init__(path, path.with_name(path.name + ".state.json"), path.with_name(path.name + ".bad.jsonl"))
        self._file: BinaryIO | None = None

    def earlier(self) -> Path | None:
        return next((path for path in (self.path, self.bad_rows) if path.exists() and path.stat().st_size > 0), None)

    def _sizes(self, written: dict[str, int]) -> Iterator[tuple[Path, int]]:
        yield from super()._sizes(written)
        if "bytes" in written:
            yield self.path, written["bytes"]

    def _cut(self, written: dict[str, int]) -> None:
        self._file = _open_at(self.path, written.get("bytes", 0))

    def _add(self, piece: Piece) -> None:
        if self._file is not None:
            self._file.write(piece.lines)

    def _checkpoint(self) -> dict[str, int]:
        return {"bytes": _sync(self._file)} if self._file is not None else {}

    def close(self) -> None:
        super().close()
        if self._file is not None:
            self._file.close()


class ParquetWriter(Writer):
    """A folder with one Parquet file for each checkpoint; in it, _state.json and _bad_rows.jsonl."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, path / "_state.json", path / "_bad_rows.jsonl")
        self._batches: list[Any] = []
        self._files = 0

    def earlier(self) -> Path | None:
        return self.path if self.path.exists() and any(self.path.iterdir()) else None

    @property
    def files(self) -> list[Path]:
        return [*super().files, self.path / _name(0)]

    def _sizes(self, written: dict[str, int]) -> Iterator[tuple[Path, int]]:
        yield from super()._sizes(written)
        for number in range(written.get("files", 0)):
            yield self.path / _name(number), 1

    def _cut(self, written: dict[str, int]) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        self._files = written.get("files", 0)
        known = {_name(number) for number in range(self._files)}
        for file in (*self.path.glob("part-*"), *self.path.glob(".*.partial")):
            if file.name not in known:
                file.unlink(missing_ok=True)

    def _add(self, piece: Piece) -> None:
        self._batches.append(piece.batch)

    def _checkpoint(self) -> dict[str, int]:
        import pyarrow
        from pyarrow import parquet

        batches: Sequence[Any] = [batch for batch in self._batches if batch.num_rows] or self._batches[:1]
        if batches:
            table = pyarrow.Table.from_batches(batches)
            final = self.path / _name(self._files)
            with whole_path(final) as partial:
                parquet.write_table(table, partial, compression="zstd", row_group_size=max(table.num_rows, 1))
            self._files += 1
            self._batches = []
        return {"files": self._files}


def writer_for(output: str | os.PathLike[str]) -> Writer:
    """JSON Lines for a name that ends so, else a folder of Parquet files.

    >>> type(writer_for("scores.jsonl")).__name__, type(writer_for("scores")).__name__
    ('LinesWriter', 'ParquetWriter')
    """
    path = Path(output)
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        return LinesWriter(path)
    if path.suffix.lower() in (".csv", ".tsv", ".json", ".html", ".txt") or path.is_file():
        raise InputError(
            "a stream appends its results to JSON Lines or to a folder of Parquet files",
            source=str(path),
            field="output",
            fix="name a file .jsonl, or a folder",
        )
    return ParquetWriter(path)


def _name(number: int) -> str:
    return f"part-{number:06d}.parquet"


def _open_at(path: Path, size: int) -> BinaryIO:
    """Return a file to append to, cut at a size."""
    try:
        file = path.open("r+b" if size else "w+b")
        file.truncate(size)
        file.seek(size)
    except OSError as error:
        raise InputError(
            f"the file cannot be written ({error.strerror})", source=str(path), fix="choose another place"
        ) from None
    return file


def _sync(file: BinaryIO) -> int:
    file.flush()
    os.fsync(file.fileno())
    return file.tell()
