"""The public bottom-up files (Anderson et al. 2018): tab-separated rows of image_id, image_w, image_h, num_boxes,
boxes and features, the last two as base64 of float32 numbers."""

from __future__ import annotations

import binascii
import gzip
import zlib
from collections.abc import Container, Iterator
from os import PathLike
from pathlib import Path

import numpy as np

from vericap.corpus import Features, ImageId, Regions, canonical
from vericap.errors import InputError
from vericap.readers.files import GZIP
from vericap.readers.regions.region_files import FORMATS

FIELDS = ("image_id", "image_w", "image_h", "num_boxes", "boxes", "features")
_CUT = "the row may be cut off: copy the file again"


def read_bottom_up(path: str | PathLike[str], source: str, wanted: Container[str] | None = None) -> Regions:
    """The regions of a TSV file, with or without a line of names. The published files have 22 GB: a row that is not
    wanted is passed over before its numbers are decoded."""
    ids: list[ImageId] = []
    sizes: list[tuple[float, float]] = []
    boxes: list[Features] = []
    features: list[Features] = []
    for number, row in _rows(path, source):
        image_id = _id(row["image_id"], source, number)
        if wanted is not None and canonical(image_id) not in wanted:
            continue
        count = int(_number(row, "num_boxes", source, number))
        box = decode(row["boxes"], "boxes", count, source, number)
        vectors = decode(row["features"], "features", count, source, number)
        if len(box) and box.shape[1] != 4:
            problem = f"{box.size} numbers where {count} boxes have {4 * count}"
            raise InputError(problem, source=source, row=number, field="boxes", fix="write 4 numbers a box")
        first = next((one for one in features if len(one)), vectors)
        if len(vectors) and vectors.shape[1] != first.shape[1]:
            problem = f"vectors of {vectors.shape[1]} numbers after vectors of {first.shape[1]}"
            raise InputError(problem, source=source, row=number, field="features", fix="use one detector for all")
        ids.append(image_id)
        width, height = (_number(row, name, source, number) for name in ("image_w", "image_h"))
        sizes.append((width, height))
        boxes.append(box)
        features.append(vectors)
    if not ids and wanted is None:
        raise InputError("no image is in it", source=source, fix=FORMATS)
    offsets = np.cumsum([0, *map(len, features)], dtype=np.int64)
    filled = [one for one in features if len(one)] or [np.zeros((0, 1), np.float32)]
    frames = [one for one in boxes if len(one)] or [np.zeros((0, 4), np.float32)]
    return Regions(
        ids,
        offsets,
        np.concatenate(filled),
        np.concatenate(frames),
        sizes=np.array(sizes, np.float32).reshape(-1, 2),
        source=source,
    )


def decode(text: bytes, field: str, count: int, source: str, row: int) -> Features:
    """Base64 as the float32 numbers of `count` rows, array [count, n]."""
    try:
        data = binascii.a2b_base64(text, strict_mode=True)
    except binascii.Error as error:
        problem = f"the base64 text is damaged or cut off ({str(error).lower()})"
        raise InputError(problem, source=source, row=row, field=field, fix="copy the file again") from None
    if len(data) % (4 * count) if count else len(data):
        problem = f"{len(data):,} bytes are no whole number of float32 for {count} boxes"
        raise InputError(problem, source=source, row=row, field=field, fix=_CUT)
    if count and not data:
        problem = f"nothing is there for {count} boxes"
        raise InputError(problem, source=source, row=row, field=field, fix=_CUT)
    if not count:
        return np.zeros((0, 1), np.float32)
    return np.frombuffer(data, "<f4").reshape(count, -1).astype(np.float32, copy=False)


def _rows(path: str | PathLike[str], source: str) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Line numbers and rows as field → bytes."""
    names: tuple[str, ...] = FIELDS
    for number, line in enumerate(_lines(Path(path), source), 1):
        cells = line.rstrip(b"\r\n").split(b"\t")
        if number == 1 and b"image_id" in cells:
            names = tuple(cell.decode("ascii", "replace") for cell in cells)
            lacking = [name for name in FIELDS if name not in names]
            if lacking:
                raise InputError("there is no such column", source=source, row=1, field=lacking[0], fix=FORMATS)
        elif line.strip():
            if len(cells) != len(names):
                problem = f"{len(cells)} fields where {len(names)} are due"
                raise InputError(problem, source=source, row=number, fix=_CUT)
            yield number, dict(zip(names, cells, strict=True))


def _lines(path: Path, source: str) -> Iterator[bytes]:
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == GZIP
            raw.seek(0)
            if not packed:
                yield from raw
                return
            with gzip.open(raw) as file:
                yield from file
    except (EOFError, zlib.error, OSError) as error:
        raise InputError(f"the file is damaged or cut off ({error})", source=source, fix="copy it again") from None


def _id(text: bytes, source: str, row: int) -> ImageId:
    try:
        name = text.decode().strip()
    except UnicodeDecodeError:
        name = ""
    if not name:
        raise InputError("no image id is there", source=source, row=row, field="image_id", fix="write one")
    return int(name) if name.isascii() and name.isdigit() else name


def _number(row: dict[str, bytes], field: str, source: str, number: int) -> float:
    try:
        value = float(row[field])
        if value >= 0 and (field != "num_boxes" or value.is_integer()):
            return value
    except ValueError:
        pass
    problem = f"{row[field][:20].decode('utf-8', 'replace')!r} is no {'count' if field == 'num_boxes' else 'length'}"
    raise InputError(problem, source=source, row=number, field=field, fix="write a number")
