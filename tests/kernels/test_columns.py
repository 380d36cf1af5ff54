"""The scanner of records reads what JSON says, or gives up."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.corpus.columns import TextColumn
from vericap.kernels.columns import RecordScanner, gather_texts

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters='"\\'))


@given(st.lists(st.tuples(st.integers(-(10**17), 10**17), TEXT), min_size=1), st.sampled_from([None, 2]))
def test_captions_and_ids_are_those_that_were_written(rows: list[tuple[int, str]], indent: int | None) -> None:
    records = [{"id": number, "text": text, "again": text} for number, text in rows]
    data = json.dumps(records, ensure_ascii=False, indent=indent).encode()
    scanner = RecordScanner(data, ["id", "text", "again"])
    assert scanner.read(1, caption=1, image_id=0, text_ids=False) == len(data)
    assert scanner.numbers().tolist() == [number for number, _ in rows]
    assert list(TextColumn(*scanner.captions())) == [text for _, text in rows]
    assert scanner.read(1, caption=1, image_id=2, text_ids=True) == len(data)
    assert list(TextColumn(*scanner.id_texts())) == [text for _, text in rows]


def test_escapes_stay_as_they_are_written() -> None:
    scanner = RecordScanner(rb'{"t": "a \"dog\" \u00e9\\"}', ["t"], lines=True)
    assert scanner.read(0, caption=0, image_id=-1, text_ids=False)
    assert scanner.captions()[0].tobytes() == rb"a \"dog\" \u00e9\\"


@pytest.mark.parametrize(
    "record",
    [
        '{"id": 1}',  # a field is not there
        '{"id": 1, "text": "a", "text": "b"}',
        '{"id": 1, "text": "a", "more": 2}',
        '{"text": "a", "id": 1}',
        '{"id": "1", "text": "a"}',
        '{"id": 1.0, "text": "a"}',
        '{"id": 1e2, "text": "a"}',
        '{"id": 01, "text": "a"}',
        '{"id": 9223372036854775808, "text": "a"}',
        '{"id": 1, "text": null}',
        '{"id": 1, "text": ["a"]}',
        '{"id": 1, "text": "a\nb"}',
        '{"id": 1, "text": "a\\"}',
        '{"id": 1, "text": "a"',
        '{"id": 1, "text": "a"},',
        '{"id": 1; "text": "a"}',
    ],
)
def test_what_it_does_not_take_is_given_up(record: str) -> None:
    scanner = RecordScanner(f'[{{"id": 7, "text": "a dog"}}, {record}]'.encode(), ["id", "text"])
    assert scanner.read(1, caption=1, image_id=0, text_ids=False) == 0


@pytest.mark.parametrize("value", ['"a dog"', '""', "true", "false", "null", "0", "-12", "-0.25"])
def test_plain_values_are_passed_over(value: str) -> None:
    scanner = RecordScanner(f'[{{"x": {value}, "t": "a"}}]'.encode(), ["x", "t"])
    assert scanner.read(1, caption=1, image_id=-1, text_ids=False)


@pytest.mark.parametrize("value", ["1.", "1e9", "01", "-", "tru", "NaN", "[1]", "{}", '"\\n"', '"\n"', '"'])
def test_values_that_are_passed_over_are_checked(value: str) -> None:
    scanner = RecordScanner(f'[{{"x": {value}, "t": "a"}}]'.encode(), ["x", "t"])
    assert scanner.read(1, caption=1, image_id=-1, text_ids=False) == 0


@pytest.mark.parametrize(
    ("lines", "good"),
    [('{"t": "a"}\r\n {"t": "b"} ', True), ('{"t":\n"a"}', False), ('{"t": "a"}\n\n{"t": "b"}', False)],
)
def test_a_line_is_a_record(lines: str, good: bool) -> None:
    scanner = RecordScanner(lines.encode(), ["t"], lines=True)
    assert bool(scanner.read(0, caption=0, image_id=-1, text_ids=False)) is good


def test_no_rows_have_no_bytes() -> None:
    nothing = np.zeros(0, np.int64)
    assert len(gather_texts(np.zeros(0, np.uint8), np.zeros(1, np.int64), nothing, np.zeros(1, np.int64))) == 0
