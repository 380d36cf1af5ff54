"""Regions from Parquet: one row per image, with the field names of the public bottom-up files."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.corpus import Features, Regions, canonical
from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.messages import one_line
from vericap.readers.regions.region_rows import LAYOUT, RegionRows

FIELDS = ("image_id", "num_boxes", "features", "boxes", "labels", "image_w", "image_h")


def read_parquet(file: File, wanted: Wanted) -> Regions:
    """The regions of a Parquet file; row groups are read one after the other, and only wanted images are kept."""
    import pyarrow
    from pyarrow import parquet

    regions = RegionRows(file.name)
    number = 0
    try:
        with parquet.ParquetFile(file.path, memory_map=True) as stored:
            names = stored.schema_arrow.names
            for name in ("image_id", "features"):
                if name not in names:
                    raise InputError("there is no such column", source=file.name, field=name, fix=LAYOUT)
            used = [name for name in names if name in FIELDS]
            for batch in stored.iter_batches(256, columns=used):
                columns = {name: batch.column(name) for name in used}
                for place, image_id in enumerate(columns["image_id"].to_pylist()):
                    number += 1
                    _Row(regions, columns, place, number).add(image_id, wanted)
    except InputError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, NotImplementedError) as error:
        problem = f"the Parquet data is damaged or truncated ({one_line(error)})"
        raise InputError(problem, source=file.name, fix="write it again") from None
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
            raise self._wrong("a flat list needs num_boxes beside it", field)
        if numbers.size % count if count else numbers.size:
            raise self._wrong(f"{numbers.size} numbers for {count} boxes", field)
        return numbers.astype(np.float32).reshape(count, -1) if count else np.zeros((0, 1), np.float32)

    def _wrong(self, problem: str, field: str) -> InputError:
        return self.regions.wrong(problem, self.number, field)
