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
            columns = {name: batch.column(name) for name in used}
            for place, image_id in enumerate(columns["image_id"].to_pylist()):
                number += 1
                _Row(regions, columns, place, number).add(image_id, wanted)
    return regions.table()


class _Row:
    """One row of a batch of columns."""

    def __init__(self, regions: RegionRows, columns: dict[str, Any], place: int, number: int) -> None:
        self.regions, self.columns, self.place, self.number = regions, columns, place, number

    def add(self, image_id: Any, wanted: Wanted) -> None:
        """The regions of the row's image, if it is wanted."""
        if not isinstance(image_id, (int, str)):
            raise self._wrong(f"{image_id!r} is not an image id", "image_id")
        if wanted.images is not None and canonical(image_id) not in wanted.images:
            return
        count = self._value("num_boxes")
        vectors = self._matrix("features", count)
        if count is not None and count != len(vectors):
            raise self._wrong(f"{count} boxes, but {len(vectors)} vectors", "num_boxes")
        width, height = self._value("image_w"), self._value("image_h")
        self.regions.add(
            image_id,
            vectors,
            row=self.number,
            boxes=self._matrix("boxes", len(vectors)) if "boxes" in self.columns else None,
            labels=self._labels() if "labels" in self.columns else None,
            size=(width, height) if {"image_w", "image_h"} <= self.columns.keys() else None,
        )

    def _value(self, field: str) -> Any:
        return self.columns[field][self.place].as_py() if field in self.columns else None

    def _labels(self) -> list[str]:
        labels = self._value("labels") or []
        if not all(isinstance(label, str) for label in labels):
            raise self._wrong("a label is not a string", "labels")
        return list(labels)

    def _matrix(self, field: str, count: int | None) -> Features:
        """A cell as array [regions, n]: a list of lists, or as many numbers (or bytes) as `count` rows have."""
        import pyarrow
        from pyarrow import compute

        cell = self.columns[field][self.place]
        if not cell.is_valid:
            raise self._wrong("the field is null", field)
        numbers: NDArray[Any]
        if not hasattr(cell, "values"):
            data = cell.as_py()
            if not isinstance(data, bytes) or len(data) % 4:
                raise self._wrong("it is neither lists of numbers nor float32 bytes", field)
            numbers = np.frombuffer(data, "<f4")
        elif pyarrow.types.is_nested(cell.values.type):
            lengths = set(compute.list_value_length(cell.values).to_pylist())
            if len(lengths) > 1:
                raise self._wrong(f"rows of different lengths: {', '.join(sorted(map(str, lengths)))}", field)
            count, numbers = len(cell.values), cell.values.flatten().to_numpy(zero_copy_only=False)
        else:
            numbers = cell.values.to_numpy(zero_copy_only=False)
        if numbers.dtype.kind not in "fiu":
            raise self._wrong("it does not hold numbers", field)
        if count is None:
            raise self._wrong("a flat list needs num_boxes too", field)
        if numbers.size % count if count else numbers.size:
            raise self._wrong(f"{numbers.size} numbers for {count} boxes", field)
        return numbers.astype(np.float32).reshape(count, -1) if count else np.zeros((0, 1), np.float32)

    def _wrong(self, problem: str, field: str) -> InputError:
        return self.regions.wrong(problem, self.number, field)
