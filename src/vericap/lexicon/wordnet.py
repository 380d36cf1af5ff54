"""Words that share a meaning: the synsets of WordNet 3 (Fellbaum 1998) as METEOR 1.5 looks them up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged, distinct, offsets_of, rows_of
from vericap.data import FOLDER
from vericap.lexicon.hashes import hash_words, place
from vericap.readers.storage import array_file

Array = NDArray[Any]

FEW = 4096  # words of a batch: their synsets are remembered
MANY = 65_536  # remembered words, more are forgotten

# Endings of inflected nouns, verbs and adjectives, and what the base form has instead, in the order they are tried.
ENDINGS = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z")),
    *(("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    *(("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)
_TAIL = max(len(ending) for ending, _ in ENDINGS)
_LAST = {letter: [each for each in ENDINGS if each[0][-1] == letter] for letter in {end[-1] for end, _ in ENDINGS}}


@dataclass(frozen=True, eq=False)
class WordNet:
    """Lemmas by hash, the synsets of each, and irregular forms with their lemmas.

    A lemma of several words is written with underscores. A synset is its number in METEOR's file, in which
    parts of speech are not told apart.
    """

    lemmas: Array  # hashes, sorted
    synset_ends: Array
    synsets_of_lemmas: Array
    irregular: Array  # hashes, sorted; a form with two lemmas is there twice
    irregular_lemmas: Array
    # Synsets of words that were looked up: a training loop asks for the same words in every batch.
    _known: dict[str, NDArray[np.int32]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def load(cls, path: Path) -> WordNet:
        """Return the tables that `save` wrote, memory-mapped."""
        return cls(**array_file.read(path, verify=False)[2])

    def save(self, path: Path) -> None:
        """One file of arrays."""
        array_file.write(path, "WordNet", {}, {f.name: getattr(self, f.name) for f in fields(self) if f.init})

    @classmethod
    def of(cls, synsets: dict[str, Sequence[int]], irregular: Sequence[tuple[str, str]]) -> WordNet:
        """Tables from the synsets of each lemma and (irregular form, lemma) pairs."""
        lemmas = list(synsets)
        hashes = hash_words(lemmas)
        order = np.argsort(hashes)
        rows = [synsets[lemmas[i]] for i in order.tolist()]
        forms = hash_words([form for form, _ in irregular])
        # A lemma without synsets becomes the number after the last: it still keeps its form from the regular endings.
        lemma_of_form = place(hashes[order], hash_words([lemma for _, lemma in irregular]))
        lemma_of_form[lemma_of_form < 0] = len(lemmas)
        by_hash = np.argsort(forms, kind="stable")
        return cls(
            hashes[order],
            offsets_of([len(row) for row in rows]).astype(np.uint32),
            np.array([synset for row in rows for synset in row], np.uint32),
            forms[by_hash],
            lemma_of_form[by_hash].astype(np.uint32),
        )

    def synsets(self, words: Sequence[str]) -> Ragged:
        """Synsets of each word: its own and those of its base form, in ascending order.

        >>> net = WordNet.of({"dog": [7], "hound": [7, 9], "be": [3]}, [("is", "be")])
        >>> [row.tolist() for row in net.synsets(["dogs", "hound", "is", "of"])]
        [[7], [7, 9], [3], []]
        """
        if len(words) > FEW:
            return self._look_up(words)
        known = self._known
        before = [known.get(word) for word in words]
        new = [word for word, row in zip(words, before, strict=True) if row is None]
        found = dict(zip(new, self._look_up(new), strict=True)) if new else {}
        if len(known) > MANY:
            known.clear()
        known.update(found)
        rows = [found[word] if row is None else row for word, row in zip(words, before, strict=True)]
        return Ragged(np.concatenate([np.zeros(0, np.int32), *rows]), offsets_of([len(row) for row in rows]))

    def _look_up(self, words: Sequence[str]) -> Ragged:
        # The lemmas of words: the word itself, and its irregular lemmas or else its first regular base form.
        hashes = hash_words(words)
        first, last = (np.searchsorted(self.irregular, hashes, side) for side in ("left", "right"))
        irregular = Ragged.spans(first, last)
        endings = list(map(_endings_of, [word[-_TAIL:] for word in words]))
        for exception in np.flatnonzero(first < last).tolist():
            endings[exception] = []
        regular = rows_of([len(tried) for tried in endings])
        forms = [word[:-size] + end for word, tried in zip(words, endings, strict=True) for size, end in tried]
        base = place(self.lemmas, hash_words(forms))
        found = np.flatnonzero(base >= 0)
        found = found[np.diff(regular[found], prepend=-1) != 0]
        row = np.concatenate([np.arange(len(words)), rows_of(last - first), regular[found]])
        lemma = np.concatenate([place(self.lemmas, hashes), self.irregular_lemmas[irregular.values], base[found]])
        known = (lemma >= 0) & (lemma < len(self.lemmas))
        row, lemma = row[known], lemma[known]
        places = Ragged.spans(self.synset_ends[lemma], self.synset_ends[lemma + 1])
        row = np.repeat(row, places.lengths)
        # One number for row and synset, so that sorting and leaving out what is twice is done for all rows at once.
        both = distinct(row << 32 | self.synsets_of_lemmas[places.values].astype(np.int64))
        return Ragged((both & 0xFFFFFFFF).astype(np.int32), offsets_of(np.bincount(both >> 32, minlength=len(words))))


@lru_cache(MANY)
def _endings_of(tail: str) -> list[tuple[int, str]]:
    """Return how many letters of a word with this tail make an ending, and what the base form has instead."""
    if len(tail) <= 2 or tail.endswith("ss"):
        return []
    return [(len(ending), base) for ending, base in _LAST.get(tail[-1], ()) if tail.endswith(ending)]


@cache
def wordnet() -> WordNet:
    """Return the tables that ship."""
    return WordNet.load(FOLDER / "wordnet" / "wordnet.arrays")
