"""What the scanner reads is what the parsers of small files read, in every shape that it takes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.readers.captions.test_caption_json import DAMAGE, GOOD_RECORDS, TRICKS, VALUES
from vericap.errors import InputError
from vericap.readers.captions import caption_json
from vericap.readers.captions.scanned import scan_json, scan_lines
from vericap.readers.fields import Wanted

CAPTIONS = TRICKS | st.lists(TRICKS, max_size=3) | VALUES
BY_ID = st.dictionaries(TRICKS | st.integers(0, 99).map(str), CAPTIONS, max_size=6)
SIDES = st.sampled_from(["candidates", "references"])


def outcome(read: Any, data: bytes, wanted: Wanted, big: int) -> Any:
    try:
        captions = read(data, wanted, "file", big=big)
    except InputError as error:
        return str(error)
    record = None if captions.record is None else captions.record.tolist()
    rows = [captions.row_name(row) for row in range(captions.records)]
    return repr([captions.captions, captions.ids, record, rows, captions.names])


def damaged(data: bytes, damage: Any) -> bytes:
    return data if damage is None else data[: damage[0]] + damage[1] + data[damage[0] + 1 :]


@given(BY_ID, st.booleans(), SIDES, st.none() | st.tuples(st.integers(0, 200), DAMAGE))
def test_captions_by_id(document: Any, ascii_only: bool, side: Any, damage: Any) -> None:
    data = damaged(json.dumps(document, ensure_ascii=ascii_only).encode(), damage)
    read, wanted = caption_json.from_json, Wanted(side)
    assert outcome(read, data, wanted, 0) == outcome(read, data, wanted, 1 << 30)


@given(
    st.lists(GOOD_RECORDS | st.just(None), min_size=1, max_size=6),
    st.booleans(),
    SIDES,
    st.none() | st.tuples(st.integers(0, 300), DAMAGE),
)
def test_lines(records: list[Any], ascii_only: bool, side: Any, damage: Any) -> None:
    lines = ["" if record is None else json.dumps(record, ensure_ascii=ascii_only) for record in records]
    data = damaged("\n".join(lines).encode(), damage)
    read, wanted = caption_json.from_json_lines, Wanted(side)
    assert outcome(read, data, wanted, 0) == outcome(read, data, wanted, 1 << 30)


COCO = {
    "info": {"year": 2014},
    "images": [{"id": 7, "file_name": "7.jpg"}, {"id": 8, "file_name": "8.jpg"}],
    "annotations": [{"image_id": 8, "id": 1, "caption": "a cat"}, {"id": 2, "image_id": 7, "caption": "a dog"}],
}


def test_cocos_shape_with_the_names_of_its_images() -> None:
    captions = scan_json(json.dumps(COCO).encode(), Wanted("references"), "captions.json")
    assert captions is not None
    assert (captions.captions, captions.ids) == (["a cat", "a dog"], [8, 7])
    assert captions.aliases == {"7.jpg": 7, "8.jpg": 8}


@pytest.mark.parametrize(
    "document",
    [
        '[{"image_id": 7, "caption": "a dog"}] x',
        '{"annotations": [{"image_id": 7, "caption": "a dog"}], "annotations": []}',
        '{"annotations": [{"image_id": 7, "caption": "a dog", "is_rejected": false}]}',
        '{"7": "a dog", "7": "a cat"}',
        '{"caption": ["a dog", "a cat"]}',
        '{"7": {"caption": "a dog"}}',
        "[]",
        "{}",
        "7",
    ],
)
def test_other_shapes_are_left_to_others(document: str) -> None:
    assert scan_json(document.encode(), Wanted(), "results.json") is None


def test_lines_of_other_values_are_left_to_others() -> None:
    assert scan_lines(b'"a dog"\n"a cat"', Wanted(), "results.jsonl") is None
    assert scan_lines(b'[{"caption": "a dog"}]\n', Wanted(), "results.jsonl") is None
