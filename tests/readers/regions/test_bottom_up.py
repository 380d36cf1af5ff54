"""The public bottom-up files: what a row gives, and a row that is cut off or wrong."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest

from tests.readers.regions.region_writers import BOXES, FEATURES, refused, tsv_row, write_tsv
from vericap.corpus import Regions
from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.regions.bottom_up import decode, read_bottom_up


def test_tsv_cut_off_within_base64(tmp_path: Path) -> None:
    path = write_tsv(tmp_path / "a.tsv")
    path.write_text(path.read_text().rstrip("\n")[:-3])
    refused(path, "row 3", 'field "features"', "base64", "copy the file again")


def test_tsv_cut_off_within_a_row(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(tsv_row(42, 2, FEATURES[:2], BOXES[:2]) + "\n7\t10\t11\n")
    refused(path, "row 2", "3 fields, not 6")


@pytest.mark.parametrize(
    ("count", "features", "boxes", "field"),
    [
        (2, FEATURES[:1, :5], BOXES[:2], "features"),
        (2, FEATURES[:2], BOXES[:3], "boxes"),
        (0, FEATURES[:1], BOXES[:0], "features"),
    ],
)
def test_tsv_of_wrong_lengths(count: int, features: np.ndarray, boxes: np.ndarray, field: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(tsv_row(42, count, features, boxes) + "\n")
    refused(path, "row 1", f'field "{field}"')


def test_tsv_with_vectors_of_two_lengths(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    rows = [tsv_row(42, 2, FEATURES[:2], BOXES[:2]), tsv_row(7, 2, FEATURES[:2, :4], BOXES[:2])]
    path.write_text("\n".join(rows))
    refused(path, "row 2", 'field "features"', "vectors of 4 numbers after vectors of 6")


@pytest.mark.parametrize("value", ["x", "-1", "1.5", "nan"])
def test_tsv_count_that_is_none(value: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(tsv_row(42, 2, FEATURES[:2], BOXES[:2]).replace("\t2\t", f"\t{value}\t") + "\n")
    refused(path, "row 1", 'field "num_boxes"')


def test_box_given_as_width_and_height(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(tsv_row(42, 1, FEATURES[:1], np.array([[50, 50, 10, 10]])) + "\n")
    refused(path, "row 1", 'field "boxes"', "x1 y1 x2 y2")


def read(path: Path, text: str | bytes, images: set[str] | None = None) -> Regions:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_bottom_up(File(path), Wanted(images=images))


def test_names_decide_which_column_is_which(tmp_path: Path) -> None:
    cells = tsv_row(42, 2, FEATURES[:2], BOXES[:2], 30, 40).split("\t")
    names = ["image_id", "image_w", "image_h", "num_boxes", "boxes", "features"]
    turned = "\t".join(reversed(names)) + "\n" + "\t".join(reversed(cells)) + "\r\n\n"
    found = read(tmp_path / "a.tsv", turned)
    np.testing.assert_array_equal(found.features, FEATURES[:2])
    np.testing.assert_array_equal(found.boxes, BOXES[:2])
    assert found.sizes is not None and found.sizes.tolist() == [[30, 40]]


def test_a_row_that_is_not_wanted_is_not_decoded(tmp_path: Path) -> None:
    good, broken = tsv_row(42, 2, FEATURES[:2], BOXES[:2]), "7\t10\t11\t2\t*\t*"
    assert list(read(tmp_path / "a.tsv", f"{broken}\n{good}", {"42"}).image_ids) == [42]
    assert len(read(tmp_path / "a.tsv", good, {"8"})) == 0


@pytest.mark.parametrize(
    ("text", "row", "field"),
    [
        ("image_id\timage_w\timage_h\tnum_boxes\tboxes\n", 1, "features"),
        ("\t10\t11\t0\t\t\n", 1, "image_id"),
        ("42\twide\t11\t0\t\t\n", 1, "image_w"),
        ("42\t10\t-1\t0\t\t\n", 1, "image_h"),
        ("42\t10\t11\t1\t\t\n", 1, "features"),
        ("\n", None, None),
    ],
)
def test_what_is_wrong_names_row_and_field(text: str, row: int | None, field: str | None, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read(tmp_path / "a.tsv", text)
    assert (error.value.source, error.value.row, error.value.field) == (str(tmp_path / "a.tsv"), row, field)
    assert error.value.fix


def test_numbers_are_those_that_were_encoded() -> None:
    text = base64.b64encode(FEATURES.astype("<f4").tobytes())
    np.testing.assert_array_equal(decode(text, "features", len(FEATURES), "a.tsv", 1), FEATURES)
    assert decode(b"", "boxes", 0, "a.tsv", 1).shape[0] == 0


def test_an_image_that_is_not_wanted_leaves_an_empty_table_and_a_file_without_images_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no image in it"):
        read(tmp_path / "a.tsv", "image_id\timage_w\timage_h\tnum_boxes\tboxes\tfeatures\n")
