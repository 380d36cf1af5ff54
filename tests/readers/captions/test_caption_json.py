"""What is scanned of a big JSON file is what the parser of small files reads: captions and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.readers import read_captions, read_references
from vericap.readers.captions import caption_json
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.fields import Wanted

TRICKS = st.sampled_from(
    [
        "a dog",
        "},{",
        "}, {",
        '"}]',
        ']},"annotations":[{',
        '"annotations": [',
        "\\",
        '\\"',
        "é🐕\u2028",
        "",
        "[{",
        "}]}",
    ]
)
VALUES = st.recursive(
    TRICKS | st.integers(-5, 5) | st.none() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TRICKS, inner, max_size=3),
    max_leaves=5,
)
GOOD_RECORDS = st.fixed_dictionaries(
    {"image_id": st.integers(0, 9) | TRICKS, "caption": TRICKS},
    optional={"images": VALUES, "annotations": VALUES, "id": VALUES, "x": VALUES},
)
RECORDS = st.lists(GOOD_RECORDS, min_size=1, max_size=8) | st.lists(GOOD_RECORDS | VALUES, max_size=8)
IMAGES = st.lists(st.fixed_dictionaries({"id": st.integers(0, 9)}, optional={"file_name": TRICKS, "domain": VALUES}))
DOCUMENTS = RECORDS | st.fixed_dictionaries(
    {},
    optional={"info": VALUES, "images": IMAGES | VALUES, "annotations": RECORDS, 'x"annotations': RECORDS, "y": VALUES},
)
DAMAGE = st.binary(max_size=2) | st.sampled_from([b"\x0b", b" \x0c", b"\r\n", b"}, {", b"]"])


CAPTIONS = TRICKS | st.lists(TRICKS, max_size=3) | VALUES
BY_ID = st.dictionaries(TRICKS | st.integers(0, 99).map(str), CAPTIONS, max_size=6)
SIDES = st.sampled_from(["candidates", "references"])
PLACES = st.none() | st.tuples(st.integers(0, 400), DAMAGE)


def outcome(read: Any, data: bytes, wanted: Wanted, big: int) -> Any:
    try:
        captions: Captions = read(data, wanted, "file", big=big)
    except InputError as error:
        return str(error)
    record = None if captions.record is None else captions.record.tolist()
    rows = [captions.row_name(row) for row in range(captions.records)]
    fields, aliases = dict(captions.fields), dict(captions.aliases)
    return repr([captions.captions, captions.ids, record, rows, captions.names, fields, aliases])


def same(read: Any, data: bytes, wanted: Wanted, damage: Any) -> bool:
    if damage is not None:
        place, content = damage
        data = data[:place] + content + data[place + 1 :]
    return bool(outcome(read, data, wanted, 0) == outcome(read, data, wanted, 1 << 30))


@given(
    DOCUMENTS | BY_ID,
    st.sampled_from([None, 1]),
    st.sampled_from([(", ", ": "), (",", ":")]),
    st.booleans(),
    SIDES,
    st.sampled_from([(), ("domain",)]),
    PLACES,
)
def test_a_big_document_is_read_as_a_small_one(
    document: Any, indent: int | None, separators: tuple[str, str], ascii_only: bool, side: Any, keep: Any, damage: Any
) -> None:
    data = json.dumps(document, indent=indent, separators=separators, ensure_ascii=ascii_only).encode()
    assert same(caption_json.from_json, data, Wanted(side, keep=keep), damage)


@given(st.lists(GOOD_RECORDS | st.just(None), min_size=1, max_size=6), st.booleans(), SIDES, PLACES)
def test_big_lines_are_read_as_small_ones(records: list[Any], ascii_only: bool, side: Any, damage: Any) -> None:
    lines = ["" if record is None else json.dumps(record, ensure_ascii=ascii_only) for record in records]
    assert same(caption_json.from_json_lines, "\n".join(lines).encode(), Wanted(side), damage)


IMAGES_OF_COCO = [{"id": n, "file_name": f"{n}.jpg"} for n in range(100)]


@pytest.mark.parametrize("caption", ["[a] dog", 'a "dog"', "un café\n"])
def test_records_and_annotations_are_scanned(caption: str) -> None:
    """Without it, the properties above would hold of a reader that always parses the whole."""
    rows = [{"image_id": n, "caption": caption, "id": None} for n in range(100)]
    for document in (rows, {"info": {}, "images": IMAGES_OF_COCO, "annotations": rows}, {"annotations": rows, "x": []}):
        captions = caption_json._scan(json.dumps(document).encode(), Wanted(), "file")
        assert captions is not None and captions.captions == [caption] * 100
        assert captions.ids == list(range(100)) and len(captions.aliases) == 100 * ("images" in document)
    lines = "\n".join(json.dumps({**row, "image_id": f"{row['image_id']}.jpg"}) for row in rows)
    captions = caption_json._scan(lines.encode(), Wanted(), "file", lines=True)
    assert captions is not None and captions.ids is not None and captions.ids[1] == "1.jpg"


@pytest.mark.parametrize(
    "document",
    [
        '[{"image_id": 7, "caption": "a dog"}] x',
        '{"annotations": [{"image_id": 7, "caption": "a dog"}], "annotations": []}',
        '{"annotations": [], "annotations": [{"image_id": 7, "caption": "a dog"}]}',
        '{"x": {"annotations": [{"image_id": 7, "caption": "a dog"}]}}',
        '{"annotations": [{"image_id": 7, "caption": "a dog", "is_rejected": false}]}',
        '{"7": "a dog", "7": "a cat"}',
        '{"caption": ["a dog", "a cat"]}',
        '{"7": {"caption": "a dog"}}',
        "[]",
        "{}",
        "7",
    ],
)
def test_other_shapes_are_parsed_as_a_whole(document: str) -> None:
    assert caption_json._scan(document.encode(), Wanted(), "results.json") is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"image_id": 1, "caption": "a", "caption": "b"}]', 'row 1, field "caption": the field occurs twice'),
        ('{"image_id": 1, "caption": "a"}\n{"image_id": 2, "caption": "a", "caption": "b"}', 'row 2, field "caption"'),
        ('{"annotations": [], "annotations": [{"image_id": 1, "caption": "b"}]}', "'annotations' occurs twice"),
        (
            '{"images": [], "annotations": [{"image_id": 1, "caption": "b", "image_id": 2}]}',
            'row 1 of annotations, field "image_id"',
        ),
        ('{"1": "a", "2": "b", "1": "c"}', "'1' occurs twice, in rows 1 and 3"),
        ('{"1": ["a \\": b"], "2": ["c"], "2": ["d"]}', "'2' occurs twice, in rows 2 and 3"),
    ],
)
def test_a_key_that_occurs_twice_is_refused(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(content)
    for read in (read_captions, read_references):
        with pytest.raises(InputError) as caught:
            read(tmp_path / "r.json")
        assert message in str(caught.value)


def test_a_key_that_occurs_twice_in_a_large_file_is_refused(tmp_path: Path) -> None:
    rows = [json.dumps({"image_id": i, "caption": f"caption number {i}"}) for i in range(20_000)]
    rows[15_000] = '{"image_id": 15000, "caption": "one", "caption": "two"}'
    for content in ("[" + ",".join(rows) + "]", '{"annotations": [' + ",".join(rows) + "]}"):
        (tmp_path / "r.json").write_text(content)
        with pytest.raises(InputError, match=r'row 15001.*field "caption": the field occurs twice'):
            read_captions(tmp_path / "r.json")


def test_a_colon_behind_a_quotation_mark_in_a_caption_is_no_key(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps({"1": 'a sign that says "stop": red', "2": 'x": y'}))
    assert read_captions(tmp_path / "r.json").captions == ['a sign that says "stop": red', 'x": y']
