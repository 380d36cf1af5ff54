"""Region features in every format hold the same numbers, and a broken file is refused with its row and field."""

from __future__ import annotations

import base64
import gzip
import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from vericap.corpus import Regions
from vericap.errors import InputError
from vericap.readers.regions import read_regions

IDS = [42, 7, 100]
COUNTS = np.array([2, 0, 3])
FEATURES = np.random.default_rng(0).normal(size=(5, 6)).astype(np.float32)
BOXES = np.array([[0, 0, 5, 5], [1, 2, 3, 4], [0, 1, 9, 9], [2, 2, 2, 3], [5, 5, 8, 9]], np.float32)
LABELS = ["dog", "ball", "cat", "cat", "sofa"]
WIDTH, HEIGHT = [10.0, 20.0, 30.0], [11.0, 21.0, 31.0]


def each() -> list[tuple[Any, int, np.ndarray, np.ndarray, list[str]]]:
    ends = np.cumsum(COUNTS)
    return [
        (i, int(c), FEATURES[e - c : e], BOXES[e - c : e], LABELS[e - c : e])
        for i, c, e in zip(IDS, COUNTS, ends, strict=True)
    ]


def tsv_row(
    image_id: Any, count: int, features: np.ndarray, boxes: np.ndarray, width: float = 10, height: float = 11
) -> str:
    texts = [base64.b64encode(np.asarray(a, "<f4").tobytes()).decode() for a in (boxes, features)]
    return "\t".join([str(image_id), str(width), str(height), str(count), *texts])


def write_tsv(path: Path) -> Path:
    rows = [tsv_row(i, c, f, b, w, h) for (i, c, f, b, _), w, h in zip(each(), WIDTH, HEIGHT, strict=True)]
    path.write_text("\n".join(rows) + "\n")
    return path


def write_tsv_with_names_gz(path: Path) -> Path:
    text = write_tsv(path.with_suffix(".plain")).read_text()
    header = "image_id\timage_w\timage_h\tnum_boxes\tboxes\tfeatures\n"
    named = path.with_suffix(".tsv.gz")
    named.write_bytes(gzip.compress((header + text).encode()))
    return named


def arrays() -> dict[str, np.ndarray]:
    return {
        "image_id": np.array(IDS),
        "num_boxes": COUNTS,
        "features": FEATURES,
        "boxes": BOXES,
        "image_w": np.array(WIDTH),
        "image_h": np.array(HEIGHT),
    }


def write_npz(path: Path) -> Path:
    path = path.with_suffix(".npz")
    np.savez(path, labels=np.array(LABELS), **arrays())
    return path


def write_npz_packed(path: Path) -> Path:
    path = path.with_suffix(".npz")
    np.savez_compressed(path, labels=np.array(LABELS), **arrays())
    return path


def write_npz_padded(path: Path) -> Path:
    """Features [images, N, D], as detectors with a fixed number of regions write them."""
    path = path.with_suffix(".npz")
    features, boxes = np.full((3, 4, 6), 9.0, np.float16), np.zeros((3, 4, 4), np.float32)
    features = features.astype(np.float32)
    for row, (_, c, f, b, _) in enumerate(each()):
        features[row, :c], boxes[row, :c] = f, b
    np.savez(path, **{**arrays(), "features": features, "boxes": boxes})
    return path


