"""Named arrays: both layouts, every spelling, and arrays that do not fit together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.readers.regions.region_writers import FEATURES, IDS, arrays, refused
from vericap.errors import InputError
from vericap.readers.regions import read_regions
from vericap.readers.regions.region_arrays import from_arrays


def test_safetensors_written_by_the_library_itself(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "regions.safetensors"
    library.save_file(arrays(), path, metadata={"image_id": json.dumps(["a.jpg", "b.jpg", "c.jpg"])})
    regions = read_regions(path)
    assert list(regions.image_ids) == ["a.jpg", "b.jpg", "c.jpg"]
    np.testing.assert_array_equal(regions.features, FEATURES)


def test_counts_that_do_not_add_up(tmp_path: Path) -> None:
    path = tmp_path / "regions.npz"
    np.savez(path, **{**arrays(), "num_boxes": np.array([2, 0, 4])})
    refused(path, 'field "features"', "5 rows, but the images have 6 regions")


def test_npz_without_features(tmp_path: Path) -> None:
    path = tmp_path / "regions.npz"
    np.savez(path, image_id=np.array(IDS))
    refused(path, 'field "features"', "num_boxes [images]")


@pytest.mark.parametrize("width", [np.array([640]), np.array(["wide", "wider"])])
def test_npz_with_widths_that_do_not_fit(width: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "regions.npz"
    columns = {"image_id": np.array([1, 2]), "num_boxes": np.array([1, 1]), "features": np.ones((2, 3), np.float32)}
    np.savez(path, **columns, image_w=width, image_h=np.array([480, 480]))
    with pytest.raises(InputError, match=r'regions\.npz, field "image_w": .* not one number for each of 2 images'):
        read_regions(path)


def test_padded_rows_do_not_count() -> None:
    """Features [images, N, D]: the counts say how many rows are regions; without counts all are."""
    features = np.arange(12.0).reshape(2, 3, 2)
    given = {
        "ids": np.array(["7", "a.jpg"]),
        "x": features,
        "bbox": np.ones((2, 3, 4)),
        "labels": np.array([["a"] * 3] * 2),
    }
    found = from_arrays({**given, "counts": np.array([1, 3])}, "regions.npz")
    assert list(found.image_ids) == [7, "a.jpg"] and found.offsets.tolist() == [0, 1, 4]
    assert found.features.tolist() == [[0, 1], [6, 7], [8, 9], [10, 11]]
    assert found.boxes is not None and found.boxes.shape == (4, 4) and found.labels_of(1) == ["a", "a", "a"]
    assert from_arrays(given, "regions.npz").offsets.tolist() == [0, 3, 6]


def test_sizes_need_both_sides() -> None:
    given = {
        "image_id": np.array([1]),
        "num_boxes": np.array([1]),
        "features": np.ones((1, 2)),
        "width": np.array([640]),
    }
    assert from_arrays(given, "r").sizes is None
    sizes = from_arrays({**given, "height": np.array([480])}, "r").sizes
    assert sizes is not None and sizes.tolist() == [[640, 480]]


@pytest.mark.parametrize(
    ("changed", "row", "field", "problem"),
    [
        ({"features": np.array([["x"]])}, None, "features", "not numbers"),
        ({"num_boxes": np.array([1.5])}, None, "num_boxes", "not one count for each image"),
        ({"num_boxes": np.array([-1])}, None, "num_boxes", "not one count for each image"),
        ({"num_boxes": np.array([1, 0])}, None, "num_boxes", "2 counts for 1 images"),
        ({"image_id": np.array([1.5])}, 1, "image_id", "neither a whole number nor a string"),
        ({"image_id": np.array([True])}, 1, "image_id", "neither a whole number nor a string"),
        ({"features": np.ones((1, 1, 2)), "num_boxes": np.array([2])}, None, "num_boxes", "do not fit"),
        ({"features": np.ones((1, 1, 2)), "boxes": np.ones((1, 2, 4))}, None, "boxes", "with features"),
    ],
)
def test_arrays_that_do_not_fit_are_named(changed: dict[str, Any], row: int | None, field: str, problem: str) -> None:
    given = {"image_id": np.array([1]), "num_boxes": np.array([1]), "features": np.ones((1, 2))}
    with pytest.raises(InputError, match=problem) as error:
        from_arrays({**given, **changed}, "regions.npz")
    assert (error.value.source, error.value.row, error.value.field) == ("regions.npz", row, field)
    assert "image_id [images]" in str(error.value.fix)
