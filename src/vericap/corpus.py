"""The columnar table everything works on: one row a candidate caption, and the references of each image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError

ImageId: TypeAlias = int | str


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

    def __post_init__(self) -> None:
        rows = len(self.candidates)
        if len(self.image_ids) != rows or len(self.image) != rows:
            raise InputError(
                f"{rows} candidates but {len(self.image_ids)} image ids", fix="give one id for each candidate"
            )
        if len(self.references) != self.reference_offsets[-1]:
            raise InputError("reference offsets do not end at the number of references")

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
        image = self.image[row]
        return list(self.references[self.reference_offsets[image] : self.reference_offsets[image + 1]])

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
