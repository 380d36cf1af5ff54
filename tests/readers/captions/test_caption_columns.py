"""Captions in columns: what counts as a caption and as an id, and where an error points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, RawCaptions, count_from_one


def raw(values: list[Any], ids: list[Any] | None = None, **more: Any) -> RawCaptions:
    return RawCaptions("results.json", values, ids, id_field="image_id", caption_field="caption", **more)


def test_one_caption_for_each_record() -> None:
    found = raw(["a dog", np.str_("a cat")], [np.int64(7), "b.jpg"]).checked({"x.jpg": 7})
    assert found.captions == ["a dog", "a cat"] and found.ids == [7, "b.jpg"]
    assert found.record is None and found.records == len(found) == 2
    assert found.records_of_captions.tolist() == [0, 1] and found.aliases == {"x.jpg": 7}
    assert all(type(caption) is str for caption in found.captions) and type((found.ids or [0])[0]) is int


def test_several_captions_of_a_record_where_lists_are_allowed() -> None:
    found = raw([["a", "b"], "c", [], ("d",), np.array(["e"])], lists=True).checked()
    assert found.captions == ["a", "b", "c", "d", "e"]
    assert found.records_of_captions.tolist() == [0, 0, 1, 3, 4] and found.records == 5


def test_records_are_counted_from_one_unless_the_source_has_other_names() -> None:
    assert Captions("x", ["a"]).row_name(0) == count_from_one(0) == 1
    with pytest.raises(InputError, match="row line 12"):
        raw([7], row_name=lambda record: f"line {record + 12}").checked()


@pytest.mark.parametrize(
    ("values", "ids", "row", "field", "problem"),
    [
        ([], None, None, None, "there is no caption in it"),
        (["a", 7], None, 2, "caption", r"the caption is a number \(7\)"),
        (["a", None], None, 2, "caption", "the caption is null"),
        (["a", ["b"]], None, 2, "caption", "the caption is a list"),
        (["a", "\ud83d"], None, 2, "caption", "half of a surrogate pair"),
        (["a", "b"], [1, None], 2, "image_id", "the image id is null"),
        (["a", "b"], [1, 1.5], 2, "image_id", "the image id is a number"),
        (["a", "b"], [1, True], 2, "image_id", "the image id is a truth value"),
        (["a", "b"], [1, 2**64], 2, "image_id", "does not fit into 64 bits"),
        (["a", "b"], [1, -(2**63) - 1], 2, "image_id", "does not fit into 64 bits"),
        (["a", "b"], [1, "\ud83d"], 2, "image_id", "half of a surrogate pair"),
    ],
)
def test_what_is_wrong_names_row_and_field(
    values: list[Any], ids: list[Any] | None, row: int | None, field: str | None, problem: str
) -> None:
    with pytest.raises(InputError, match=problem) as error:
        raw(values, ids).checked()
    assert (error.value.source, error.value.row, error.value.field) == ("results.json", row, field)
    assert error.value.fix


def test_a_caption_inside_a_list_is_named_by_its_place() -> None:
    with pytest.raises(InputError, match="caption 3 of the list is null") as error:
        raw([["a"], ["b", "c", None]], lists=True).checked()
    assert error.value.row == 2
    with pytest.raises(InputError, match="half of a surrogate pair") as error:
        raw([["a", "b"], ["c", "\ud83d"]], lists=True).checked()
    assert error.value.row == 2


def test_the_largest_ids_are_whole() -> None:
    assert raw(["a", "b"], [2**64 - 1, -(2**63)]).checked().ids == [2**64 - 1, -(2**63)]
