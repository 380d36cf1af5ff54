"""Tables → captions: CSV and TSV, Parquet, Excel workbooks, tables of pyarrow, pandas and Hugging Face datasets.

Of a workbook (.xlsx), as VLMEvalKit writes its results, the first sheet counts; python-calamine, of the extra `excel`,
reads it.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.caption_shapes import from_columns, listed_cells
from vericap.readers.delimited import DELIMITERS, TableRanges, header_names, parse_table, table_delimiter
from vericap.readers.fields import Wanted
from vericap.readers.files import ALWAYS_ALLOWED, LARGEST_RATIO, File
from vericap.readers.files import PARQUET as PARQUET_MAGIC
from vericap.readers.formats import Format, is_parquet, parquet_errors
from vericap.readers.messages import count, listed, one_line
from vericap.readers.ranges import TABLES, Ranges, Span

_BUFFER = 1 << 20  # bytes of a Parquet column that are read at once

_CLIP = ("VideoID", "Start", "End")  # columns that name a clip in MSVD's corpus of descriptions (Chen and Dolan 2011)


def delimiter_of(header: str, wanted: Wanted, extension: str) -> str | None:
    """The delimiter of a table by its first line; None when that is not a header.

    A file named .csv or .tsv is one. So is another file whose first line names a column of captions and a column of
    image ids.
    """
    if extension in TABLES:
        return table_delimiter(header, extension)
    for delimiter in DELIMITERS:
        names = header_names(header, delimiter)
        if len(names) > 1 and wanted.captions_in(names) and wanted.ids_in(names, lambda _: 0):
            return delimiter
    return None


def read_table(file: File, wanted: Wanted) -> Captions:
    """Captions of a CSV or TSV file, whose first row names the columns."""
    table = parse_table(file.text, delimiter_of(file.first_line, wanted, file.extension) or ",", file.name)
    columns, rows, notes = clips(table.columns())
    row_name = table.row_name if rows is None else lambda row: table.row_name(rows[row])
    for name in wanted.references_in(columns):
        columns[name] = listed_cells(columns[name])
    return replace(from_columns(columns, wanted, file.name, row_name), notes=notes)


def clips(columns: Mapping[str, list[Any]]) -> tuple[dict[str, list[Any]], list[int] | None, tuple[str, ...]]:
    """The columns of MSVD's corpus with a name for each clip, its rows in English, and a note on the others; other
    tables as they are.

    >>> clips({"VideoID": ["mv89psg6zh4"], "Start": ["33"], "End": ["46"], "Description": ["a bird"]})[0]["image_id"]
    ['mv89psg6zh4_33_46']
    """
    if not {*_CLIP, "Description"} <= columns.keys() or "image_id" in columns:
        return dict(columns), None, ()
    named = ["_".join(map(str, clip)) for clip in zip(*(columns[name] for name in _CLIP), strict=True)]
    found = {**columns, "image_id": named}
    languages = columns.get("Language")
    if languages is None:
        return found, None, ()
    rows = [row for row, language in enumerate(languages) if language == "English" and columns["Description"][row]]
    left_out = len(languages) - len(rows)
    kept = {name: [column[row] for row in rows] for name, column in found.items()}
    return kept, rows, (f"{count(left_out, 'row')} in other languages than English left out",) if left_out else ()


def read_parquet(file: File, wanted: Wanted) -> Captions:
    """Captions of a Parquet file; only the columns that are wanted are decoded."""
    import pyarrow
    from pyarrow import parquet

    source = file.name
    with parquet_errors(source):
        stored = parquet.ParquetFile(pyarrow.BufferReader(file.data))
        names = list(stored.schema_arrow.names)
        if wanted.captions_in(names) is None:
            raise wanted.no_captions(names, source)
        return from_arrow(stored.read(columns=_columns(names, wanted)), wanted, source)


class ParquetRanges(Ranges):
    """A Parquet file, read forward and a few rows at a time. Each process decodes a file once, from the first span that
    it is given on: rows of other spans are passed over, which costs little compared with scoring."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._batches: Iterator[Any] = iter(())
        self._names: Sequence[str] = ()
        self._place = 0  # the row of the file at which `_rest` begins
        self._rest: Any = None

    @staticmethod
    def recognises(head: bytes, extension: str) -> bool:
        return head.startswith(PARQUET_MAGIC)

    def _file(self) -> Any:
        from pyarrow import parquet

        with parquet_errors(self.path):
            # Read as it is needed: with `pre_buffer` all of the file would be in memory until it is closed.
            return parquet.ParquetFile(self.path, memory_map=False, pre_buffer=False, buffer_size=_BUFFER)

    def names(self) -> tuple[Sequence[str], dict[str, Any]]:
        file = self._file()
        first = next(file.iter_batches(batch_size=1, use_threads=False), None)
        return list(file.schema_arrow.names), {} if first is None else first.to_pylist()[0]

    def spans(self, rows: int) -> Iterator[Span]:
        total = self._file().metadata.num_rows
        for first in range(0, total, rows):
            count = min(rows, total - first)
            yield Span(0, first, count, share=count / total)

    def read(self, span: Span, names: Sequence[str]) -> list[Any]:
        with parquet_errors(self.path):
            table = self._take(span.first, span.rows, names)
        columns = [table.column(name).to_pylist() for name in names]
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    def after(self, span: Span, names: Sequence[str]) -> Iterator[Any]:
        other, few = ParquetRanges(self.path), 64
        total = other._file().metadata.num_rows
        for first in range(span.first + span.rows, total, few):
            yield from other.read(Span(0, first, min(few, total - first)), names)

    def raw(self, span: Span, place: int) -> str:
        return repr(self._take(span.first + place, 1, self._names).to_pylist()[0])

    def _take(self, first: int, rows: int, names: Sequence[str]) -> Any:
        """Return a table of some rows. Going back, or asking for other columns, begins again at the row group of
        `first`."""
        import pyarrow

        if self._rest is None or first < self._place or list(names) != list(self._names):
            self._start(first, names)
        while self._place + self._rest.num_rows < first + rows:
            batch = next(self._batches, None)
            if batch is None:
                raise InputError("the file has fewer rows than it says", source=self.path, fix="write it again")
            table = pyarrow.concat_tables([self._rest, pyarrow.Table.from_batches([batch])])
            passed = min(first - self._place, table.num_rows)
            self._rest, self._place = table.slice(passed), self._place + passed
        return self._rest.slice(first - self._place, rows)

    def _start(self, first: int, names: Sequence[str]) -> None:
        file = self._file()
        there = list(file.schema_arrow.names)
        lacking = next((name for name in names if name not in there), None)
        if lacking is not None:
            problem = f"the field is not there; the fields are: {listed(there)}"
            raise InputError(problem, source=self.path, field=lacking, fix="give every file the same columns")
        groups, begin = list(range(file.metadata.num_row_groups)), 0
        while groups and begin + file.metadata.row_group(groups[0]).num_rows <= first:
            begin += file.metadata.row_group(groups.pop(0)).num_rows
        columns = [name for name in there if name in names]
        self._batches = file.iter_batches(batch_size=8192, row_groups=groups, columns=columns, use_threads=False)
        self._names, self._place, self._rest = list(names), begin, file.schema_arrow.empty_table().select(columns)


