"""Regions from files of named arrays: NumPy's .npz and safetensors. Both are mapped into memory, not read, where
they lie uncompressed; neither is ever unpickled."""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from vericap.corpus import ImageId, Regions
from vericap.errors import InputError

LAYOUT = (
    "write image_id [images], num_boxes [images], features [regions, D] and, if there, boxes [regions, 4]; "
    "or features [images, N, D] and boxes [images, N, 4]"
)
_AGAIN = "write or copy the file again"
# Names that other tools give the same arrays.
_NAMES = {
    "image_id": ("image_id", "image_ids", "ids", "id"),
    "num_boxes": ("num_boxes", "num_bbox", "counts"),
    "features": ("features", "feature", "feat", "x"),
    "boxes": ("boxes", "bbox", "bboxes"),
    "labels": ("labels", "label", "names"),
    "image_w": ("image_w", "width", "widths"),
    "image_h": ("image_h", "height", "heights"),
}
_SAFETENSORS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1",
}  # fmt: skip


def read_npz(path: str | PathLike[str], source: str) -> Regions:
    """Regions from an .npz; arrays that `numpy.savez` stored as they are, are mapped."""
    arrays: dict[str, NDArray[Any]] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                name = member.filename.removesuffix(".npy")
                if any(name in spellings for spellings in _NAMES.values()):
                    arrays[name] = _member(Path(path), archive, member, source)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
        raise InputError(f"the .npz is damaged or cut off ({error})", source=source, fix=_AGAIN) from None
    return from_arrays(arrays, source)


def _member(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo, source: str) -> NDArray[Any]:
    with archive.open(member) as file:
        try:
            version = npy.read_magic(file)
            read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            shape, fortran, dtype = read(file)
            if dtype.hasobject:
                raise InputError(
                    "the array holds pickled Python objects, which are never read",
                    source=source,
                    field=member.filename.removesuffix(".npy"),
                    fix="save ids and labels as strings, numbers as float32",
                )
            header = file.tell()
        except ValueError as error:
            problem = f"{member.filename} is no NumPy array ({error})"
            raise InputError(problem, source=source, fix=_AGAIN) from None
        if member.compress_type != zipfile.ZIP_STORED or fortran or not math.prod(shape):
            try:
                file.seek(0)
                return npy.read_array(file, allow_pickle=False)
            except ValueError as error:
                raise InputError(f"{member.filename} is cut off ({error})", source=source, fix=_AGAIN) from None
    if header + math.prod(shape) * dtype.itemsize != member.file_size:
        raise InputError(f"{member.filename} has not the length it says", source=source, fix=_AGAIN)
    with path.open("rb") as raw:
        # A local header has 30 bytes, the name and an extra field, whose lengths stand at 26.
        raw.seek(member.header_offset + 26)
        name, extra = (int.from_bytes(raw.read(2), "little") for _ in range(2))
    start = member.header_offset + 30 + name + extra + header
    return np.memmap(path, dtype, "r", start, shape)


class _Tensor(NamedTuple):
    name: str
    kind: str
    shape: tuple[int, ...]
    first: int
    last: int


def read_safetensors(path: str | PathLike[str], source: str) -> Regions:
    """Regions from a .safetensors file, mapped. It has no strings: ids and labels that are no numbers stand as JSON
    lists `image_id` and `labels` in its metadata."""
    size = Path(path).stat().st_size
    with Path(path).open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > size - 8:
            raise InputError("the file is cut off within its header", source=source, fix=_AGAIN)
        try:
            header = json.loads(file.read(length))
            texts = header.pop("__metadata__", {})
            metadata = {name: json.loads(text) for name, text in texts.items() if text[:1] == "["}
            tensors = [
                _Tensor(name, str(t["dtype"]), tuple(map(int, t["shape"])), *map(int, t["data_offsets"]))
                for name, t in header.items()
                if any(name in spellings for spellings in _NAMES.values())
            ]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"the header is no safetensors header ({error})", source=source, fix=_AGAIN) from None
    arrays: dict[str, NDArray[Any]] = {}
    for name, kind, shape, first, last in tensors:
        if kind not in _SAFETENSORS:
            fix = f"save one of {', '.join(_SAFETENSORS)}"
            raise InputError(f"numbers of type {kind}", source=source, field=name, fix=fix)
        dtype = np.dtype(_SAFETENSORS[kind])
        if min(shape, default=0) < 0 or last - first != math.prod(shape) * dtype.itemsize:
            raise InputError("shape and length differ", source=source, field=name, fix=_AGAIN)
        if first < 0 or 8 + length + last > size:
            raise InputError("the file is cut off within this array", source=source, field=name, fix=_AGAIN)
        mapped = math.prod(shape) > 0  # nothing cannot be mapped
        arrays[name] = np.memmap(path, dtype, "r", 8 + length + first, shape) if mapped else np.zeros(shape, dtype)
    return from_arrays(arrays, source, metadata)


