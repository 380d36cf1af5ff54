"""The public bottom-up files (Anderson et al. 2018): tab-separated rows of image_id, image_w, image_h, num_boxes,
boxes and features, the last two as base64 of float32 numbers."""

from __future__ import annotations

import binascii
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from vericap.corpus import Features, ImageId, Regions, canonical
from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.files import GZIP, File
from vericap.readers.regions.region_rows import RegionRows

FIELDS = ("image_id", "image_w", "image_h", "num_boxes", "boxes", "features")
_COLUMNS = f"write the columns {', '.join(FIELDS)}"
_CUT = "the row may be cut off: copy the file again"


def read_bottom_up(file: File, wanted: Wanted) -> Regions:
    """The regions of a TSV file, with or without a line of names. The published files have 22 GB: a row that is not
    wanted is passed over before its numbers are decoded."""
    source = file.name
    regions = RegionRows(source, "write 4 numbers for each box, and use one detector for all images")
    for number, row in _rows(file):
        image_id = _id(row["image_id"], source, number)
        if wanted.images is not None and canonical(image_id) not in wanted.images:
            continue
        count = int(_number(row, "num_boxes", source, number))
        width, height = (_number(row, name, source, number) for name in ("image_w", "image_h"))
        regions.add(
            image_id,
            decode(row["features"], "features", count, source, number),
            row=number,
            boxes=decode(row["boxes"], "boxes", count, source, number),
            size=(width, height),
        )
    if not regions.ids and wanted.images is None:
        raise InputError("there is no image in it", source=source, fix=_COLUMNS)
    return regions.table()


def decode(text: bytes, field: str, count: int, source: str, row: int) -> Features:
    """Base64 as the float32 numbers of `count` rows, array [count, n]."""
    try:
        data = binascii.a2b_base64(text, strict_mode=True)
    except binascii.Error as error:
        problem = f"the base64 text is damaged or cut off ({str(error).lower()})"
        raise InputError(problem, source=source, row=row, field=field, fix="copy the file again") from None
    if len(data) % (4 * count) if count else len(data):
        problem = f"{len(data):,} bytes are not a whole number of float32 numbers for each of {count} boxes"
        raise InputError(problem, source=source, row=row, field=field, fix=_CUT)
    if count and not data:
        raise InputError(f"it is empty, for {count} boxes", source=source, row=row, field=field, fix=_CUT)
    if not count:
        return np.zeros((0, 1), np.float32)
    return np.frombuffer(data, "<f4").reshape(count, -1).astype(np.float32, copy=False)


def _rows(file: File) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Line numbers and rows as field → bytes."""
    names: tuple[str, ...] = FIELDS
    source = file.name
    for number, line in enumerate(_lines(Path(file.path), source), 1):
        cells = line.rstrip(b"\r\n").split(b"\t")
        if number == 1 and b"image_id" in cells:
            names = tuple(cell.decode("ascii", "replace") for cell in cells)
            lacking = [name for name in FIELDS if name not in names]
            if lacking:
                raise InputError("there is no such column", source=source, row=1, field=lacking[0], fix=_COLUMNS)
        elif line.strip():
            if len(cells) != len(names):
                problem = f"the row has {len(cells)} fields, not {len(names)}"
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
        raise InputError("the image id is empty", source=source, row=row, field="image_id", fix="write one")
    return int(name) if name.isascii() and name.isdigit() else name


def _number(row: dict[str, bytes], field: str, source: str, number: int) -> float:
    try:
        value = float(row[field])
        if value >= 0 and (field != "num_boxes" or value.is_integer()):
            return value
    except ValueError:
        pass
    what = "the number of boxes" if field == "num_boxes" else "a length in pixels"
    problem = f"{row[field][:20].decode('utf-8', 'replace')!r} is not {what}"
    raise InputError(problem, source=source, row=number, field=field, fix="write a number that is not negative")
