"""The objects of images in columns: one row per object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from vericap.arrays import Booleans, Floats, Integers, Ragged, gather, offsets_of
from vericap.options.choices import MEGAPIXELS, Missing

ObjectKind: TypeAlias = Literal["gold", "detections", "union"]


@dataclass(frozen=True, eq=False)
class Objects:
    """The objects of pictures: one row per object, objects grouped by image.

    The objects of image i are rows `offsets[i]` … `offsets[i + 1] - 1`. `label[row]` is a place in `labels`, which are
    normalised words. `confidence` is NaN for what people annotated; a detector's objects have one. `boxes` are
    x, y, width, height, NaN where there is none. `source[row]` is the place of its file in `sources`: the same
    object may be in several. `known[i]` is False where no file names the image.

    >>> dog_and_cats = Objects(("dog", "cat"), np.array([1, 0, 1]), np.array([0, 3]))
    >>> dog_and_cats.of(0), [column.tolist() for column in dog_and_cats.distinct()]
    (['cat', 'dog', 'cat'], [[0, 2], [1, 0], [2, 1]])
    """

    labels: Sequence[str]
    label: Integers
    offsets: Integers
    confidence: Floats = field(default_factory=lambda: np.zeros(0))
    boxes: Floats | None = None
    source: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    sources: tuple[str, ...] = ("objects",)
    known: Booleans = field(default_factory=lambda: np.zeros(0, bool))

    def __post_init__(self) -> None:
        # What a caller who makes objects by hand may leave out: annotated, of one source, every image known.
        rows, images = len(self.label), len(self.offsets) - 1
        defaults = {
            "confidence": np.full(rows, np.nan),
            "source": np.zeros(rows, np.int64),
            "known": np.ones(images, bool),
        }
        for name, column in defaults.items():
            if len(getattr(self, name)) != len(column):
                object.__setattr__(self, name, column)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, image: int) -> list[str]:
        """The labels of an image, one per object."""
        return [self.labels[i] for i in self.label[self.offsets[image] : self.offsets[image + 1]].tolist()]

    def rows(self, kind: ObjectKind = "union") -> Booleans:
        """Return a mask of the rows of a kind: annotated (gold), a detector's, or all."""
        if kind == "union":
            return np.ones(len(self.label), bool)
        annotated = np.isnan(self.confidence)
        return annotated if kind == "gold" else ~annotated

    def distinct(self, kind: ObjectKind = "union") -> tuple[Integers, Integers, Integers]:
        """Return offsets by image, labels and counts, each label once per image, in alphabetical order.

        Of an object that is in several sources the source that counts most decides: two dogs that people
        annotated and three that a detector found are three dogs, not five.
        """
        kept = np.flatnonzero(self.rows(kind))
        image = Ragged(self.label, self.offsets).row[kept]
        size = max(len(self.labels), 1)
        # Not in the order of numbers, which depends on what other images show.
        in_order = np.array(sorted(range(len(self.labels)), key=self.labels.__getitem__), np.int64)
        key = (image * size + np.argsort(in_order)[self.label[kept]]) * len(self.sources) + self.source[kept]
        keys, counts = np.unique(key, return_counts=True)
        found, first = np.unique(keys // len(self.sources), return_index=True)
        most = np.maximum.reduceat(counts, first) if len(first) else counts
        offsets = offsets_of(np.bincount(found // size, minlength=len(self)))
        return offsets, in_order[found % size], most.astype(np.int64)

    @cached_property
    def digest(self) -> str:
        """A hash of all that scores depend on, for signatures."""
        import hashlib

        digest = hashlib.sha256("\n".join(self.labels).encode())
        for column in (self.label, self.offsets, self.confidence, self.source, self.boxes):
            if column is not None:
                digest.update(np.ascontiguousarray(column).data)
        return digest.hexdigest()[:12]

    def keep(self, images: Integers) -> Objects:
        """The objects of some images, in that order."""
        rows, offsets = gather(self.offsets, images)
        boxes = None if self.boxes is None else self.boxes[rows]
        known, source = self.known[images], self.source[rows]
        return replace(
            self,
            label=self.label[rows],
            offsets=offsets,
            confidence=self.confidence[rows],
            boxes=boxes,
            source=source,
            known=known,
        )


@dataclass(frozen=True)
class PictureFolder:
    """A folder of pictures named by image id. `cache` is the folder where what networks compute for them is kept, and
    `missing` says what becomes of captions whose picture is not there or cannot be read;
    larger pictures than `megapixels` are not read."""

    folder: Path
    cache: Path | None = None
    missing: Missing = "error"
    megapixels: float = MEGAPIXELS
