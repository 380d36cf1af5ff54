"""The matches of a caption's words and relations in FAIEr, as a list and as the matrices of the paper's Figure 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vericap.arrays import Floats
from vericap.metrics.faier.scenes import Caption, Triplet
from vericap.results.explanation import Matrix, Part


@dataclass(frozen=True, eq=False)
class Details:
    """The matches of one candidate. `labels` name the rows of the matrices: regions, or for a model that uses no
    image the nodes of the references. `after` is z · h, with the union z; `before` is equation 2's W_a (v ⊙ h), by
    which the model attends to words, and for a model that does not fuse v · h."""

    total: float
    objects: float
    relations: float
    words: tuple[str, ...]
    triplets: tuple[Triplet, ...]
    regions: int  # of the picture, at most as many as the model takes
    labels: list[str]
    objects_before: Floats  # [rows, words]
    objects_after: Floats
    relations_before: Floats  # [rows, triplets]
    relations_after: Floats
    references: list[Caption]
    reference_matches: list[Floats]  # of each reference: [regions, its words], as objects_before


@dataclass(frozen=True, eq=False)
class LevelMatches:
    """Similarities of one level: rows are what is matched with, columns the caption's words or relations."""

    name: str
    rows: Sequence[str]
    columns: Sequence[str]
    before: Floats
    after: Floats

    def parts(self) -> list[Part]:
        """Return what each column takes, and with which similarity."""
        best = self.after.argmax(axis=0) if self.after.size else []
        return [
            Part(node, {"match": self.rows[row], "score": float(self.after[row, k])})
            for k, (node, row) in enumerate(zip(self.columns, best, strict=True))
        ]

    def matrices(self) -> dict[str, Matrix]:
        """Return the similarities before fusion in red, after it in blue."""
        after = Matrix(self.rows, self.columns, self.after)
        if np.array_equal(self.before, self.after):  # a variant that fuses nothing, or nothing is there
            return {self.name: after}
        before = Matrix(self.rows, self.columns, self.before, "red")
        return {f"{self.name}, before fusion": before, f"{self.name}, after fusion": after}


@dataclass(frozen=True)
class Matches:
    """Both levels of one caption, and its references' words beside the picture. A model that uses no image matches with
    words and relations of the references."""

    details: Details
    uses_image: bool

    @cached_property
    def words(self) -> LevelMatches:
        """The caption's words."""
        found = self.details
        rows = "objects" if self.uses_image else "reference words"
        return LevelMatches(f"{rows} × words", found.labels, found.words, found.objects_before, found.objects_after)

    @cached_property
    def relations(self) -> LevelMatches:
        """The caption's relation triplets."""
        found, name = self.details, "objects" if self.uses_image else "reference relations"
        said = [_spell(triplet) for caption in found.references for triplet in caption.triplets]
        rows, columns = found.labels if self.uses_image else said, [_spell(triplet) for triplet in found.triplets]
        if not found.relations_after.size:
            rows, columns = [], []
        none = np.zeros((len(rows), len(columns)))
        before, after = (m if m.size else none for m in (found.relations_before, found.relations_after))
        return LevelMatches(f"{name} × relations", rows, columns, before, after)

    def sections(self) -> dict[str, list[Part]]:
        """Return the object that each word and each relation takes, and with which similarity."""
        return {
            "words and what they match": self.words.parts(),
            "relations and what they match": self.relations.parts(),
        }

    def matrices(self) -> dict[str, Matrix]:
        """Objects × words of each reference and of the caption, then objects × relations."""
        found = self.details
        shown = zip(found.references, found.reference_matches, strict=True) if found.reference_matches else ()
        of_references = {
            f"objects × words of reference {number}": Matrix(found.labels, caption.words, matrix, "red")
            for number, (caption, matrix) in enumerate(shown, 1)
        }
        return of_references | self.words.matrices() | self.relations.matrices()


def _spell(triplet: Sequence[str]) -> str:
    return " – ".join(triplet)