def _columns(names: Iterable[str], wanted: Wanted) -> list[str]:
    """The columns to decode: the captions, all that may hold ids, and those to keep."""
    there = dict.fromkeys(names)
    own = wanted.references_in(there)
    used = {*wanted.fields.find_all("image_id", there), wanted.captions_in(there), *own, *wanted.kept(there)}
    return [name for name in there if name in used]


def from_arrow(table: Any, wanted: Wanted, source: str) -> Captions:
    """Captions of a pyarrow table."""
    return _from_table(table.column_names, lambda name: table.column(name).to_pylist(), wanted, source)


def _from_table(names: Iterable[Any], column: Callable[[str], list[Any]], wanted: Wanted, source: str) -> Captions:
    names = list(names)
    repeated = next((name for name, times in Counter(names).items() if times > 1), None)
    if repeated is not None:
        raise InputError("two columns have this name", source=source, field=str(repeated), fix="rename one of them")
    names = [name for name in names if isinstance(name, str)]
    if wanted.captions_in(names) is None:
        raise wanted.no_captions(names, source)
    return from_columns({name: column(name) for name in _columns(names, wanted)}, wanted, source)


def from_object(table: Any, wanted: Wanted, source: str) -> Captions | None:
    """Captions of a table object, told by what it can do; None when it is not a table."""
    kind = f"{type(table).__module__}.{type(table).__name__}"
    if kind.startswith("pandas.") and hasattr(table, "columns"):
        return _from_table(table.columns, lambda name: table[name].tolist(), wanted, source)
    if kind.startswith("pyarrow.") and hasattr(table, "column_names"):
        return from_arrow(table, wanted, source)
    if hasattr(table, "column_names") and hasattr(table, "features") and hasattr(table, "__getitem__"):
        return _from_table(table.column_names, lambda name: list(table[name]), wanted, source)
    if hasattr(table, "__arrow_c_stream__") and not kind.startswith("pandas."):
        import pyarrow

        try:
            return from_arrow(pyarrow.table(table), wanted, source)
        except (pyarrow.ArrowException, TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"the table cannot be read ({one_line(error)})", source=source, fix="give it as a pyarrow table"
            ) from None
    return None


