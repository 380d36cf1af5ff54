"""The scanner of records reads what JSON says, or gives up."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.corpus.columns import TextColumn
from vericap.kernels.columns import RecordScanner, gather_texts

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.tuples(st.integers(-(10**17), 10**17), TEXT), min_size=1), st.booleans(), st.sampled_from([None, 2]))
def test_captions_and_ids_are_those_that_were_written(
    rows: list[tuple[int, str]], ascii_only: bool, indent: int | None
) -> None:
    records = [{"id": number, "text": text} for number, text in rows]
    scanner = RecordScanner(json.dumps(records, ensure_ascii=ascii_only, indent=indent).encode())
    assert scanner.records([b"id", b"text"], caption=1, image_id=0) and scanner.only_blanks_left()
    numbers = scanner.numbers()
    assert numbers is not None and numbers.tolist() == [number for number, _ in rows]
    assert list(TextColumn(*scanner.captions())) == [text for _, text in rows]
    assert scanner.id_texts() is None and scanner.offsets_of_records() is None


@given(st.dictionaries(TEXT, TEXT | st.lists(TEXT, max_size=3), min_size=1))
def test_captions_by_id(captions: dict[str, str | list[str]]) -> None:
    scanner = RecordScanner(json.dumps(captions).encode())
    assert scanner.pairs() and scanner.only_blanks_left()
    groups = [[given] if isinstance(given, str) else given for given in captions.values()]
    ids = scanner.id_texts()
    assert ids is not None and list(TextColumn(*ids)) == list(captions)
    assert list(TextColumn(*scanner.captions())) == [text for group in groups for text in group]
    offsets = scanner.offsets_of_records()
    if any(isinstance(given, list) for given in captions.values()):
        assert offsets is not None and np.diff(offsets).tolist() == [len(group) for group in groups]


@pytest.mark.parametrize(
    "record",
    [
        '{"id": 1}',  # a field is not there
        '{"id": 1, "text": "a", "text": "b"}',
        '{"id": 1, "text": "a", "more": 2}',
        '{"id": "1", "text": "a"}',
        '{"id": 1.0, "text": "a"}',
        '{"id": 1e2, "text": "a"}',
        '{"id": -0, "text": "a"}',
        '{"id": 01, "text": "a"}',
        '{"id": 9223372036854775808, "text": "a"}',
        '{"id": 1, "text": null}',
        '{"id": 1, "text": ["a"]}',
        '{"id": 1, "text": "\\ud83d"}',  # half of a surrogate pair
        '{"id": 1, "text": "\\x"}',
        '{"id": 1, "text": "a\nb"}',
        '{"id": 1, "text": "a"',
        '{"id": 1, "text": "a"},',
        '{"id": 1; "text": "a"}',
    ],
)
def test_what_it_does_not_take_is_given_up(record: str) -> None:
    scanner = RecordScanner(f'[{{"id": 7, "text": "a dog"}}, {record}]'.encode())
    assert not scanner.records([b"id", b"text"], caption=1, image_id=0)


@pytest.mark.parametrize(
    ("value", "good"),
    [
        ('"\\u00e9\\n"', True),
        ("-1.25e-3", True),
        ("true", True),
        ("false", True),
        ("null", True),
        ('[1, {"a": []}, {}]', True),
        ("[" * 200 + "]" * 200, False),  # deeper than it goes
        ("1e999", False),
        ("01", False),
        ("-", False),
        ("1.", False),
        ("tru", False),
        ("NaN", False),
        ("[1,]", False),
        ('{"a" 1}', False),
        ('{"a": 1,}', False),
    ],
)
def test_values_that_are_passed_over_are_checked(value: str, good: bool) -> None:
    scanner = RecordScanner(value.encode())
    assert (scanner.skip() and scanner.only_blanks_left()) is good


def test_a_line_is_a_record_and_blank_lines_count() -> None:
    scanner = RecordScanner(b'{"t": "a"}\n\r\n \n{"t": "b"}\n\n', lines=True)
    assert scanner.records([b"t"], caption=0, image_id=-1)
    lines = scanner.lines_of_records()
    assert lines is not None and lines.tolist() == [1, 4]
    assert not RecordScanner(b'{"t":\n"a"}', lines=True).records([b"t"], caption=0, image_id=-1)


def test_no_rows_have_no_bytes() -> None:
    nothing = np.zeros(0, np.int64)
    assert len(gather_texts(np.zeros(0, np.uint8), np.zeros(1, np.int64), nothing, np.zeros(1, np.int64))) == 0
