"""Regions from files of named arrays: NumPy's .npz and safetensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, offsets_of
from vericap.corpus import ImageId, Regions
from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.storage.array_file import map_npz, map_safetensors

LAYOUT = (
    "write image_id [images], num_boxes [images], features [regions, D] and, if there, boxes [regions, 4]; "
    "or features [images, N, D] and boxes [images, N, 4]"
)
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
_KNOWN = frozenset(name for names in _NAMES.values() for name in names)


def read_npz(file: File, wanted: Wanted) -> Regions:
    """Regions from an .npz."""
    return from_arrays(map_npz(file, _KNOWN), file.name)


def read_safetensors(file: File, wanted: Wanted) -> Regions:
    """Regions from a .safetensors file. It has no strings: ids and labels that are not numbers are JSON lists
    `image_id` and `labels` in its metadata."""
    arrays, lists = map_safetensors(file, _KNOWN)
    return from_arrays(arrays, file.name, lists)


def from_arrays(
    arrays: Mapping[str, NDArray[Any]], source: str, lists: Mapping[str, Sequence[Any]] | None = None
) -> Regions:
    """Regions from named arrays, in either of the two layouts.

    >>> given = {"image_id": np.array([42, 7]), "num_boxes": np.array([2, 0]), "features": np.ones((2, 5))}
    >>> from_arrays(given, "regions.npz").offsets.tolist()
    [0, 2, 2]
    """
    return _Arrays(arrays, source, lists or {}).regions()


class _Arrays:
    """Named arrays, checked while they are taken."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], source: str, lists: Mapping[str, Sequence[Any]]) -> None:
        self.arrays, self.source, self.lists = arrays, source, lists

    def regions(self) -> Regions:
        """The table of regions."""
        ids = self.strings("image_id")
        features, boxes = self.numbers("features"), self.numbers("boxes") if self.find("boxes") is not None else None
        labels = self.lists.get("labels", self.find("labels"))
        if features.ndim == 3:
            per_image, used = self.padded(features, boxes)
            features = _flat(features, used)
            boxes = None if boxes is None else _flat(boxes, used)
            if labels is not None and np.shape(labels) == used.shape:
                labels = np.asarray(labels)[used]
        else:
            per_image = self.counts(self.must("num_boxes"))
        if len(per_image) != len(ids):
            raise self.wrong(f"{len(per_image)} counts for {len(ids)} images", "num_boxes")
        return Regions(
            [int(name) if isinstance(name, str) and name.isascii() and name.isdigit() else name for name in ids],
            offsets_of(per_image),
            features.astype(np.float32, copy=False),
            None if boxes is None else boxes.astype(np.float32, copy=False),
            None if labels is None else [str(label) for label in self.strings("labels", labels)],
            self.sizes(len(ids)),
            self.source,
        )

    def wrong(self, problem: str, field: str, row: int | None = None) -> InputError:
        """The error for an array."""
        return InputError(problem, source=self.source, row=row, field=field, fix=LAYOUT)

    def find(self, name: str) -> NDArray[Any] | None:
        """An array by any of its names."""
        return next((self.arrays[spelling] for spelling in _NAMES[name] if spelling in self.arrays), None)

    def must(self, name: str) -> NDArray[Any]:
        """An array that has to be there."""
        found = self.find(name)
        if found is None:
            raise self.wrong("there is no such array", name)
        return found

    def numbers(self, name: str) -> NDArray[Any]:
        """An array of numbers."""
        found = self.must(name)
        if found.dtype.kind not in "fiu":
            raise self.wrong(f"the array has type {found.dtype}, not numbers", name)
        return found

    def counts(self, counts: NDArray[Any]) -> Integers:
        """Return the number of regions of each image."""
        if counts.ndim != 1 or counts.dtype.kind not in "iu" or (len(counts) and counts.min() < 0):
            raise self.wrong("it is not one count for each image", "num_boxes")
        return counts.astype(np.int64)

    def padded(self, features: NDArray[Any], boxes: NDArray[Any] | None) -> tuple[Integers, NDArray[np.bool_]]:
        """Return, if every image has the same number of rows, how many of them count, and which."""
        given = self.find("num_boxes")
        per_image = np.full(len(features), features.shape[1]) if given is None else self.counts(given)
        if len(per_image) != len(features) or (per_image > features.shape[1]).any():
            raise self.wrong("the counts do not fit the features", "num_boxes")
        if boxes is not None and boxes.shape[:2] != features.shape[:2]:
            raise self.wrong(f"shape {boxes.shape} with features of shape {features.shape}", "boxes")
        return per_image, np.arange(features.shape[1]) < per_image[:, None]

    def sizes(self, images: int) -> NDArray[np.float32] | None:
        """Width and height of each image, if both are there."""
        width, height = self.find("image_w"), self.find("image_h")
        for name, column in (("image_w", width), ("image_h", height)):
            if column is not None and (column.shape != (images,) or column.dtype.kind not in "fiu"):
                problem = f"the array has type {column.dtype} and shape {column.shape}, not one number for each of "
                raise self.wrong(f"{problem}{images} images", name)
        return None if width is None or height is None else np.stack([width, height], 1).astype(np.float32)

    def strings(self, field: str, column: Any = None) -> list[ImageId]:
        """Ids or labels: whole numbers or strings, one after the other."""
        if column is None:
            column = self.lists[field] if field in self.lists else self.must(field)
        values = column.tolist() if isinstance(column, np.ndarray) else list(column)
        values = [value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in values]
        wrong = next((i for i, v in enumerate(values) if not isinstance(v, (int, str)) or isinstance(v, bool)), None)
        if wrong is not None:
            raise self.wrong(f"{values[wrong]!r} is neither a whole number nor a string", field, wrong + 1)
        return values


def _flat(array: NDArray[Any], used: NDArray[np.bool_]) -> NDArray[Any]:
    """[images, N, D] as [regions, D]; a view, so that a mapped file stays on the disk, where all rows count."""
    return array.reshape(-1, array.shape[2]) if used.all() else array[used]
