"""A big JSON file, of which only some fields are decoded, gives what the whole gives: captions and errors."""

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


def outcome(data: bytes, wanted: Wanted, big: int) -> Any:
    try:
        captions: Captions = caption_json.from_json(data, wanted, "file", big=big)
    except InputError as error:
        return str(error)
    record = None if captions.record is None else captions.record.tolist()
    return repr([captions.captions, captions.ids, record, dict(captions.fields), dict(captions.aliases)])


@given(
    DOCUMENTS,
    st.sampled_from([None, 1]),
    st.sampled_from([(", ", ": "), (",", ":")]),
    st.booleans(),
    st.sampled_from(["candidates", "references"]),
    st.none() | st.tuples(st.integers(0, 400), DAMAGE),
)
def test_some_fields_give_what_the_whole_gives(
    document: Any, indent: int | None, separators: tuple[str, str], ascii_only: bool, role: Any, damage: Any
) -> None:
    data = json.dumps(document, indent=indent, separators=separators, ensure_ascii=ascii_only).encode()
    if damage is not None:
        place, content = damage
        data = data[:place] + content + data[place + 1 :]
    wanted = Wanted(role, keep=("domain",))
    assert outcome(data, wanted, 0) == outcome(data, wanted, 1 << 30)


def test_records_and_annotations_are_decoded_field_by_field() -> None:
    """Without it, the property above would hold of a reader that always parses the whole."""
    images = [{"id": n, "file_name": "x.jpg"} for n in range(100)]
    for document in (
        [{"image_id": n, "caption": "a dog"} for n in range(100)],
        {"info": {}, "images": images, "annotations": [{"image_id": n, "caption": "[a] dog"} for n in range(100)]},
        {"annotations": [{"image_id": 1, "caption": "dog"}] * 100, "licenses": [], "images": images},
    ):
        captions = caption_json._decode(json.dumps(document).encode(), Wanted(), "file")
        assert captions is not None and len(captions) == 100


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
