"""Parquet files and the tables of pyarrow, pandas and Hugging Face datasets → captions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, Wanted
from vericap.readers.captions.caption_shapes import from_columns
from vericap.readers.messages import one_line


def read_parquet(data: bytes, wanted: Wanted, source: str) -> Captions:
    """Captions of a Parquet file; only the columns that are wanted are decoded."""
    import pyarrow
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(data))
        names = list(file.schema_arrow.names)
        kept = [name for name in names if _may_be_wanted(name, names, wanted)]
        if wanted.caption_in(names) is None:
            raise wanted.no_caption(names, source)
        table = file.read(columns=kept)
        return from_arrow(table, wanted, source)
    except InputError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, UnicodeError, NotImplementedError) as error:
        raise InputError(
            f"the Parquet data is damaged or truncated ({one_line(error)})", source=source, fix="write it again"
        ) from None


def _may_be_wanted(name: str, names: list[str], wanted: Wanted) -> bool:
    if name in wanted.fields or name == wanted.caption_in(names):
        return True
    return wanted.ids_in([name], lambda _: 0) is not None


def from_arrow(table: Any, wanted: Wanted, source: str) -> Captions:
    """Captions of a pyarrow table."""
    return _from_table(table.column_names, lambda name: table.column(name).to_pylist(), wanted, source)


def _from_table(names: Iterable[Any], column: Callable[[str], list[Any]], wanted: Wanted, source: str) -> Captions:
    names = list(names)
    repeated = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if repeated is not None:
        raise InputError("two columns have this name", source=source, field=str(repeated), fix="rename one")
    names = [name for name in names if isinstance(name, str)]
    caption_field = wanted.caption_in(names)
    if caption_field is None:
        raise wanted.no_caption(names, source)
    kept = [name for name in names if _may_be_wanted(name, names, wanted)]
    return from_columns({name: column(name) for name in kept}, wanted, source)


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
            raise InputError(f"the table cannot be read ({one_line(error)})", source=source) from None
    return None
