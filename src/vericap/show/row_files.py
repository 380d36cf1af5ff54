"""Rows with their scores as a file that other programs read: Parquet, JSON Lines, CSV or TSV, every text as it is."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from vericap.errors import InputError
from vericap.results.score_rows import ScoreRows


def as_row_file(rows: ScoreRows, path: Path) -> Iterable[bytes]:
    """Return the content of a file whose name says of which kind it is.

    >>> b"".join(as_row_file(ScoreRows({"id": [7], "spice": [0.5]}), Path("scores.jsonl")))
    b'{"id":7,"spice":0.5}\\n'
    """
    return KINDS[kind_of(path)](rows, str(path))


def kind_of(path: Path) -> str:
    """Return the kind of a file of rows, by its name."""
    ending = path.suffix.lower()
    if ending not in KINDS:
        raise InputError(
            f"{ending or path.name!r} is not a kind of table", source=str(path), fix=f"use one of {', '.join(KINDS)}"
        )
    return ending


def _json_lines(rows: ScoreRows, source: str) -> Iterator[bytes]:
    for number, values in enumerate(zip(*rows.columns.values(), strict=True), 1):
        row = dict(zip(rows.columns, values, strict=True))
        try:
            yield orjson.dumps(row, option=_JSON)
        except TypeError:
            name = next(name for name, value in row.items() if not _fits_json(value))
            raise InputError(
                "the value cannot be written as JSON", source=source, row=number, field=name, fix="write .parquet"
            ) from None


_JSON = orjson.OPT_APPEND_NEWLINE | orjson.OPT_SERIALIZE_NUMPY


def _fits_json(value: Any) -> bool:
    try:
        orjson.dumps(value, option=_JSON)
    except TypeError:
        return False
    return True


def _delimited(rows: ScoreRows, source: str, delimiter: str) -> Iterator[bytes]:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(rows.columns)
    writer.writerows([_cell(value, source) for value in values] for values in zip(*rows.columns.values(), strict=True))
    yield text.getvalue().encode()


def _cell(value: Any, source: str) -> Any:
    """Return a value as a cell: lists and objects as JSON, what is missing as nothing."""
    if isinstance(value, list | dict):
        try:
            return orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY).decode()
        except TypeError:
            raise InputError("a value cannot be written as CSV", source=source, fix="write .parquet") from None
    return "" if value is None else value


def _parquet(rows: ScoreRows, source: str) -> Iterator[bytes]:
    import pyarrow
    from pyarrow import parquet

    columns = {}
    for name, column in rows.columns.items():
        try:
            columns[name] = pyarrow.array(column)
        except (pyarrow.ArrowException, OverflowError, ValueError):
            raise InputError(
                "the column has values of several types, which Parquet cannot hold",
                source=source,
                field=name,
                fix="write .jsonl",
            ) from None
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(columns), sink)
    yield sink.getvalue().to_pybytes()


KINDS: dict[str, Callable[[ScoreRows, str], Iterable[bytes]]] = {
    ".parquet": _parquet,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": partial(_delimited, delimiter=","),
    ".tsv": partial(_delimited, delimiter="\t"),
}