def read_excel(file: File, wanted: Wanted) -> Captions:
    """Captions of the first sheet, whose first row names the columns."""
    rows = _rows(file)
    header = [str(name).strip() for name in rows[0]] if rows else []
    if not header or len(rows) < 2:
        raise InputError("the first sheet has no row below a header", source=file.name, fix="add at least one row")
    twice = next((name for name in header if name and header.count(name) > 1), None)
    if twice is not None:
        problem = "the header names this column twice"
        raise InputError(problem, source=file.name, field=one_line(twice), fix="rename one of them")
    columns = {name: [_cell(row[place]) for row in rows[1:]] for place, name in enumerate(header) if name}
    for name in wanted.references_in(columns):
        if all(isinstance(cell, str) for cell in columns[name]):
            columns[name] = listed_cells(columns[name])
    return from_columns(columns, wanted, file.name)


def _rows(file: File) -> list[list[Any]]:
    import zipfile

    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise InputError(
            "this is an Excel workbook, which needs python-calamine",
            source=file.name,
            fix="install it: pip install 'vericap[excel]'; or save the table as CSV",
        ) from None
    data = file.data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > max(ALWAYS_ALLOWED, LARGEST_RATIO * len(data)):
            problem = f"the content is {size >> 20:,} MiB large when it is decompressed"
            raise InputError(problem, source=file.name, fix="save it as CSV, if this is what it should hold")
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        if not book.sheet_names:
            raise InputError("the workbook has no sheet", source=file.name, fix="add one")
        rows: list[list[Any]] = book.get_sheet_by_index(0).to_python()
        return rows
    except InputError:
        raise
    except (zipfile.BadZipFile, CalamineError, OSError, ValueError, EOFError, NotImplementedError) as error:
        problem = f"the workbook is damaged or cut off ({one_line(error)})"
        raise InputError(problem, source=file.name, fix="write it again") from None


def _cell(value: Any) -> Any:
    """Excel knows no whole numbers: 42 is stored as 42.0."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


EXCEL = Format(
    "excel",
    lambda file, _: (
        file.head.startswith(b"PK") and (file.extension in (".xlsx", ".xlsm") or b"[Content_Types].xml" in file.head)
    ),
    read_excel,
)
PARQUET = Format("parquet", is_parquet, read_parquet, ParquetRanges)
CSV = Format(
    "csv",
    lambda file, wanted: delimiter_of(file.first_line, wanted, file.extension) is not None,
    read_table,
    TableRanges,
)
