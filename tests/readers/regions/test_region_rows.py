"""Regions one image after the other: what one image has, all must have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.regions.region_rows import RegionRows, from_rows

ROWS: list[dict[str, Any]] = [
    {"image_id": 42, "features": [[1, 2], [3, 4]], "boxes": [[0, 0, 4, 4], [1, 1, 2, 2]], "labels": ["dog", "cat"]},
    {"image_id": "b.jpg", "features": [], "boxes": [], "labels": []},
    {"image_id": 7, "features": [[5, 6]], "boxes": [[0, 0, 1, 1]], "labels": ["car"]},
]


def test_rows_become_one_table() -> None:
    found = from_rows(ROWS, Wanted(), "mine")
    assert list(found.image_ids) == [42, "b.jpg", 7] and found.offsets.tolist() == [0, 2, 2, 3]
    assert found.features.tolist() == [[1, 2], [3, 4], [5, 6]] and found.features.dtype == np.float32
    assert found.labels_of(0) == ["dog", "cat"] and found.source == "mine" and found.sizes is None
    sized = [{**row, "image_w": 10, "image_h": 20} for row in ROWS]
    sizes = from_rows(sized, Wanted(), "mine").sizes
    assert sizes is not None and sizes.tolist() == [[10, 20]] * 3


def test_images_that_are_not_wanted_are_passed_over() -> None:
    assert list(from_rows(ROWS, Wanted(images={"7"}), "mine").image_ids) == [7]


def test_no_rows_are_a_table_without_images() -> None:
    assert len(RegionRows("mine").table()) == 0


@pytest.mark.parametrize(
    ("changed", "field", "problem"),
    [
        ({"image_id": None}, "image_id", "the image id is null"),
        ({"image_id": 1.5}, "image_id", "a number"),
        ({"features": "many"}, "features", "not a list of lists of numbers"),
        ({"features": [1, 2]}, "features", "1 dimensions, not 2"),
        ({"features": [[1, 2, 3]]}, "features", "vectors of 3 numbers after vectors of 2"),
        ({"features": [[1, 2]] * 2}, "boxes", "for 2 vectors"),
        ({"boxes": [[1, 2, 3]]}, "boxes", "boxes of shape"),
        ({"labels": ["a", "b"]}, "labels", "2 labels for 1 vectors"),
        ({"boxes": None}, "boxes", "some images have this field and others do not"),
        ({"image_w": 1, "image_h": 2}, "image_w", "some images have this field and others do not"),
    ],
)
def test_what_is_wrong_names_source_row_and_field(changed: dict[str, Any], field: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as error:
        from_rows([*ROWS[:2], {**ROWS[2], **changed}], Wanted(), "mine")
    assert (error.value.source, error.value.row, error.value.field) == ("mine", 3, field)
    assert error.value.fix
