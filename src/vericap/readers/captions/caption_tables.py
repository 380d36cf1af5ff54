"""Parquet files and the tables of pyarrow, pandas and Hugging Face datasets → captions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.caption_shapes import from_columns
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.messages import one_line


def read_parquet(file: File, wanted: Wanted) -> Captions:
    """Captions of a Parquet file; only the columns that are wanted are decoded."""
    import pyarrow
    from pyarrow import parquet

    source = file.name
    try:
        stored = parquet.ParquetFile(pyarrow.BufferReader(file.data))
        names = list(stored.schema_arrow.names)
        if wanted.captions_in(names) is None:
            raise wanted.no_captions(names, source)
        return from_arrow(stored.read(columns=_columns(names, wanted)), wanted, source)
    except InputError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, UnicodeError, NotImplementedError) as error:
        raise InputError(
            f"the Parquet data is damaged or truncated ({one_line(error)})", source=source, fix="write it again"
        ) from None


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
