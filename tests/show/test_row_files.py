"""Rows with scores as files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from vericap.errors import InputError
from vericap.results.score_rows import ScoreRows
from vericap.show.row_files import KINDS, as_row_file, kind_of

ROWS = ScoreRows(
    {
        "id": [7, 8],
        "caption": ["=1+1, a dog", "a\ncat \x1b"],
        "tags": [["a", "b"], None],
        "spice": [0.1 + 0.2, None],
    }
)


def content(name: str) -> bytes:
    return b"".join(as_row_file(ROWS, Path(name)))


def test_json_lines_hold_every_value_as_it_is() -> None:
    lines = [json.loads(line) for line in content("x.jsonl").splitlines()]
    assert lines == [{name: column[row] for name, column in ROWS.columns.items()} for row in (0, 1)]


@pytest.mark.parametrize(("name", "delimiter"), [("x.csv", ","), ("x.TSV", "\t")])
def test_delimited_files_hold_the_exact_text(name: str, delimiter: str) -> None:
    head, first, second = csv.reader(io.StringIO(content(name).decode(), newline=""), delimiter=delimiter)
    assert head == ["id", "caption", "tags", "spice"]
    assert first == ["7", "=1+1, a dog", '["a","b"]', "0.30000000000000004"]
    assert second == ["8", "a\ncat \x1b", "", ""]


def test_parquet_keeps_types() -> None:
    table = parquet.read_table(pyarrow.BufferReader(content("x.parquet")))
    assert table.to_pydict() == ROWS.columns and table.schema.field("spice").type == pyarrow.float64()


def test_what_a_format_cannot_hold_is_an_error_that_names_the_column() -> None:
    with pytest.raises(InputError, match=r'x\.parquet, field "a": the column has values of several types'):
        list(as_row_file(ScoreRows({"a": [1, "x"]}), Path("x.parquet")))
    with pytest.raises(InputError, match=r'x\.jsonl, row 1, field "a": the value cannot be written as JSON'):
        list(as_row_file(ScoreRows({"a": [b"\xff"]}), Path("x.jsonl")))


def test_an_unknown_kind_is_an_error() -> None:
    assert kind_of(Path("a/B.JSONL")) in KINDS
    with pytest.raises(InputError, match=r"x\.xls: '\.xls' is not a kind of table; use one of \.parquet"):
        kind_of(Path("x.xls"))
