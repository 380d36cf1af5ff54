"""A Parquet file, read forward and a few rows at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from vericap.errors import InputError
from vericap.readers.messages import listed, one_line
from vericap.streaming.shards import Shard, Span

_BUFFER = 1 << 20  # bytes of a column that are read at once


class ParquetShard(Shard):
    """Each process decodes a file once, from the first span that it is given on: rows of other spans are passed over,
    which costs little compared with scoring."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._batches: Iterator[Any] | None = None
        self._names: Sequence[str] = ()
        self._place = 0  # the row of the file at which `_rest` begins
        self._rest: Any = None

    def _file(self) -> Any:
        import pyarrow
        from pyarrow import parquet

        try:
            # Read as it is needed: with `pre_buffer` all of the file would be in memory until it is closed.
            return parquet.ParquetFile(self.path, memory_map=False, pre_buffer=False, buffer_size=_BUFFER)
        except (pyarrow.ArrowException, OSError) as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> InputError:
        return InputError(
            f"the Parquet data is damaged or truncated ({one_line(error)})", source=self.path, fix="write it again"
        )

    def names(self) -> tuple[Sequence[str], dict[str, Any]]:
        file = self._file()
        names = list(file.schema_arrow.names)
        for batch in file.iter_batches(batch_size=1, use_threads=False):
            return names, batch.slice(0, 1).to_pylist()[0]
        return names, {}

    def spans(self, rows: int) -> Iterator[Span]:
        total = self._file().metadata.num_rows
        for first in range(0, total, rows):
            count = min(rows, total - first)
            yield Span(0, first, count, share=count / total)

    def read(self, span: Span, names: Sequence[str]) -> list[Any]:
        import pyarrow

        try:
            return _records(self._take(span.first, span.rows, names), names)
        except InputError:
            raise
        except (pyarrow.ArrowException, OSError) as error:
            raise self._damaged(error) from None

    def after(self, span: Span, names: Sequence[str]) -> Iterator[Any]:
        other = ParquetShard(self.path)
        first, few = span.first + span.rows, 64
        total = other._file().metadata.num_rows
        while first < total:
            count = min(few, total - first)
            yield from other.read(Span(0, first, count), names)
            first += count

    def raw(self, span: Span, place: int) -> str:
        row = self._take(span.first, span.rows, self._names).slice(place, 1).to_pylist()[0]
        return repr(row)

    def _take(self, first: int, rows: int, names: Sequence[str]) -> Any:
        """A table of some rows. Going back, or asking for other columns, begins again at the row group of `first`."""
        import pyarrow

        if self._batches is None or first < self._place or list(names) != list(self._names):
            self._start(first, names)
        while self._rest is None or self._place + self._rest.num_rows < first + rows:
            batch = next(self._batches, None) if self._batches is not None else None
            if batch is None:
                raise InputError("the file has fewer rows than it says", source=self.path, fix="write it again")
            if self._rest is not None and first < self._place + self._rest.num_rows:
                self._rest = pyarrow.concat_tables([self._rest, pyarrow.Table.from_batches([batch])])
            else:
                self._place += 0 if self._rest is None else self._rest.num_rows
                self._rest = pyarrow.Table.from_batches([batch])
            if self._place < first < self._place + self._rest.num_rows:
                self._rest = self._rest.slice(first - self._place)
                self._place = first
        return self._rest.slice(first - self._place, rows)

    def _start(self, first: int, names: Sequence[str]) -> None:
        file = self._file()
        there = list(file.schema_arrow.names)
        lacking = [name for name in names if name not in there]
        if lacking:
            raise InputError(
                f"the field is not there; the fields are: {listed(there)}",
                source=self.path,
                field=lacking[0],
                fix="give every file the same columns",
            )
        groups = list(range(file.metadata.num_row_groups))
        begin = 0
        while groups and begin + file.metadata.row_group(groups[0]).num_rows <= first:
            begin += file.metadata.row_group(groups.pop(0)).num_rows
        self._batches = file.iter_batches(
            batch_size=8192, row_groups=groups, columns=list(dict.fromkeys(names)), use_threads=False
        )
        self._names, self._place, self._rest = list(names), begin, None


def _records(table: Any, names: Sequence[str]) -> list[Any]:
    columns = {name: table.column(name).to_pylist() for name in dict.fromkeys(names)}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
