"""JSON documents and Python objects: each shape gives the same captions."""

from __future__ import annotations

from typing import Any

import pytest

from vericap.errors import InputError
from vericap.readers.captions.caption_shapes import from_columns, from_value
from vericap.readers.fields import Wanted

SHAPES: dict[str, Any] = {
    "records": [{"image_id": 42, "caption": "a dog"}, {"image_id": 7, "caption": "a cat"}],
    "annotations": {"annotations": [{"image_id": 42, "caption": "a dog"}, {"image_id": 7, "caption": "a cat"}]},
    "columns": {"image_id": [42, 7], "caption": ["a dog", "a cat"]},
    "ids": {42: "a dog", 7: "a cat"},
    "lists of ids": {42: ["a dog"], 7: ["a cat"]},
    "tuple": ({"id": 42, "text": "a dog"}, {"id": 7, "text": "a cat"}),
}


@pytest.mark.parametrize("name", SHAPES)
def test_each_shape_gives_the_same_captions(name: str) -> None:
    found = from_value(SHAPES[name], Wanted(), "given")
    assert (found.ids, found.captions, found.source) == ([42, 7], ["a dog", "a cat"], "given")


def test_one_record_alone_and_keys_that_look_like_one() -> None:
    assert from_value({"image_id": 42, "caption": "a dog"}, Wanted(), "given").ids == [42]
    assert from_value({"1": "a dog", "caption": "a cat"}, Wanted(), "given").ids == ["1", "caption"]


def test_coco_tells_file_names_and_fields_of_images() -> None:
    value = {
        "images": [{"id": 42, "file_name": "a.jpg", "domain": "in"}, {"id": 7, "domain": "out"}, "odd"],
        "annotations": [{"image_id": 7, "caption": "a cat"}, {"image_id": 42, "caption": "a dog"}],
    }
    found = from_value(value, Wanted("references", keep=("domain",)), "given")
    assert found.aliases == {"a.jpg": 42} and found.fields == {"domain": ["out", "in"]}


def test_images_of_another_kind_are_left_alone_and_a_lacking_field_is_named() -> None:
    annotations = [{"image_id": 1, "caption": "a"}, {"image_id": 2, "caption": "b"}]
    value = {"annotations": annotations, "images": "nothing of COCO's"}
    assert from_value(value, Wanted(keep=("domain",)), "captions.json").ids == [1, 2]
    value["images"] = [{"id": 1, "domain": "in"}, {"id": 1.5}, 7]
    with pytest.raises(InputError, match="image 2 has no such field in the list of images") as error:
        from_value(value, Wanted(keep=("domain",)), "captions.json")
    assert (error.value.source, error.value.field) == ("captions.json", "domain")


def test_karpathys_file_names_images_by_their_coco_id_or_their_file() -> None:
    images = [
        {"cocoid": 42, "filename": "x.jpg", "split": "test", "sentences": [{"raw": "a dog"}, {"raw": "dogs"}]},
        {"filename": "1001.jpg", "split": "val", "sentences": [{"raw": "a cat"}]},
    ]
    found = from_value({"images": images, "dataset": "coco"}, Wanted("references", keep=("split",)), "dataset.json")
    assert found.ids == [42, "1001.jpg"] and found.captions == ["a dog", "dogs", "a cat"]
    assert found.fields == {"split": ["test", "val"]}
    with pytest.raises(InputError, match='no "filename" or no "sentences"') as error:
        from_value({"images": [*images, {"filename": "y.jpg"}]}, Wanted("references"), "dataset.json")
    assert error.value.row == 3


def test_columns_keep_what_is_wanted_and_name_their_rows() -> None:
    columns = {"id": [1, 2], "text": ["a", "b"], "score": [0.1, 0.2], "other": [0, 0]}
    found = from_columns(columns, Wanted(keep=("score",)), "t.csv", lambda row: f"{row + 1} (line {row + 2})")
    assert found.fields == {"score": [0.1, 0.2]} and found.row_name(1) == "2 (line 3)"
    with pytest.raises(InputError, match="no field holds the captions"):
        from_columns({"id": [1]}, Wanted(), "t.csv")


def test_a_column_of_references_may_hold_lists_and_one_of_candidates_may_not() -> None:
    lists = {"id": [1, 2], "caption": [["a", "b"], ["c"]]}
    assert from_columns(lists, Wanted("references"), "t").captions == ["a", "b", "c"]
    with pytest.raises(InputError, match="the caption is a list"):
        from_columns(lists, Wanted(), "t")


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (7, r"the top level is a number \(7\)"),
        ("a dog", "the top level is a string"),
        ({"1": {"text": "a"}}, r"the value of '1' \(row 1\) is an object"),
        ({"annotations": {"1": "a"}}, "without a list of annotations"),
        ({"images": [], "info": {}}, "without a list of annotations"),
    ],
)
def test_another_shape_says_which_are_known(value: Any, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as error:
        from_value(value, Wanted(), "given")
    assert error.value.source == "given" and "{id: [captions]}" in str(error.value.fix)


@pytest.mark.parametrize("value", [[], {}, {"annotations": []}, {"image_id": [], "caption": []}])
def test_nothing_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="there is no caption in it"):
        from_value(value, Wanted(), "given")


def test_a_value_of_an_id_names_the_id() -> None:
    with pytest.raises(InputError, match="caption") as error:
        from_value({"a.jpg": "a", "b.jpg": 7}, Wanted(), "given")
    assert error.value.row == "2 (id 'b.jpg')"