def write_safetensors(path: Path) -> Path:
    path = path.with_suffix(".safetensors")
    kinds = {"float32": "F32", "int64": "I64", "float64": "F64"}
    header: dict[str, Any] = {"__metadata__": {"labels": json.dumps(LABELS), "note": "made in a test"}}
    data = b""
    for name, array in arrays().items():
        raw = array.tobytes()
        header[name] = {
            "dtype": kinds[str(array.dtype)],
            "shape": array.shape,
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def write_parquet(path: Path, flat: bool = False, raw: bool = False) -> Path:
    path = path.with_suffix(".parquet")

    def cell(array: np.ndarray) -> Any:
        if raw:
            return array.astype("<f4").tobytes()
        return array.ravel().tolist() if flat else array.tolist()

    columns = {
        "image_id": IDS,
        "features": [cell(f) for _, _, f, _, _ in each()],
        "boxes": [cell(b) for _, _, _, b, _ in each()],
        "labels": [labels for *_, labels in each()],
        "image_w": WIDTH,
        "image_h": HEIGHT,
    }
    if flat or raw:
        columns["num_boxes"] = COUNTS.tolist()
    parquet.write_table(pyarrow.table(columns), path)
    return path


WRITERS = {
    "tsv": write_tsv,
    "tsv-named-gz": write_tsv_with_names_gz,
    "npz": write_npz,
    "npz-packed": write_npz_packed,
    "npz-padded": write_npz_padded,
    "safetensors": write_safetensors,
    "parquet": write_parquet,
    "parquet-flat": lambda path: write_parquet(path, flat=True),
    "parquet-bytes": lambda path: write_parquet(path, raw=True),
}


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


def test_safetensors_written_by_the_library_itself(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "regions.safetensors"
    library.save_file(arrays(), path, metadata={"image_id": json.dumps(["a.jpg", "b.jpg", "c.jpg"])})
    regions = read_regions(path)
    assert list(regions.image_ids) == ["a.jpg", "b.jpg", "c.jpg"]
    np.testing.assert_array_equal(regions.features, FEATURES)


@pytest.mark.parametrize("write", [write_npz, write_safetensors])
def test_uncompressed_arrays_are_mapped_not_read(write: Any, tmp_path: Path) -> None:
    regions = read_regions(write(tmp_path / "regions"))
    assert isinstance(regions.features, np.memmap)


@pytest.mark.parametrize("kind", ["tsv", "parquet"])
def test_only_wanted_images_are_kept(kind: str, tmp_path: Path) -> None:
    regions = read_regions(WRITERS[kind](tmp_path / "regions.tsv"), images={"100"})
    assert list(regions.image_ids) == [100]
    np.testing.assert_array_equal(regions.features, FEATURES[2:])


def test_all_spellings_of_an_id_are_one_image() -> None:
    regions = Regions(["COCO_val2014_000000000042.jpg", "7"], np.array([0, 1, 2]), FEATURES[:2])
    assert regions.find(["42.jpg", 7, 8]).tolist() == [0, 1, -1]
    more = regions.with_empty_image()
    assert (len(more), len(more.features_of(2))) == (3, 0)


def test_digest_depends_on_every_number() -> None:
    other = FEATURES.copy()
    other[4, 5] += 1
    digests = {Regions(IDS, np.array([0, 2, 2, 5]), features).digest for features in (FEATURES, other, FEATURES.copy())}
    assert len(digests) == 2


def refused(path: Path, *words: str) -> str:
    with pytest.raises(InputError) as caught:
        read_regions(path)
    message = str(caught.value)
    for word in (path.name, *words):
        assert word in message, message
    return message


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


@pytest.mark.parametrize("kind", ["tsv", "npz", "parquet", "safetensors"])
def test_nan_in_a_box(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = BOXES.copy()
    boxes[3, 1] = np.nan
    monkeypatch.setitem(globals(), "BOXES", boxes)
    path = WRITERS[kind](tmp_path / "regions.tsv")
    refused(path, "row 3", 'field "boxes"', "box 2 of image 100 holds NaN")


def test_infinity_in_a_feature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    features = FEATURES.copy()
    features[0, 0] = np.inf
    monkeypatch.setitem(globals(), "FEATURES", features)
    refused(write_npz(tmp_path / "regions"), "row 1", 'field "features"')


def test_box_given_as_width_and_height(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(tsv_row(42, 1, FEATURES[:1], np.array([[50, 50, 10, 10]])) + "\n")
    refused(path, "row 1", 'field "boxes"', "x1 y1 x2 y2")


def test_one_image_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("\n".join(tsv_row(i, 1, FEATURES[:1], BOXES[:1]) for i in ("42", "000042.jpg")))
    refused(path, "row 2", 'field "image_id"', "twice")


class Trap:
    """Its unpickling would leave a mark."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.mark,)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_pickled_arrays_are_never_executed(save: Any, tmp_path: Path) -> None:
    path, mark = tmp_path / "regions.npz", tmp_path / "mark"
    save(path, **{**arrays(), "image_id": np.array([Trap(mark), 7, 100], object)})
    refused(path, 'field "image_id"', "never read")
    assert not mark.exists()


@pytest.mark.parametrize(
    "write", [write_npz, write_npz_packed, write_safetensors, write_parquet, write_tsv_with_names_gz]
)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.99])
def test_truncated_file(write: Any, share: float, tmp_path: Path) -> None:
    path = write(tmp_path / "regions.tsv")
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    refused(path)


def test_counts_that_do_not_add_up(tmp_path: Path) -> None:
    path = tmp_path / "regions.npz"
    np.savez(path, **{**arrays(), "num_boxes": np.array([2, 0, 4])})
    refused(path, 'field "features"', "5 rows, but the images have 6 regions")


def test_npz_without_features(tmp_path: Path) -> None:
    path = tmp_path / "regions.npz"
    np.savez(path, image_id=np.array(IDS))
    refused(path, 'field "features"', "num_boxes [images]")


def test_safetensors_of_a_type_numpy_lacks(tmp_path: Path) -> None:
    path = tmp_path / "regions.safetensors"
    header = json.dumps({"features": {"dtype": "BF16", "shape": [1, 2], "data_offsets": [0, 4]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\0" * 4)
    refused(path, "BF16", 'field "features"')


def test_parquet_rows_of_different_lengths(tmp_path: Path) -> None:
    path = tmp_path / "regions.parquet"
    parquet.write_table(pyarrow.table({"image_id": [1], "features": [[[1.0, 2.0], [3.0]]]}), path)
    refused(path, "row 1", 'field "features"', "different lengths")


def test_file_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "regions.pkl"
    path.write_bytes(b"\x80\x04.")
    refused(path, "npz, parquet, safetensors, bottom-up")
    with pytest.raises(InputError, match="check the path"):
        read_regions(tmp_path / "none.npz")


def test_zip_member_that_is_not_an_array(tmp_path: Path) -> None:
    path = tmp_path / "regions.npz"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("features.npy", b"not an array")
    path.write_bytes(buffer.getvalue())
    refused(path, "not a NumPy array")


@pytest.mark.parametrize(("sizes", "field"), [([[9, 9], [0, 9]], "image_w"), ([[9, 9], [9, np.nan]], "image_h")])
def test_a_picture_without_size_is_refused(sizes: list[list[float]], field: str) -> None:
    """Boxes are divided by it: scores would be NaN."""
    with pytest.raises(InputError, match=rf'row 2, field "{field}": image 8 is'):
        Regions([7, 8], np.array([0, 1, 2]), np.ones((2, 3), np.float32), sizes=np.array(sizes, np.float32))


@pytest.mark.parametrize("width", [np.array([640]), np.array(["wide", "wider"])])
def test_npz_with_widths_that_do_not_fit(width: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "regions.npz"
    columns = {"image_id": np.array([1, 2]), "num_boxes": np.array([1, 1]), "features": np.ones((2, 3), np.float32)}
    np.savez(path, **columns, image_w=width, image_h=np.array([480, 480]))
    with pytest.raises(InputError, match=r'regions\.npz, field "image_w": .* not one number for each of 2 images'):
        read_regions(path)


def test_digest_depends_on_labels_and_sizes() -> None:
    def digest(label: str, width: float) -> str:
        sizes = np.array([[width, 9]], np.float32)
        return Regions([7], np.array([0, 1]), np.ones((1, 3), np.float32), None, [label], sizes).digest

    assert len({digest("dog", 5), digest("cat", 5), digest("dog", 6)}) == 3
