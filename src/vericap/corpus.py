"""The columnar table everything works on: one row a candidate caption, and the references of each image."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError

ImageId: TypeAlias = int | str
ObjectKind: TypeAlias = Literal["gold", "detections", "union"]


@dataclass(frozen=True, eq=False)
class Objects:
    """What is in the pictures: a row an object, objects grouped by image.

    The objects of image i are rows `offsets[i]` … `offsets[i + 1] - 1`. `label[row]` is a place in `labels`, which are
    normalised words. `confidence` is NaN for what people annotated; a detector's objects have one. `boxes` are
    x, y, width, height, NaN where there is none. `source[row]` is the place of its file in `sources`: the same
    object may stand in several. `known[i]` is False where no file names the image.

    >>> dog_and_cats = Objects(("dog", "cat"), np.array([1, 0, 1]), np.array([0, 3]))
    >>> dog_and_cats.of(0), [column.tolist() for column in dog_and_cats.distinct()]
    (['cat', 'dog', 'cat'], [[0, 2], [0, 1], [1, 2]])
    """

    labels: Sequence[str]
    label: NDArray[np.int64]
    offsets: NDArray[np.int64]
    confidence: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    boxes: NDArray[np.float64] | None = None
    source: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    sources: tuple[str, ...] = ("objects",)
    known: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))

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
        """The labels of an image, one an object."""
        return [self.labels[i] for i in self.label[self.offsets[image] : self.offsets[image + 1]].tolist()]

    def rows(self, kind: ObjectKind = "union") -> NDArray[np.bool_]:
        """Which rows are of a kind: annotated (gold), a detector's, or all."""
        if kind == "union":
            return np.ones(len(self.label), bool)
        annotated = np.isnan(self.confidence)
        return annotated if kind == "gold" else ~annotated

    def distinct(self, kind: ObjectKind = "union") -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Offsets by image, labels and counts, each label once an image, in ascending order.

        Of an object that stands in several sources the source that counts most decides: two dogs that people
        annotated and three that a detector found are three dogs, not five.
        """
        kept = np.flatnonzero(self.rows(kind))
        image = np.searchsorted(self.offsets, kept, "right") - 1
        size = max(len(self.labels), 1)
        key = (image * size + self.label[kept]) * len(self.sources) + self.source[kept]
        keys, counts = np.unique(key, return_counts=True)
        found, first = np.unique(keys // len(self.sources), return_index=True)
        most = np.maximum.reduceat(counts, first) if len(first) else counts
        offsets = np.searchsorted(found // size, np.arange(len(self) + 1))
        return offsets.astype(np.int64), found % size, most.astype(np.int64)

    @cached_property
    def digest(self) -> str:
        """A hash of all that scores depend on, for signatures."""
        digest = hashlib.sha256("\n".join(self.labels).encode())
        for column in (self.label, self.offsets, self.confidence, self.source, self.boxes):
            if column is not None:
                digest.update(np.ascontiguousarray(column).data)
        return digest.hexdigest()[:12]

    def keep(self, images: NDArray[np.int64]) -> Objects:
        """The objects of some images, in that order."""
        rows, offsets = _gather(self.offsets, images)
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


@dataclass(frozen=True, eq=False)
class Corpus:
    """Candidates in the order they were given, and references grouped by image.

    `image[row]` is the image that row describes; the references of image i are
    `references[reference_offsets[i]:reference_offsets[i + 1]]`. Several rows may share an image.

    >>> corpus = Corpus.from_lists(["a dog", "a cat"], [["the dog", "one dog"], ["a cat"]])
    >>> len(corpus), corpus.images, corpus.references_of(0)
    (2, 2, ['the dog', 'one dog'])
    """

    image_ids: Sequence[ImageId]
    candidates: Sequence[str]
    image: NDArray[np.int64]
    references: Sequence[str] = ()
    reference_offsets: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))
    fields: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    objects: Objects | None = None
    regions: Any = None  # a vericap.vision.regions.Regions, whose rows are found by image id

    def __post_init__(self) -> None:
        rows = len(self.candidates)
        if len(self.image_ids) != rows or len(self.image) != rows:
            raise InputError(
                f"{rows} candidates but {len(self.image_ids)} image ids", fix="give one id for each candidate"
            )
        if len(self.references) != self.reference_offsets[-1]:
            raise InputError("reference offsets do not end at the number of references")
        if self.objects is not None and rows and len(self.objects) <= int(self.image.max()):
            raise InputError(f"objects of {len(self.objects)} images for {int(self.image.max()) + 1}")

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def images(self) -> int:
        """Number of images; CIDEr's N when document frequencies come from the corpus."""
        return len(self.reference_offsets) - 1

    @property
    def has_references(self) -> bool:
        return self.images > 0

    def references_of(self, row: int) -> list[str]:
        """The reference captions of a row's image."""
        if not self.has_references:
            return []
        image = self.image[row]
        return list(self.references[self.reference_offsets[image] : self.reference_offsets[image + 1]])

    @property
    def has_objects(self) -> bool:
        return self.objects is not None

    @property
    def has_regions(self) -> bool:
        return self.regions is not None

    def objects_of(self, row: int) -> list[str]:
        """The labels of a row's image, one an object.

        >>> objects = Objects(("dog", "cat"), np.array([0, 1, 1]), np.array([0, 1, 3]))
        >>> Corpus(["b", "a"], ["cats", "a dog"], np.array([1, 0]), objects=objects).objects_of(0)
        ['cat', 'cat']
        """
        return [] if self.objects is None else self.objects.of(int(self.image[row]))

    def keep(self, rows: NDArray[np.int64], *notes: str) -> Corpus:
        """The corpus of some rows in ascending order, with their images alone; a note says why."""
        images, image = np.unique(self.image[rows], return_inverse=True)
        references, offsets = self.references, self.reference_offsets
        if self.has_references:
            kept, offsets = _gather(offsets, images)
            references = [references[i] for i in kept.tolist()]
        places = rows.tolist()
        return Corpus(
            [self.image_ids[i] for i in places],
            [self.candidates[i] for i in places],
            image,
            references,
            offsets,
            {name: [column[i] for i in places] for name, column in self.fields.items()},
            (*self.notes, *notes),
            None if self.objects is None else self.objects.keep(images),
            self.regions,
        )

    @classmethod
    def from_lists(
        cls,
        candidates: Sequence[str],
        references: Sequence[Sequence[str]] | None = None,
        image_ids: Sequence[ImageId] | None = None,
    ) -> Corpus:
        """A corpus from lists aligned by position: every row is an image of its own."""
        ids: Sequence[ImageId] = range(len(candidates)) if image_ids is None else image_ids
        rows = np.arange(len(candidates))
        if references is None:
            return cls(ids, candidates, rows)
        if len(references) != len(candidates):
            raise InputError(
                f"{len(candidates)} candidates but {len(references)} lists of references",
                fix="give one list of references for each candidate",
            )
        offsets = np.cumsum([0, *map(len, references)], dtype=np.int64)
        return cls(ids, candidates, rows, [caption for group in references for caption in group], offsets)


def _gather(offsets: NDArray[np.int64], images: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows of some images of a ragged column, and their offsets."""
    first, counts = offsets[images], np.diff(offsets)[images]
    ends = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return np.arange(ends[-1]) + np.repeat(first - ends[:-1], counts), ends
