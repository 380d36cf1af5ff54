"""Rows of JSON from columns of it: the bytes are those that orjson writes for each value."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.corpus.columns import TextColumn
from vericap.kernels.json_rows import interleaved, quoted

TEXT = st.text(st.characters(exclude_categories=["Cs"])) | st.text('"\\,[]{}\n\0\x1f\x7fé🐕')
VALUE = TEXT | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.none()


@given(st.lists(TEXT))
def test_texts_are_quoted_as_orjson_does(texts: list[str]) -> None:
    column = TextColumn.of(texts)
    assert quoted(column.data, column.offsets) == orjson.dumps(texts)


def test_every_character_that_json_escapes() -> None:
    text = "".join(map(chr, range(256)))
    column = TextColumn.of([text])
    assert quoted(column.data, column.offsets) == orjson.dumps([text])


def test_a_part_of_a_column_is_quoted() -> None:
    column = TextColumn.of(["a dog", 'a "cat"', "an owl"])[1:]
    assert quoted(column.data, column.offsets) == b'["a \\"cat\\"","an owl"]'


@given(st.lists(st.tuples(VALUE, VALUE), min_size=1), TEXT)
def test_rows_read_again_are_the_columns(rows: list[tuple[Any, Any]], key: str) -> None:
    pieces = [b'\n{"value":', b"," + orjson.dumps(f"{key}.") + b":", b"}"]
    written = interleaved(pieces, [orjson.dumps(column) for column in zip(*rows, strict=True)], len(rows))
    records = [{"value": first, f"{key}.": second} for first, second in rows]
    assert written == b"".join(b"\n" + orjson.dumps(record) for record in records)
    assert [json.loads(line) for line in written.split(b"\n")[1:]] == records


def test_pieces_may_be_empty() -> None:
    assert interleaved([b"", b"", b""], [b"[1,2]", b'["","]"]'], 2) == b'1""2"]"'


@pytest.mark.parametrize("short", [b"[]", b"[1]", b"[1,2,3]"])
def test_a_column_of_another_length_is_an_error(short: bytes) -> None:
    for columns in ([short, b'["a","b"]'], [b'["a","b"]', short]):
        with pytest.raises(ValueError, match="one value for each of the 2 rows"):
            interleaved([b"", b",", b""], columns, 2)


def test_a_piece_is_missing() -> None:
    with pytest.raises(ValueError, match="1 pieces cannot surround 1 columns"):
        interleaved([b""], [b"[1]"], 1)
