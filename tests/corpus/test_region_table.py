"""Regions in columns: found by any spelling of an image's id, refused with image and column where they are wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vericap.corpus import region_table
from vericap.corpus.region_table import Regions
from vericap.errors import InputError


def regions(**changed: Any) -> Regions:
    """Two regions of image 42, none of 9, one of 7."""
    columns: dict[str, Any] = {
        "image_ids": ["COCO_val2014_000000000042.jpg", 9, "7"],
        "offsets": np.array([0, 2, 2, 3]),
        "features": np.arange(15, dtype=np.float32).reshape(3, 5),
        "boxes": np.array([[0, 0, 2, 2], [1, 1, 3, 4], [0, 0, 1, 1]], np.float32),
        "labels": ["dog", "cat", "car"],
        "sizes": np.array([[10, 20], [30, 40], [50, 60]], np.float32),
        "source": "regions.npz",
    }
    return Regions(**{**columns, **changed})


def test_each_image_has_its_rows_of_every_column() -> None:
    table = regions()
    assert len(table) == 3 and table.dimension == 5
    assert table.features_of(0).tolist() == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    assert table.features_of(1).shape == (0, 5)
    boxes = table.boxes_of(2)
    assert boxes is not None and boxes.tolist() == [[0, 0, 1, 1]]
    assert [table.labels_of(image) for image in range(3)] == [["dog", "cat"], [], ["car"]]
    bare = regions(boxes=None, labels=None, sizes=None)
    assert bare.boxes_of(0) is None and bare.labels_of(0) is None


def test_an_image_is_found_by_any_spelling_of_its_id() -> None:
    assert regions().find([42, "000000000007", "val2014/9.jpg", "8", 7]).tolist() == [0, 2, 1, -1, 2]


def test_a_picture_that_no_file_names_is_an_image_without_regions() -> None:
    table = regions().with_empty_image()
    assert len(table) == 4 and table.features_of(3).shape == (0, 5) and table.labels_of(3) == []
    assert table.sizes is not None and table.sizes.shape == (4, 2)
    assert table.features_of(2).tolist() == regions().features_of(2).tolist()


def test_the_hash_is_of_all_that_scores_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    features = regions().features.copy()
    features[2, 4] += 1
    changes: list[dict[str, Any]] = [
        {},
        {"features": features},
        {"boxes": None},
        {"labels": ["dog", "cat", "cow"]},
        {"sizes": None},
        {"offsets": np.array([0, 1, 2, 3])},
        {"image_ids": [42, 9, 8]},
    ]
    digests = [regions(**change).digest for change in changes]
    assert len(set(digests)) == len(changes)
    monkeypatch.setattr(region_table, "_BLOCK", 2)
    assert [regions(**change).digest for change in changes] == digests  # however many rows are read at a time


def broken(column: str, row: int, at: int, value: float) -> np.ndarray:
    array = getattr(regions(), column).copy()
    array[row, at] = value
    return np.asarray(array)


@pytest.mark.parametrize(
    ("changed", "field", "row", "problem"),
    [
        ({"offsets": np.array([0, 2, 3])}, "num_boxes", None, "2 counts for 3 images"),
        ({"offsets": np.array([0, 2, 1, 3])}, "num_boxes", None, "counts"),
        ({"features": np.zeros(3, np.float32)}, "features", None, "1 dimensions, not 2"),
        ({"features": np.zeros((4, 5), np.float32)}, "features", None, "4 rows, but the images have 3 regions"),
        ({"labels": ["dog"]}, "labels", None, "1 rows, but the images have 3 regions"),
        ({"boxes": np.zeros((3, 5), np.float32)}, "boxes", None, "not regions × 4"),
        ({"sizes": np.zeros((3, 3), np.float32)}, "image_w", None, "one width and one height"),
        ({"sizes": broken("sizes", 1, 0, 0)}, "image_w", 2, "image 9 is 0 wide and 40 high"),
        ({"sizes": broken("sizes", 2, 1, np.nan)}, "image_h", 3, "image '7' is 50 wide and nan high"),
        ({"image_ids": [42, 9, "000042"]}, "image_id", 3, "image '000042' occurs twice"),
        ({"features": broken("features", 2, 1, np.inf)}, "features", 3, "a number of image '7' is not finite"),
        (
            {"boxes": broken("boxes", 1, 3, np.nan)},
            "boxes",
            1,
            "box 2 of image 'COCO_val2014_000000000042.jpg' holds NaN",
        ),
        ({"boxes": broken("boxes", 2, 2, -1)}, "boxes", 3, "box 1 of image '7' ends before it begins"),
    ],
)
def test_columns_that_do_not_fit_name_file_image_and_column(
    changed: dict[str, Any], field: str, row: int | None, problem: str
) -> None:
    with pytest.raises(InputError, match=problem) as error:
        regions(**changed)
    assert (error.value.source, error.value.field, error.value.row) == ("regions.npz", field, row)
    assert error.value.fix
