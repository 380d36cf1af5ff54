"""Words as the model takes them: the vectors that ship, and the rows of learned offsets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.lexicon.vectors import Vectors, shipped
from vericap.metrics.faier.inputs import Lexicon

# Word vectors have length 1; scaled, their numbers are of the size that a network's first layer is set up for.
SCALE = 4.0


@dataclass(frozen=True)
class WordVectors:
    """Vectors of words and of phrases (the mean over their words); zeros for those that have none."""

    table: Vectors

    @property
    def dimension(self) -> int:
        return self.table.dimensions

    @property
    def hash(self) -> str:
        return self.table.digest

    def __call__(self, phrases: Sequence[str]) -> NDArray[np.float32]:
        """Array [phrases, dimension]."""
        return (SCALE * self.table.of(phrases)[0]).astype(np.float32)


def lexicon(words: Sequence[str], learned: Mapping[str, int], vectors: WordVectors) -> Lexicon:
    """Vectors of these words, and the row of the learned offset of each: 0 if it has none."""
    rows = torch.tensor([learned.get(word, 0) for word in words], dtype=torch.int64)
    return Lexicon(torch.from_numpy(vectors(words)), rows)


def shipped_vectors() -> WordVectors:
    """The vectors that ship."""
    return WordVectors(shipped())


def load_vectors(digest: str, source: str) -> WordVectors:
    """The vectors that ship, if they are those a checkpoint was trained with."""
    vectors = shipped_vectors()
    if vectors.hash != digest:
        problem = f"it was trained with the word vectors {digest}, and {vectors.hash} are here"
        raise InputError(problem, source=source, field="vectors", fix="train it again with `vericap train faier`")
    return vectors
