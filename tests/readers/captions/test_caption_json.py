"""A big JSON file, of which only some fields are decoded, gives what the whole gives: captions and errors."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
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
    st.none()
    | st.tuples(
        st.integers(0, 400), st.binary(max_size=2) | st.sampled_from([b"\x0b", b" \x0c", b"\r\n", b"}, {", b"]"])
    ),
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
