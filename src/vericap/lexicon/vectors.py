"""Word vectors: those that ship, and those of files people have (word2vec, GloVe, fastText, .npy).

One interface over all: word → row of a table that stays on the disk; only the rows asked for are read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import rows_of
from vericap.data import FOLDER
from vericap.errors import InputError
from vericap.lexicon.hashes import hash_words, place
from vericap.readers.storage import array_file

SHIPPED = FOLDER / "vectors" / "vectors.arrays"

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Vectors:
    """A table of word vectors: sorted hashes of the words, and what reads rows of the table.

    >>> vectors = shipped()
    >>> table, known = vectors.of(["dog", "teddy bear", "xyzzyx"])
    >>> table.shape, known.tolist(), np.linalg.norm(table, axis=1).round(6).tolist()
    ((3, 150), [True, True, False], [1.0, 1.0, 0.0])
    """

    name: str
    digest: str
    dimensions: int
    hashes: NDArray[np.uint64]
    read: Callable[[NDArray[np.int64]], NDArray[Any]]

    def __len__(self) -> int:
        return len(self.hashes)

    def rows(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the row of each word, -1 for words that are not there. A word is looked up as it is, then in lower
        case.

        >>> (shipped().rows(["dog", "Dog", "xyzzyx"]) >= 0).tolist()
        [True, True, False]
        """
        found = place(self.hashes, hash_words(words))
        lower = [i for i in np.flatnonzero(found < 0).tolist() if words[i] != words[i].lower()]
        if lower:
            found[lower] = place(self.hashes, hash_words([words[i].lower() for i in lower]))
        return found

    def of(self, phrases: Sequence[str], *, normalised: bool = True) -> tuple[Matrix, NDArray[np.bool_]]:
        """Return a vector for each phrase, array [phrases, dimensions], and which phrases have one (others are zero).

        A phrase of several words is the mean of those of its words that are known. `normalised`: words have unit
        length before the mean is taken, and phrases after it.
        """
        parts = [phrase.split() or [phrase] for phrase in phrases]
        words = [word for part in parts for word in part]
        distinct = list(dict.fromkeys(words))
        rows = self.rows(distinct)
        table = np.zeros((len(distinct), self.dimensions))
        if (rows >= 0).any():
            table[rows >= 0] = self.read(rows[rows >= 0])
        if not np.isfinite(table).all():
            bad = distinct[int(np.argmin(np.isfinite(table).all(axis=1)))]
            raise InputError(f"the vector of {bad!r} has NaN or infinity in it", source=self.name, fix="take it out")
        if normalised:
            table = unit(table)
        known: NDArray[np.bool_] = np.any(table, axis=1)
        number = {word: i for i, word in enumerate(distinct)}
        place_of = np.fromiter((number[word] for word in words), np.int64, len(words))
        phrase_of = rows_of([len(part) for part in parts])
        used = known[place_of]
        counts = np.bincount(phrase_of[used], minlength=len(parts))
        means = np.zeros((len(parts), self.dimensions))
        np.add.at(means, phrase_of[used], table[place_of[used]])
        means /= np.maximum(counts, 1)[:, None]
        return (unit(means) if normalised else means), counts > 0


def unit(vectors: NDArray[Any]) -> Matrix:
    """Return vectors of unit length in float64, whose products are cosines; a vector of zeros stays one.

    >>> unit(np.float32([[3, 4], [0, 0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    found: Matrix = vectors.astype(np.float64, copy=False)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return found / np.where(lengths > 0, lengths, 1)


@cache
def shipped() -> Vectors:
    """Return the vectors that ship: GloVe joined with what COCO's train2014 captions tell (docs/vectors.md)."""
    name, facts, arrays, digest = array_file.read(SHIPPED, verify=False)
    size = int(facts["dimensions"])
    table = arrays["vectors"].view("<f2").reshape(-1, size)
    return Vectors(name, digest[:12], size, arrays["hashes"], lambda rows: np.asarray(table[rows], float))


def resolve(vectors: str | os.PathLike[str]) -> Vectors:
    """Return the vectors of a name: `shipped`, or a file.

    >>> resolve("shipped").name
    'GloVe and COCO train2014'
    """
    if os.fspath(vectors) == "shipped":
        return shipped()
    from vericap.readers.storage.vector_files import read_vectors

    file = read_vectors(vectors)
    hashes, first = np.unique(hash_words(file.words), return_index=True)  # of a word that occurs twice, the first row
    return Vectors(file.name, file.digest, file.dimensions, hashes, lambda rows: file.read(first[rows]))
