"""The columnar table everything works on: one row per candidate caption, and the references of each image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from vericap.arrays import Integers, gather, offsets_of
from vericap.corpus.columns import IntegerColumn, TextColumn, take
from vericap.corpus.image_ids import ImageId, canonical
from vericap.errors import InputError, not_a_set

if TYPE_CHECKING:
    from vericap.corpus.object_table import ObjectKind, Objects, PictureFolder
    from vericap.corpus.region_table import Features, Regions

__all__ = [
    "Corpus",
    "Features",
    "ImageId",
    "IntegerColumn",
    "ObjectKind",
    "Objects",
    "PictureFolder",
    "Regions",
    "TextColumn",
    "canonical",
]

# What pictures show, imported when first used: most runs have captions alone.
_HOME = {
    "Features": "vericap.corpus.region_table",
    "ObjectKind": "vericap.corpus.object_table",
    "Objects": "vericap.corpus.object_table",
    "PictureFolder": "vericap.corpus.object_table",
    "Regions": "vericap.corpus.region_table",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'vericap.corpus' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


@dataclass(frozen=True, eq=False)
class Corpus:
    """Candidates in the order they were given, and references grouped by image.

    `image[row]` is the image that row describes; the references of image i are
    `references[reference_offsets[i]:reference_offsets[i + 1]]`. Several rows may share an image. Texts and ids of a big
    file are columns (`TextColumn`, `IntegerColumn`), which are read as lists are.

    >>> corpus = Corpus.from_lists(["a dog", "a cat"], [["the dog", "one dog"], ["a cat"]])
    >>> len(corpus), corpus.images, corpus.references_of(0)
    (2, 2, ['the dog', 'one dog'])
    """

    image_ids: Sequence[ImageId]
    candidates: Sequence[str]
    image: Integers
    references: Sequence[str] = ()
    reference_offsets: Integers = field(default_factory=lambda: np.zeros(1, np.int64))
    fields: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    objects: Objects | None = None
    regions: Any = None  # a vericap.corpus.region_table.Regions, whose rows are found by image id
    pictures: PictureFolder | None = None

    def __post_init__(self) -> None:
        rows = len(self.candidates)
        if len(self.image_ids) != rows or len(self.image) != rows:
            raise InputError(
                f"{rows} candidates but {len(self.image_ids)} image ids", fix="give one id for each candidate"
            )
        if len(self.references) != self.reference_offsets[-1]:
            problem = "the reference offsets do not end at the number of references"
            raise InputError(problem, fix="use Corpus.from_lists")
        if self.objects is not None and rows and len(self.objects) <= int(self.image.max()):
            raise InputError(
                f"there are objects of {len(self.objects)} images for {int(self.image.max()) + 1}",
                fix="give a list of objects for each image, which may be empty",
            )

    def __len__(self) -> int:
        return len(self.candidates)

    def __repr__(self) -> str:
        return f"<Corpus of {len(self):,} captions, {len(self.references):,} references>"

    @property
    def images(self) -> int:
        """Number of images; CIDEr's N when document frequencies come from the corpus."""
        return len(self.reference_offsets) - 1

    @property
    def has_references(self) -> bool:
        return len(self.reference_offsets) > 1

    @property
    def reference_counts(self) -> tuple[int, int]:
        """The fewest and the most references of an image; 0 where there are none."""
        counts = np.diff(self.reference_offsets)
        return (int(counts.min()), int(counts.max())) if len(counts) else (0, 0)

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

    @property
    def has_pictures(self) -> bool:
        return self.pictures is not None

    def objects_of(self, row: int) -> list[str]:
        """The labels of a row's image, one per object.

        >>> from vericap.corpus import Objects
        >>> objects = Objects(("dog", "cat"), np.array([0, 1, 1]), np.array([0, 1, 3]))
        >>> Corpus(["b", "a"], ["cats", "a dog"], np.array([1, 0]), objects=objects).objects_of(0)
        ['cat', 'cat']
        """
        return [] if self.objects is None else self.objects.of(int(self.image[row]))

    def keep(self, rows: Integers, *notes: str) -> Corpus:
        """The corpus of some rows in ascending order, with their images alone; a note says why."""
        images, image = np.unique(self.image[rows], return_inverse=True)
        references, offsets = self.references, self.reference_offsets
        if self.has_references:
            kept, offsets = gather(offsets, images)
            references = take(references, kept)
        places = rows.tolist()
        return Corpus(
            take(self.image_ids, rows),
            take(self.candidates, rows),
            image,
            references,
            offsets,
            {name: [column[i] for i in places] for name, column in self.fields.items()},
            (*self.notes, *notes),
            None if self.objects is None else self.objects.keep(images),
            self.regions,
            self.pictures,
        )

    @classmethod
    def from_lists(
        cls,
        candidates: Sequence[str],
        references: Sequence[Sequence[str]] | None = None,
        image_ids: Sequence[ImageId] | None = None,
    ) -> Corpus:
        """A corpus from lists aligned by position: every row is an image of its own."""
        for name, given in (("candidates", candidates), ("references", references), ("image_ids", image_ids)):
            not_a_set(given, name)
        ids: Sequence[ImageId] = range(len(candidates)) if image_ids is None else image_ids
        rows = np.arange(len(candidates))
        if references is None:
            return cls(ids, candidates, rows)
        if len(references) != len(candidates):
            raise InputError(
                f"{len(candidates)} candidates but {len(references)} lists of references",
                fix="give one list of references for each candidate",
            )
        offsets = offsets_of([len(group) for group in references])
        return cls(ids, candidates, rows, [caption for group in references for caption in group], offsets)
