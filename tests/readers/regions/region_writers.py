"""One table of regions written in every format, and a check of how a broken file is refused."""

from __future__ import annotations

import base64
import gzip
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

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


def refused(path: Path, *words: str) -> str:
    with pytest.raises(InputError) as caught:
        read_regions(path)
    message = str(caught.value)
    for word in (path.name, *words):
        assert word in message, message
    return message
