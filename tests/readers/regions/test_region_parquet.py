"""Parquet: one row per image, cells as lists of lists, flat lists or bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from tests.readers.regions.region_writers import FEATURES, IDS, refused, write_parquet
from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.regions.region_rows import read_parquet

NUMBERS = [[[1.0, 2.0], [3.0, 4.0]], []]


def written(path: Path, **columns: Any) -> Path:
    parquet.write_table(pyarrow.table({"image_id": ["a.jpg", "b.jpg"], "features": NUMBERS, **columns}), path)
    return path


def test_only_wanted_images_are_kept(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "regions")
    found = read_parquet(File(path), Wanted(images={"100", "7"}))
    assert list(found.image_ids) == [7, 100] and found.offsets.tolist() == [0, 0, 3]
    np.testing.assert_array_equal(found.features, FEATURES[2:])
    assert len(read_parquet(File(path), Wanted())) == len(IDS)


def test_boxes_labels_and_sizes_may_be_missing(tmp_path: Path) -> None:
    found = read_parquet(File(written(tmp_path / "r.parquet")), Wanted())
    assert found.features_of(0).tolist() == [[1, 2], [3, 4]] and len(found.features_of(1)) == 0
    assert found.boxes is None and found.labels is None and found.sizes is None


def test_rows_beyond_one_batch(tmp_path: Path) -> None:
    path = tmp_path / "many.parquet"
    parquet.write_table(
        pyarrow.table({"image_id": list(range(600)), "features": [[[float(i)]] for i in range(600)]}), path
    )
    assert read_parquet(File(path), Wanted()).features[:, 0].tolist() == list(range(600))


@pytest.mark.parametrize(
    ("columns", "row", "field", "problem"),
    [
        ({"features": [[[1.0, 2.0], [3.0]], []]}, 1, "features", "different lengths"),
        ({"features": [None, []]}, 1, "features", "null"),
        ({"features": [[1.0, 2.0], []]}, 1, "features", "needs num_boxes"),
        ({"features": [[1.0, 2.0], []], "num_boxes": [3, 0]}, 1, "features", "2 numbers for 3 boxes"),
        ({"features": [b"12345", b""], "num_boxes": [1, 0]}, 1, "features", "float32 bytes"),
        ({"features": [[["x"]], []]}, 1, "features", "does not hold numbers"),
        ({"num_boxes": [2, 1]}, 2, "num_boxes", "1 boxes, but 0 vectors"),
        ({"labels": [["dog"], []]}, 1, "labels", "1 labels for 2 vectors"),
        ({"labels": [[7, 8], []]}, 1, "labels", "not a string"),
        ({"image_id": [1.5, 2.5]}, 1, "image_id", "1.5 is not an image id"),
    ],
)
def test_a_cell_that_is_wrong_names_row_and_field(
    columns: dict[str, Any], row: int, field: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=problem) as error:
        read_parquet(File(written(tmp_path / "r.parquet", **columns)), Wanted())
    assert (error.value.row, error.value.field) == (row, field)
    assert error.value.source == str(tmp_path / "r.parquet") and error.value.fix


def test_a_table_of_something_else_names_the_column_that_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "regions.parquet"
    parquet.write_table(pyarrow.table({"image_id": [1], "caption": ["a dog"]}), path)
    refused(path, 'field "features"', "no such column")