def from_arrays(
    arrays: Mapping[str, NDArray[Any]], source: str, lists: Mapping[str, Sequence[Any]] | None = None
) -> Regions:
    """Regions from named arrays, in either of the two layouts."""
    lists = lists or {}

    def find(name: str) -> NDArray[Any] | None:
        return next((arrays[spelling] for spelling in _NAMES[name] if spelling in arrays), None)

    def must(name: str) -> NDArray[Any]:
        found = find(name)
        if found is None:
            raise InputError("there is no such array", source=source, field=name, fix=LAYOUT)
        return found

    ids = _strings(lists["image_id"] if "image_id" in lists else must("image_id"), "image_id", source)
    features, boxes, counts = must("features"), find("boxes"), find("num_boxes")
    labels = lists.get("labels", find("labels"))
    for name, column in (("features", features), ("boxes", boxes)):
        if column is not None and column.dtype.kind not in "fiu":
            raise InputError(f"{column.dtype} where numbers are due", source=source, field=name, fix=LAYOUT)
    if features.ndim == 3:
        per_image = np.full(len(features), features.shape[1]) if counts is None else _counts(counts, source)
        if len(per_image) != len(features) or (per_image > features.shape[1]).any():
            raise InputError("counts do not fit the features", source=source, field="num_boxes", fix=LAYOUT)
        used = np.arange(features.shape[1]) < per_image[:, None]
        if boxes is not None and boxes.shape[:2] != features.shape[:2]:
            problem = f"shape {boxes.shape} beside features {features.shape}"
            raise InputError(problem, source=source, field="boxes", fix=LAYOUT)
        full = bool(used.all())
        features = features.reshape(-1, features.shape[2]) if full else features[used]
        boxes = None if boxes is None else boxes.reshape(-1, boxes.shape[2]) if full else boxes[used]
        if labels is not None:
            labels = np.asarray(labels)
            labels = labels[used] if labels.shape == used.shape else labels
    else:
        per_image = _counts(must("num_boxes"), source)
    if len(per_image) != len(ids):
        problem = f"{len(per_image)} counts for {len(ids)} images"
        raise InputError(problem, source=source, field="num_boxes", fix=LAYOUT)
    width, height = find("image_w"), find("image_h")
    for name, column in (("image_w", width), ("image_h", height)):
        if column is not None and (column.shape != (len(ids),) or column.dtype.kind not in "fiu"):
            problem = f"{column.dtype} of shape {column.shape} where a number for each of {len(ids)} images is due"
            raise InputError(problem, source=source, field=name, fix=LAYOUT)
    return Regions(
        [int(name) if isinstance(name, str) and name.isascii() and name.isdigit() else name for name in ids],
        np.concatenate([np.zeros(1, np.int64), np.cumsum(per_image, dtype=np.int64)]),
        features.astype(np.float32, copy=False),
        None if boxes is None else boxes.astype(np.float32, copy=False),
        None if labels is None else [str(label) for label in _strings(labels, "labels", source)],
        None if width is None or height is None else np.stack([width, height], 1).astype(np.float32),
        source,
    )


def _counts(counts: NDArray[Any], source: str) -> NDArray[np.int64]:
    if counts.ndim != 1 or counts.dtype.kind not in "iu" or (len(counts) and counts.min() < 0):
        raise InputError("a count is due for each image", source=source, field="num_boxes", fix=LAYOUT)
    return counts.astype(np.int64)


def _strings(column: Any, field: str, source: str) -> list[ImageId]:
    """Ids or labels: whole numbers or strings, one after the other."""
    values = column.tolist() if isinstance(column, np.ndarray) else list(column)
    values = [value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in values]
    wrong = next((i for i, v in enumerate(values) if not isinstance(v, (int, str)) or isinstance(v, bool)), None)
    if wrong is not None:
        problem = f"{values[wrong]!r} is neither a whole number nor a string"
        raise InputError(problem, source=source, row=wrong + 1, field=field, fix=LAYOUT)
    return values
