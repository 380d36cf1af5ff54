"""Regions of one source, read one image after the other → one table; Parquet and rows of plug-ins, one row per image,
with the field names of the public bottom-up files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import offsets_of
from vericap.corpus import Features, ImageId, Regions, canonical
from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.formats import parquet_errors
from vericap.readers.messages import describe

LAYOUT = (
    "write one row per image: image_id, features and boxes as lists of lists (or num_boxes and flat lists or float32 "
    "bytes), labels as a list of strings"
)
_NO_VECTORS, _NO_BOXES = np.zeros((0, 1), np.float32), np.zeros((0, 4), np.float32)
_FIELDS = ("image_id", "num_boxes", "features", "boxes", "labels", "image_w", "image_h")


class RegionRows:
    """Collects the regions of images; what one image has of boxes, labels and size, all must have.

    >>> rows = RegionRows("regions.tsv")
    >>> rows.add(42, np.ones((2, 5), np.float32), row=1, boxes=np.array([[0, 0, 4, 4], [1, 1, 2, 2]], np.float32))
    >>> rows.add(7, np.zeros((0, 1), np.float32), row=2, boxes=np.zeros((0, 4), np.float32))
    >>> rows.table().offsets.tolist()
    [0, 2, 2]
    """

    def __init__(self, source: str, fix: str = LAYOUT) -> None:
        self.source, self.fix = source, fix
        self.ids: list[ImageId] = []
        self.features: list[Features] = []
        self.boxes: list[Features] = []
        self.labels: list[str] = []
        self.sizes: list[tuple[float, float]] = []
        self.given: set[str] | None = None  # which of boxes, labels and sizes the first image has
        self.dimension: int | None = None

    def wrong(self, problem: str, row: int | str, field: str | None) -> InputError:
        """The error for something in a row."""
        return InputError(problem, source=self.source, row=row, field=field, fix=self.fix)

    def add(
        self,
        image_id: ImageId,
        features: Features,
        *,
        row: int | str,
        boxes: Features | None = None,
        labels: list[str] | None = None,
        size: tuple[float, float] | None = None,
    ) -> None:
        """The regions of one image: vectors [regions, D], boxes [regions, 4], labels, width and height."""
        given = {name for name, value in (("boxes", boxes), ("labels", labels), ("image_w", size)) if value is not None}
        if self.given is None:
            self.given = given
        if given != self.given:
            name = min(given ^ self.given)
            raise self.wrong("some images have this field and others do not", row, name)
        if len(features):  # of no region there may be no length
            if self.dimension not in (None, features.shape[1]):
                problem = f"vectors of {features.shape[1]} numbers after vectors of {self.dimension}"
                raise self.wrong(problem, row, "features")
            self.dimension = features.shape[1]
        if boxes is not None and (len(boxes) != len(features) or (len(boxes) and boxes.shape[1] != 4)):
            raise self.wrong(f"boxes of shape {boxes.shape} for {len(features)} vectors", row, "boxes")
        if labels is not None and len(labels) != len(features):
            raise self.wrong(f"{len(labels)} labels for {len(features)} vectors", row, "labels")
        self.ids.append(image_id)
        self.features.append(features)
        self.boxes += [] if boxes is None else [boxes]
        self.labels += labels or []
        self.sizes += [] if size is None else [size]

    def table(self) -> Regions:
        """All of them."""
        given = self.given or set()
        return Regions(
            self.ids,
            offsets_of([len(vectors) for vectors in self.features]),
            np.concatenate([vectors for vectors in self.features if len(vectors)] or [_NO_VECTORS]),
            np.concatenate([boxes for boxes in self.boxes if len(boxes)] or [_NO_BOXES]) if "boxes" in given else None,
            self.labels if "labels" in given else None,
            np.array(self.sizes, np.float32).reshape(-1, 2) if "image_w" in given else None,
            self.source,
        )


def from_rows(rows: Iterable[Mapping[str, Any]], wanted: Wanted, source: str) -> Regions:
    """Return the regions of rows that come one by one, with the names of the public bottom-up files.

    >>> from_rows([{"image_id": 7, "features": [[1, 2]], "boxes": [[0, 0, 4, 4]]}], Wanted(), "mine").dimension
    2
    """
    regions = RegionRows(source)
    for number, row in enumerate(rows, 1):
        if type(row.get("image_id")) not in (int, str):
            problem = f"the image id is {describe(row.get('image_id'))}"
            raise regions.wrong(problem, number, "image_id")
        if wanted.images is not None and canonical(row["image_id"]) not in wanted.images:
            continue
        boxes = row.get("boxes")
        size = (row["image_w"], row["image_h"]) if row.keys() >= {"image_w", "image_h"} else None
        regions.add(
            row["image_id"],
            _matrix(regions, row.get("features"), number, "features"),
            row=number,
            boxes=None if boxes is None else _matrix(regions, boxes, number, "boxes"),
            labels=[str(label) for label in row["labels"]] if row.get("labels") is not None else None,
            size=size,
        )
    return regions.table()


def _matrix(regions: RegionRows, value: Any, row: int, field: str) -> Features:
    try:
        numbers: NDArray[Any] = np.asarray(value, np.float32)
    except (TypeError, ValueError):
        raise regions.wrong(f"it is not a list of lists of numbers, but {describe(value)}", row, field) from None
    if not numbers.size and numbers.ndim:
        return _NO_VECTORS if field == "features" else _NO_BOXES
    if numbers.ndim != 2:
        raise regions.wrong(f"it has {numbers.ndim} dimensions, not 2: regions × numbers", row, field)
    return numbers


def read_parquet(file: File, wanted: Wanted) -> Regions:
    """Return the regions of a Parquet file; row groups are read one by one, and only wanted images are kept."""
    from pyarrow import parquet

    regions = RegionRows(file.name)
    number = 0
    with parquet_errors(file.name), parquet.ParquetFile(file.path, memory_map=True) as stored:
        names = stored.schema_arrow.names
        for name in ("image_id", "features"):
            if name not in names:
                raise InputError("there is no such column", source=file.name, field=name, fix=LAYOUT)
        used = [name for name in names if name in _FIELDS]
        for batch in stored.iter_batches(256, columns=used):
            plain = {name: batch.column(name).to_pylist() for name in used if name not in ("features", "boxes")}
            for place, image_id in enumerate(plain["image_id"]):
                number += 1
                if not isinstance(image_id, (int, str)):
                    raise regions.wrong(f"{image_id!r} is not an image id", number, "image_id")
                if wanted.images is not None and canonical(image_id) not in wanted.images:
                    continue
                row = {name: column[place] for name, column in plain.items()}
                count, labels = row.get("num_boxes"), row.get("labels") or []
                vectors = _cell(regions, batch.column("features")[place], count, number, "features")
                if count is not None and count != len(vectors):
                    raise regions.wrong(f"{count} boxes, but {len(vectors)} vectors", number, "num_boxes")
                if not all(isinstance(label, str) for label in labels):
                    raise regions.wrong("a label is not a string", number, "labels")
                boxes = None
                if "boxes" in used:
                    boxes = _cell(regions, batch.column("boxes")[place], len(vectors), number, "boxes")
                size = (row["image_w"], row["image_h"]) if row.keys() >= {"image_w", "image_h"} else None
                named = labels if "labels" in used else None
                regions.add(image_id, vectors, row=number, boxes=boxes, labels=named, size=size)
    return regions.table()


def _cell(regions: RegionRows, cell: Any, count: int | None, row: int, field: str) -> Features:
    """Return a cell of a column as array [regions, n]: a list of lists, or as many numbers (or bytes) as `count` rows
    have."""
    import pyarrow
    from pyarrow import compute

    if not cell.is_valid:
        raise regions.wrong("the field is null", row, field)
    numbers: NDArray[Any]
    if not hasattr(cell, "values"):
        data = cell.as_py()
        if not isinstance(data, bytes) or len(data) % 4:
            raise regions.wrong("it is neither lists of numbers nor float32 bytes", row, field)
        numbers = np.frombuffer(data, "<f4")
    elif pyarrow.types.is_nested(cell.values.type):
        lengths = set(compute.list_value_length(cell.values).to_pylist())
        if len(lengths) > 1:
            raise regions.wrong(f"rows of different lengths: {', '.join(sorted(map(str, lengths)))}", row, field)
        count, numbers = len(cell.values), cell.values.flatten().to_numpy(zero_copy_only=False)
    else:
        numbers = cell.values.to_numpy(zero_copy_only=False)
    if numbers.dtype.kind not in "fiu":
        raise regions.wrong("it does not hold numbers", row, field)
    if count is None:
        raise regions.wrong("a flat list needs num_boxes too", row, field)
    if numbers.size % count if count else numbers.size:
        raise regions.wrong(f"{numbers.size} numbers for {count} boxes", row, field)
    return numbers.astype(np.float32).reshape(count, -1) if count else _NO_VECTORS
