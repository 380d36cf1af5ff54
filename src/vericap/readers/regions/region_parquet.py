"""Regions from Parquet: a row an image, with the field names of the public bottom-up files."""

from __future__ import annotations

from collections.abc import Container
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.corpus import Features, Regions, canonical
from vericap.errors import InputError
from vericap.readers.messages import one_line

LAYOUT = (
    "write a row an image: image_id, features and boxes as lists of lists (or num_boxes and flat lists or float32 "
    "bytes), labels as a list of strings"
)


def read_parquet(path: str | PathLike[str], source: str, wanted: Container[str] | None = None) -> Regions:
    """The regions of a Parquet file; row groups are read one after the other, and only wanted images are kept."""
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path, memory_map=True) as file:
            names = file.schema_arrow.names
            for name in ("image_id", "features"):
                if name not in names:
                    raise InputError("there is no such column", source=source, field=name, fix=LAYOUT)
            fields = ("image_id", "num_boxes", "features", "boxes", "labels", "image_w", "image_h")
            used = [name for name in names if name in fields]
            rows = _Rows(source, "boxes" in used, "labels" in used, {"image_w", "image_h"} <= set(used))
            for batch in file.iter_batches(256, columns=used):
                rows.add({name: batch.column(name) for name in used}, wanted)
    except InputError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, NotImplementedError) as error:
        problem = f"the Parquet data is damaged or truncated ({one_line(error)})"
        raise InputError(problem, source=source, fix="write it again") from None
    return rows.regions()


class _Rows:
    """Collects the columns of a table of regions, a batch of images at a time."""

    def __init__(self, source: str, boxes: bool, labels: bool, sizes: bool) -> None:
        self.source, self.number = source, 0
        self.ids: list[int | str] = []
        self.features: list[Features] = []
        self.boxes: list[Features] | None = [] if boxes else None
        self.labels: list[str] | None = [] if labels else None
        self.sizes: list[tuple[float, float]] | None = [] if sizes else None

    def add(self, columns: dict[str, Any], wanted: Container[str] | None) -> None:
        ids = columns["image_id"].to_pylist()
        counts = columns["num_boxes"].to_pylist() if "num_boxes" in columns else [None] * len(ids)
        for row, (image_id, count) in enumerate(zip(ids, counts, strict=True)):
            self.number += 1
            if not isinstance(image_id, (int, str)):
                raise self._wrong(f"{image_id!r} is no image id", "image_id")
            if wanted is not None and canonical(image_id) not in wanted:
                continue
            vectors = self._matrix(columns["features"][row], "features", count)
            if self.features and len(vectors) and self._dimension(vectors.shape[1]) != vectors.shape[1]:
                first = self._dimension(vectors.shape[1])
                raise self._wrong(f"vectors of {vectors.shape[1]} numbers after vectors of {first}", "features")
            if count is not None and count != len(vectors):
                raise self._wrong(f"{count} boxes, but {len(vectors)} vectors", "num_boxes")
            self.ids.append(image_id)
            self.features.append(vectors)
            if self.boxes is not None:
                box = self._matrix(columns["boxes"][row], "boxes", len(vectors))
                if len(box) != len(vectors) or (len(box) and box.shape[1] != 4):
                    raise self._wrong(f"boxes {box.shape} beside {len(vectors)} vectors", "boxes")
                self.boxes.append(box)
            if self.labels is not None:
                labels = columns["labels"][row].as_py() or []
                if len(labels) != len(vectors) or not all(isinstance(label, str) for label in labels):
                    raise self._wrong(f"{len(labels)} labels beside {len(vectors)} vectors", "labels")
                self.labels += labels
            if self.sizes is not None:
                self.sizes.append((columns["image_w"][row].as_py(), columns["image_h"][row].as_py()))

    def regions(self) -> Regions:
        filled = [one for one in self.features if len(one)] or [np.zeros((0, 1), np.float32)]
        frames = None if self.boxes is None else [one for one in self.boxes if len(one)]
        return Regions(
            self.ids,
            np.cumsum([0, *map(len, self.features)], dtype=np.int64),
            np.concatenate(filled),
            None if frames is None else np.concatenate(frames or [np.zeros((0, 4), np.float32)]),
            self.labels,
            None if self.sizes is None else np.array(self.sizes, np.float32).reshape(-1, 2),
            self.source,
        )

    def _matrix(self, cell: Any, field: str, count: int | None) -> Features:
        """A cell as array [regions, n]: a list of lists, or as many numbers (or bytes) as `count` rows have."""
        import pyarrow
        from pyarrow import compute

        if not cell.is_valid:
            raise self._wrong("nothing is there", field)
        numbers: NDArray[Any]
        if not hasattr(cell, "values"):
            data = cell.as_py()
            if not isinstance(data, bytes) or len(data) % 4:
                raise self._wrong("neither lists of numbers nor float32 bytes", field)
            numbers = np.frombuffer(data, "<f4")
        elif pyarrow.types.is_nested(cell.values.type):
            lengths = set(compute.list_value_length(cell.values).to_pylist())
            if len(lengths) > 1:
                raise self._wrong(f"rows of different lengths: {', '.join(sorted(map(str, lengths)))}", field)
            count, numbers = len(cell.values), cell.values.flatten().to_numpy(zero_copy_only=False)
        else:
            numbers = cell.values.to_numpy(zero_copy_only=False)
        if numbers.dtype.kind not in "fiu":
            raise self._wrong("no numbers", field)
        if count is None:
            raise self._wrong("a flat list needs num_boxes beside it", field)
        if numbers.size % count if count else numbers.size:
            raise self._wrong(f"{numbers.size} numbers for {count} boxes", field)
        return numbers.astype(np.float32).reshape(count, -1) if count else np.zeros((0, 1), np.float32)

    def _dimension(self, otherwise: int) -> int:
        return next((one.shape[1] for one in self.features if len(one)), otherwise)

    def _wrong(self, problem: str, field: str) -> InputError:
        return InputError(problem, source=self.source, row=self.number, field=field, fix=LAYOUT)
