"""Objects while they are read: a row is checked when it is added, and an error names where it stands."""

from __future__ import annotations

import math
from typing import Any

import pytest

from vericap.errors import InputError
from vericap.readers.objects.object_rows import ObjectFields, ObjectRows

FIELDS = ObjectFields("name", "score", "bbox")


def test_an_object_has_its_image_label_confidence_and_box() -> None:
    rows = ObjectRows("objects.json")
    rows.add(rows.image(7, 1), "dog", 1, confidence=1, box=[1, 2, 30, 40])
    rows.add(rows.image("b.jpg", 2), 18, 2, box=(1, 2, 31, 42), corners=True)
    rows.add(rows.image(7, 3), "cat", "3 (line 4)", confidence=0.0)
    assert rows.ids == [7, "b.jpg", 7] and list(rows.images) == [7, "b.jpg"]
    assert rows.labels == ["dog", 18, "cat"] and rows.rows == [1, 2, "3 (line 4)"]
    assert rows.confidence[0] == 1 and math.isnan(rows.confidence[1]) and rows.confidence[2] == 0
    assert rows.boxes[:2] == [(1, 2, 30, 40)] * 2 and all(map(math.isnan, rows.boxes[2]))


def test_an_image_may_be_named_without_an_object() -> None:
    rows = ObjectRows("objects.json")
    assert rows.image(8, 1) == 8 and list(rows.images) == [8] and rows.labels == []


@pytest.mark.parametrize("image_id", [None, 4.5, True, ["a"]])
def test_an_image_id_is_a_whole_number_or_a_string(image_id: Any) -> None:
    with pytest.raises(InputError, match="the image id is") as error:
        ObjectRows("objects.json").image(image_id, 3, "image_id")
    assert (error.value.source, error.value.row, error.value.field) == ("objects.json", 3, "image_id")


@pytest.mark.parametrize(
    ("label", "given", "field", "problem"),
    [
        (None, {}, "name", "the label is null"),
        (1.5, {}, "name", "the label is a number"),
        ("  ", {}, "name", "the label is empty"),
        ("dog", {"confidence": 97}, "score", "the confidence of 'dog' in image 7 is 97"),
        ("dog", {"confidence": -0.1}, "score", "is -0.1"),
        ("dog", {"confidence": math.nan}, "score", "is NaN"),
        ("dog", {"confidence": "high"}, "score", "of type str"),
        ("dog", {"confidence": True}, "score", "a truth value"),
        ("dog", {"box": [1, 2, 3]}, "bbox", "not four numbers"),
        ("dog", {"box": [1, 2, 3, "4"]}, "bbox", "not four numbers"),
        ("dog", {"box": [0, 0, math.inf, 1]}, "bbox", "NaN or infinity"),
        ("dog", {"box": [0, 0, -1, 1]}, "bbox", "negative side"),
        ("dog", {"box": [5, 0, 4, 9], "corners": True}, "bbox", "negative side"),
    ],
)
def test_what_is_wrong_names_source_row_and_field(label: Any, given: dict[str, Any], field: str, problem: str) -> None:
    rows = ObjectRows("objects.json")
    with pytest.raises(InputError, match=problem) as error:
        rows.add(7, label, 2, fields=FIELDS, **given)
    assert (error.value.source, error.value.row, error.value.field) == ("objects.json", 2, field)
    assert error.value.fix
