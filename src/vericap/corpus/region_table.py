"""Regions of images with their feature vectors, as a detector such as bottom-up attention (Anderson et al. 2018)
writes them: one table in columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers
from vericap.corpus.image_ids import ImageId, canonical
from vericap.errors import InputError

Features: TypeAlias = NDArray[np.float32]
# Rows at a time: a memory map of gigabytes must not come into memory whole.
_BLOCK = 4096


@dataclass(frozen=True, eq=False)
class Regions:
    """The regions of image i are rows `offsets[i]:offsets[i + 1]` of every column.

    features [regions, D] (any D; a memory map where the file allows one), boxes [regions, 4] as x1 y1 x2 y2 in
    pixels, labels one per region, sizes [images, 2] as width and height; what a file does not have is None.

    >>> regions = Regions([42, 7], np.array([0, 2, 3]), np.eye(3, 5, dtype=np.float32))
    >>> len(regions), regions.dimension, regions.features_of(0).shape
    (2, 5, (2, 5))
    """

    image_ids: Sequence[ImageId]
    offsets: Integers
    features: Features
    boxes: Features | None = None
    labels: Sequence[str] | None = None
    sizes: Features | None = None
    source: str = "regions"

    def __post_init__(self) -> None:
        check(self)

    def __len__(self) -> int:
        return len(self.image_ids)

    @property
    def dimension(self) -> int:
        """D, the length of a region's vector."""
        return int(self.features.shape[1])

    def features_of(self, image: int) -> Features:
        """Vectors of an image's regions, array [regions of the image, D]."""
        return self.features[self.offsets[image] : self.offsets[image + 1]]

    def boxes_of(self, image: int) -> Features | None:
        """Boxes of an image's regions, array [regions of the image, 4], or None."""
        return None if self.boxes is None else self.boxes[self.offsets[image] : self.offsets[image + 1]]

    def labels_of(self, image: int) -> list[str] | None:
        """Labels of an image's regions, or None."""
        return None if self.labels is None else list(self.labels[self.offsets[image] : self.offsets[image + 1]])

    def find(self, image_ids: Iterable[ImageId]) -> Integers:
        """The number of each of these images here; -1 for one that is not here. All spellings of an id are one image.

        >>> Regions(["COCO_val2014_000000000042.jpg"], np.array([0, 1]), np.ones((1, 2), np.float32)).find([42, 7])
        array([ 0, -1])
        """
        index = {canonical(image_id): i for i, image_id in enumerate(self.image_ids)}
        return np.array([index.get(canonical(image_id), -1) for image_id in image_ids], np.int64)

    def with_empty_image(self) -> Regions:
        """These and, last, an image without regions, for a picture that no file names."""
        offsets = np.append(self.offsets, self.offsets[-1:])
        sizes = None if self.sizes is None else np.vstack([self.sizes, np.ones((1, 2), np.float32)])
        return replace(self, image_ids=[*self.image_ids, "(no regions)"], offsets=offsets, sizes=sizes)

    @cached_property
    def digest(self) -> str:
        """A hash of all that scores depend on, for signatures."""
        import hashlib

        digest = hashlib.sha256("\n".join(map(str, self.image_ids)).encode())
        digest.update(np.ascontiguousarray(self.offsets).data)
        digest.update("\n".join(self.labels or ()).encode())
        for column in (self.features, self.boxes, self.sizes):
            for start in range(0, 0 if column is None else len(column), _BLOCK):
                digest.update(np.ascontiguousarray(column[start : start + _BLOCK]).data)  # type: ignore[index]
        return digest.hexdigest()[:12]


def check(regions: Regions) -> None:
    """Raises an error that names the image and the column where the columns do not fit together."""
    ids, offsets, features = regions.image_ids, regions.offsets, regions.features
    if len(offsets) != len(ids) + 1 or (len(offsets) and offsets[0] != 0) or (np.diff(offsets) < 0).any():
        _refuse(regions, f"{offsets.shape[0] - 1} counts for {len(ids)} images", "num_boxes")
    if features.ndim != 2:
        _refuse(regions, f"features have {features.ndim} dimensions, not 2: regions × D", "features")
    total = int(offsets[-1])
    columns = {"features": features, "boxes": regions.boxes, "labels": regions.labels}
    for name, column in columns.items():
        if column is not None and len(column) != total:
            _refuse(regions, f"{len(column):,} rows, but the images have {total:,} regions together", name)
    if regions.sizes is not None and regions.sizes.shape != (len(ids), 2):
        _refuse(regions, "it is not one width and one height for each image", "image_w")
    if regions.sizes is not None and not (fit := ((regions.sizes > 0) & np.isfinite(regions.sizes)).all(axis=1)).all():
        row = int(np.argmin(fit))
        width, height = regions.sizes[row].tolist()
        problem = f"image {ids[row]!r} is {width:g} wide and {height:g} high"
        _refuse(regions, problem, "image_w" if not 0 < width < np.inf else "image_h", row, "write its size in pixels")
    names: dict[str, int] = {}
    for row, image_id in enumerate(ids):
        if names.setdefault(canonical(image_id), row) != row:
            _refuse(regions, f"image {image_id!r} occurs twice", "image_id", row, "keep one of them")
    if regions.boxes is not None:
        _check_boxes(regions, regions.boxes)
    for start in range(0, total, _BLOCK):
        finite = np.isfinite(features[start : start + _BLOCK]).all(axis=1)
        if not finite.all():
            row = _image_of(regions, start + int(np.argmin(finite)))
            _refuse(regions, f"a number of image {ids[row]!r} is not finite", "features", row)


def _check_boxes(regions: Regions, boxes: Features) -> None:
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        _refuse(regions, f"boxes have shape {boxes.shape}, not regions × 4", "boxes")
    broken = ~np.isfinite(boxes).all(axis=1)
    turned = (boxes[:, 2] < boxes[:, 0]) | (boxes[:, 3] < boxes[:, 1])
    for wrong, how, fix in (
        (broken, "holds NaN or infinity", "write the file again"),
        (turned, "ends before it begins", "write boxes as x1 y1 x2 y2, not x y width height"),
    ):
        if wrong.any():
            region = int(np.argmax(wrong))
            row = _image_of(regions, region)
            at = region - int(regions.offsets[row]) + 1
            _refuse(regions, f"box {at} of image {regions.image_ids[row]!r} {how}", "boxes", row, fix)


def _image_of(regions: Regions, region: int) -> int:
    return int(np.searchsorted(regions.offsets, region, side="right")) - 1


def _refuse(
    regions: Regions, problem: str, field: str, row: int | None = None, fix: str = "write the file again"
) -> None:
    raise InputError(problem, source=regions.source, row=None if row is None else row + 1, field=field, fix=fix)
