"""Objects in JSON and in Python: each shape gives the same rows, and a shape that is none is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vericap.errors import InputError
from vericap.readers.fields import Fields, Wanted
from vericap.readers.files import File
from vericap.readers.objects import OBJECTS
from vericap.readers.objects.object_shapes import from_value, read_json

# Image 42 shows two dogs, image 7 nothing.
SHAPES: dict[str, Any] = {
    "labels": {42: ["dog", "dog"], 7: []},
    "counts": {42: {"dog": 2, "cat": 0}, 7: {}},
    "objects": {42: [{"name": "dog"}, {"class": "dog"}], 7: []},
    "records of images": [{"image_id": 42, "objects": ["dog", "dog"]}, {"image_id": 7, "labels": []}],
    "torchvision": [
        {"image_id": 42, "labels": ["dog", "dog"], "scores": [0.5, 1], "boxes": [[0, 0, 2, 2]] * 2},
        {"image_id": 7, "labels": [], "scores": []},
    ],
}


@pytest.mark.parametrize("name", SHAPES)
def test_each_shape_gives_the_same_rows(name: str) -> None:
    rows = from_value(SHAPES[name])
    assert (rows.ids, rows.labels, list(rows.images)) == ([42, 42], ["dog", "dog"], [42, 7])


def test_coco_instances_know_images_without_an_object_and_file_names() -> None:
    rows = from_value(
        {
            "images": [{"id": 42, "file_name": "a.jpg"}, {"id": 7}],
            "categories": [{"id": 1, "name": "dog"}],
            "annotations": [{"image_id": 42, "category_id": 1, "bbox": [1, 2, 30, 40]}],
        }
    )
    assert (rows.ids, rows.labels, rows.names) == ([42], [1], {1: "dog"})
    assert list(rows.images) == [42, 7] and rows.aliases == {"a.jpg": 42}
    assert rows.boxes == [(1, 2, 30, 40)]


def test_a_box_is_read_as_its_field_says() -> None:
    """COCO's bbox is x, y, width, height; VOC's, told by `difficult`, and `box` have corners."""
    objects = [
        {"name": "dog", "bbox": [1, 2, 30, 40]},
        {"name": "dog", "bbox": [1, 2, 31, 42], "difficult": 0},
        {"name": "dog", "box": [1, 2, 31, 42]},
    ]
    assert from_value({42: objects}).boxes == [(1, 2, 30, 40)] * 3


def test_lists_by_position_and_categories_alone() -> None:
    rows = from_value([["dog"], [], ["cat"]])
    assert rows.positions and rows.ids == [0, 2] and list(rows.images) == [0, 1, 2]
    names = from_value([{"id": 1, "name": "dog", "supercategory": "animal"}])
    assert names.names == {1: "dog"} and not names.images


def test_columns_of_ones_own_names() -> None:
    fields = Fields({"image_id": "photo", "label": "what", "confidence": "sure"})
    rows = from_value([{"photo": 42, "what": "dog", "sure": 0.5, "label": "cat"}], fields=fields)
    assert (rows.ids, rows.labels, rows.confidence) == ([42], ["dog"], [0.5])


def test_files_and_rows_of_other_readers(tmp_path: Path) -> None:
    path = tmp_path / "objects.jsonl"
    path.write_text("\n".join(map(json.dumps, SHAPES["records of images"])))
    assert read_json(File(path), Wanted()).labels == ["dog", "dog"]
    assert OBJECTS.from_rows(iter(SHAPES["records of images"]), Wanted(), "mine").source == "mine"


@pytest.mark.parametrize(
    ("value", "row", "field", "problem"),
    [
        (3, None, None, "the objects are a number"),
        ({}, None, None, "there is no image in it"),
        ([], None, None, "there is no image in it"),
        ({42: ["dog"], 7: "cat"}, "2 (id 7)", None, "the objects are of type str"),
        ({42: ["dog"], 7: {"cat": -1}}, "2 (id 7)", None, "the count of 'cat' is a number"),
        ({42: [{"score": 0.5}]}, "1 (id 42)", None, "no field holds the label"),
        ({42: [{"name": "dog", "score": None}]}, "1 (id 42)", "score", "is NaN"),
        ([{"label": "dog"}], 1, None, "no field holds the image id"),
        ([{"image_id": 4.5, "label": "dog"}], 1, "image_id", "the image id is a number"),
        ([{"image_id": 1, "label": "dog"}, "dog"], 2, None, "the row is"),
        ({"annotations": [], "images": [{}]}, "1 of images", "id", "the image has no id"),
        ({"categories": [{"id": 1}]}, "1 of categories", None, "no id and name"),
        ([{"image_id": 1, "labels": ["dog"], "scores": []}], 1, "scores", "not as many scores"),
    ],
)
def test_what_is_wrong_names_source_row_and_field(value: Any, row: Any, field: str | None, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as error:
        from_value(value, "objects.json")
    assert (error.value.source, error.value.row, error.value.field) == ("objects.json", row, field)
    assert error.value.fix


def test_objects_of_an_image_that_occurs_twice_are_refused(tmp_path: Path) -> None:
    (tmp_path / "o.json").write_text('{"1": ["dog"], "1": ["cat"]}')
    with pytest.raises(InputError, match="'1' occurs twice"):
        read_json(File(tmp_path / "o.json"), Wanted())


def test_a_list_by_position_names_its_row() -> None:
    with pytest.raises(InputError, match="the label is null") as error:
        from_value([["dog"], [None]], "objects.json")
    assert error.value.row == 2
