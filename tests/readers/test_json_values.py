"""JSON and JSON Lines: what is which, and where a broken file breaks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.readers.files import File
from vericap.readers.json_values import (
    is_json_lines,
    looks_like_json,
    parse_document,
    parse_json,
    parse_lines,
    read_values,
)

VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
OBJECT = st.dictionaries(st.text(max_size=3), VALUE, min_size=1, max_size=3)


@given(st.lists(OBJECT, min_size=2, max_size=5), st.booleans())
def test_json_and_json_lines_give_the_same_values(rows: list[dict[str, Any]], ascii_only: bool) -> None:
    lines = "\n".join(json.dumps(row, ensure_ascii=ascii_only) for row in rows).encode()
    whole = json.dumps(rows, ensure_ascii=ascii_only, indent=1).encode()
    assert is_json_lines(lines, "") and not is_json_lines(whole, ".json")
    assert [value for batch in parse_lines(lines, "rows") for value in batch] == rows == parse_json(whole, "rows")
    assert looks_like_json(lines) and looks_like_json(whole)


@pytest.mark.parametrize(
    ("text", "json_like"),
    [(b" {}", True), (b"[[", True), (b"[UNK] a", False), (b"{a dog}", False), (b"[1]", False), (b"", False)],
)
def test_a_caption_may_start_with_a_bracket(text: bytes, json_like: bool) -> None:
    assert looks_like_json(text) is json_like


def test_one_value_on_one_line_is_not_json_lines_and_a_name_helps_a_broken_first_line() -> None:
    assert not is_json_lines(b'{"a": 1}\n', "") and not is_json_lines(b'{"a":\n1}', "")
    assert is_json_lines(b'{"a": \n{"b": 2}', ".jsonl") and not is_json_lines(b'{"a": \n{"b": 2}', ".json")


def test_values_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text('{"a": 1}\n{"b": 2}\n')
    assert read_values(File(tmp_path / "a")) == [{"a": 1}, {"b": 2}]
    (tmp_path / "a").write_text('{"a": NaN}')  # as Python writes it
    assert read_values(File(tmp_path / "a"))["a"] != read_values(File(tmp_path / "a"))["a"]


@pytest.mark.parametrize(
    ("text", "row", "problem"),
    [
        (b'[{"a": 1}, {"a" 2}]', 2, "broken at line 1, column 17"),
        (b'{"annotations": [{"a": 1},\n{a: 2}]}', 2, "broken at line 2, column 2"),
        (b'{"a": 1, "b" 2}', None, "broken at line 1, column 14"),
        (b'[{"a": 1}, {"a": "x', 2, "truncated"),
        (b'[{"a": 1}] [1]', 2, "Extra data"),
        (b"[" * 100_000, None, "nested too deeply"),
        (b"[" + b"1" * 5000 + b"]", None, "unreadable value"),
        (b'["caf\xe9"]', None, "0xe9, which is not UTF-8"),
    ],
)
def test_broken_json_names_row_line_and_column(text: bytes, row: int | None, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as error:
        parse_json(text, "r.json")
    assert error.value.source == "r.json"
    assert error.value.row == row or problem == "Extra data"


def test_a_broken_line_is_named_by_its_number() -> None:
    with pytest.raises(InputError, match="broken at column 6") as error:
        list(parse_lines(b'{"a": 1}\n{"a" 2}\n', "r.jsonl"))
    assert error.value.row == 2


@given(OBJECT)
def test_wherever_json_is_cut_it_is_said_to_be_truncated(value: dict[str, Any]) -> None:
    text = json.dumps([value])
    for end in range(2, len(text)):
        with pytest.raises(InputError, match="truncated"):
            parse_json(text[:end].encode(), "r.json")


def test_a_key_that_occurs_twice_is_refused() -> None:
    for text in ('{"1": "a", "2": "b", "1": "c"}', '{"1": ["a"], "1": ["b"]}', '{"1": "\\u0022", "1": "\\u0022"}'):
        with pytest.raises(InputError, match="occurs twice") as error:
            parse_document(text.encode(), "r.json")
        assert error.value.source == "r.json" and error.value.fix


@given(st.dictionaries(st.text(max_size=4), st.text('a":\\', max_size=6), max_size=5))
def test_keys_that_occur_once_are_not(value: dict[str, str]) -> None:
    assert parse_document(json.dumps(value).encode(), "r.json") == value
