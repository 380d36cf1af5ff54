"""Region features in every format hold the same numbers, and a broken file is refused with its row and field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.readers.regions import region_writers
from tests.readers.regions.region_writers import (
    BOXES,
    FEATURES,
    HEIGHT,
    IDS,
    WIDTH,
    WRITERS,
    refused,
    tsv_row,
    write_npz,
    write_npz_packed,
    write_parquet,
    write_safetensors,
    write_tsv_with_names_gz,
)
from vericap.errors import InputError
from vericap.readers.regions import read_regions


@pytest.mark.parametrize("kind", WRITERS)
def test_every_format_gives_the_same_table(kind: str, tmp_path: Path) -> None:
    regions = read_regions(WRITERS[kind](tmp_path / "regions.tsv"))
    assert list(regions.image_ids) == IDS
    assert regions.offsets.tolist() == [0, 2, 2, 5]
    np.testing.assert_array_equal(regions.features, FEATURES)
    np.testing.assert_array_equal(regions.boxes, BOXES)
    np.testing.assert_array_equal(regions.sizes, np.stack([WIDTH, HEIGHT], 1))
    if kind.startswith(("parquet", "safetensors")) or kind in ("npz", "npz-packed"):
        assert regions.labels_of(2) == ["cat", "cat", "sofa"]


@pytest.mark.parametrize("kind", ["tsv", "parquet"])
def test_only_wanted_images_are_kept(kind: str, tmp_path: Path) -> None:
    regions = read_regions(WRITERS[kind](tmp_path / "regions.tsv"), images={"100"})
    assert list(regions.image_ids) == [100]
    np.testing.assert_array_equal(regions.features, FEATURES[2:])


@pytest.mark.parametrize("kind", ["tsv", "npz", "parquet", "safetensors"])
def test_nan_in_a_box(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = BOXES.copy()
    boxes[3, 1] = np.nan
    monkeypatch.setattr(region_writers, "BOXES", boxes)
    path = WRITERS[kind](tmp_path / "regions.tsv")
    refused(path, "row 3", 'field "boxes"', "box 2 of image 100 holds NaN")


def test_infinity_in_a_feature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    features = FEATURES.copy()
    features[0, 0] = np.inf
    monkeypatch.setattr(region_writers, "FEATURES", features)
    refused(write_npz(tmp_path / "regions"), "row 1", 'field "features"')


def test_one_image_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("\n".join(tsv_row(i, 1, FEATURES[:1], BOXES[:1]) for i in ("42", "000042.jpg")))
    refused(path, "row 2", 'field "image_id"', "twice")


@pytest.mark.parametrize(
    "write", [write_npz, write_npz_packed, write_safetensors, write_parquet, write_tsv_with_names_gz]
)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.99])
def test_truncated_file(write: Any, share: float, tmp_path: Path) -> None:
    path = write(tmp_path / "regions.tsv")
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    refused(path)


def test_file_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "regions.pkl"
    path.write_bytes(b"\x80\x04.")
    refused(path, "npz, parquet, safetensors, bottom-up")
    with pytest.raises(InputError, match="check the path"):
        read_regions(tmp_path / "none.npz")


@pytest.mark.parametrize("kind", ["npz", "safetensors"])
def test_mapped_files_keep_all_images(kind: str, tmp_path: Path) -> None:
    """Nothing is read before it is asked for, so nothing has to be passed over."""
    assert len(read_regions(WRITERS[kind](tmp_path / "regions.tsv"), images={"100"})) == 3


def test_a_pipe_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be read from a pipe; save them as a file"):
        read_regions("-")
