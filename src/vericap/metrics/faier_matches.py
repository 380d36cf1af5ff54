"""What a caption's words and relations matched in FAIEr, as a list and as the matrices of the paper's Figure 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vericap.arrays import Floats
from vericap.results.explanation import Matrix, Part

if TYPE_CHECKING:
    from vericap.neural.faier.scorer import Details


@dataclass(frozen=True, eq=False)
class Level:
    """Similarities of one level: rows are what is matched with, columns the caption's words or relations."""

    name: str
    rows: Sequence[str]
    columns: Sequence[str]
    before: Floats
    after: Floats


@dataclass(frozen=True, eq=False)
class Seen:
    """Both levels of one caption, and its references' words beside the picture."""

    words: Level
    relations: Level
    references: dict[str, Matrix]

    @classmethod
    def of(cls, details: Details, looks: bool) -> Seen:
        """From what the model tells. A model that does not look at the picture matches with words and relations of
        the references."""
        rows = ("objects", "objects") if looks else ("reference words", "reference relations")
        said = [_spell(triplet) for caption in details.references for triplet in caption.triplets]
        triplets = [_spell(triplet) for triplet in details.triplets]
        related = details.labels if looks else said
        if not details.relations_after.size:
            related, triplets = [], []
        none = np.zeros((len(related), len(triplets)))
        before, after = (m if m.size else none for m in (details.relations_before, details.relations_after))
        shown = zip(details.references, details.reference_matches, strict=True) if details.reference_matches else ()
        return cls(
            Level(f"{rows[0]} × words", details.labels, details.words, details.objects_before, details.objects_after),
            Level(f"{rows[1]} × relations", related, triplets, before, after),
            {
                f"objects × words of reference {number}": Matrix(details.labels, caption.words, matrix, "red")
                for number, (caption, matrix) in enumerate(shown, 1)
            },
        )

    def matches(self) -> dict[str, list[Part]]:
        """The object that each word and each relation takes, and with which similarity."""
        found = {}
        for what, level in (("words", self.words), ("relations", self.relations)):
            best = level.after.argmax(axis=0) if level.after.size else []
            found[f"{what} and what they match"] = [
                Part(node, {"match": level.rows[row], "score": float(level.after[row, k])})
                for k, (node, row) in enumerate(zip(level.columns, best, strict=True))
            ]
        return found

    def matrices(self) -> dict[str, Matrix]:
        """Objects × words of each reference and of the caption: before fusion in red, after it in blue."""
        found = dict(self.references)
        for level in (self.words, self.relations):
            if np.array_equal(level.before, level.after):  # a variant that fuses nothing, or nothing is there
                found[level.name] = Matrix(level.rows, level.columns, level.after)
            else:
                found[f"{level.name}, before fusion"] = Matrix(level.rows, level.columns, level.before, "red")
                found[f"{level.name}, after fusion"] = Matrix(level.rows, level.columns, level.after)
        return found


def _spell(triplet: Sequence[str]) -> str:
    return " – ".join(triplet)
