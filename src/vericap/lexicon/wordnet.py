"""Which words share a meaning: the synsets of WordNet 3 (Fellbaum 1998) as METEOR 1.5 looks them up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged, gather, offsets_of
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
_ENDINGS_BY_LETTER = {
    letter: [(ending, base) for ending, base in ENDINGS if ending[-1] == letter]
    for letter in {ending[-1] for ending, _ in ENDINGS}
}


@dataclass(frozen=True, eq=False)
class WordNet:
    """Lemmas by hash, the synsets of each, and irregular forms with their lemmas.

    A lemma of several words is written with underscores. A synset is its number in METEOR's file, in which
    parts of speech are not told apart.
    """

    lemmas: Array  # hashes, sorted
    synset_ends: Array
    synsets_of_lemmas: Array
    irregular: Array  # hashes, sorted; a form with two lemmas stands there twice
    irregular_lemmas: Array

    @classmethod
    def load(cls, path: Path) -> WordNet:
        """The tables that `save` wrote, memory-mapped."""
        return cls(**array_file.read(path, verify=False)[2])

    def save(self, path: Path) -> None:
        """One file of arrays."""
        array_file.write(path, "WordNet", {}, {f.name: getattr(self, f.name) for f in fields(self)})

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
        rows = self._remembered(words)
        return Ragged(np.concatenate([np.zeros(0, np.int32), *rows]), offsets_of([len(row) for row in rows]))

    def _remembered(self, words: Sequence[str]) -> list[NDArray[np.int32]]:
        """The same, with what was looked up before: a training loop asks for the same words in every batch."""
        known = self._known
        rows = [known.get(word) for word in words]
        new = [word for word, row in zip(words, rows, strict=True) if row is None]
        if not new:
            return [row for row in rows if row is not None]
        found = dict(zip(new, self._look_up(new), strict=True))
        if len(known) > MANY:
            known.clear()
        known.update(found)
        return [found[word] if row is None else row for word, row in zip(words, rows, strict=True)]

    def _look_up(self, words: Sequence[str]) -> Ragged:
        lemmas = Ragged.of(list(self.lemmas_of(words)))
        places, ends = gather(self.synset_ends.astype(np.int64), lemmas.values)
        row = np.repeat(lemmas.row, np.diff(ends))
        # One number for row and synset, so that sorting and leaving out what is twice is done for all rows at once.
        both = np.unique(row << 32 | self.synsets_of_lemmas[places].astype(np.int64))
        return Ragged((both & 0xFFFFFFFF).astype(np.int32), offsets_of(np.bincount(both >> 32, minlength=len(words))))

    @cached_property
    def _known(self) -> dict[str, NDArray[np.int32]]:
        return {}

    def lemmas_of(self, words: Sequence[str]) -> Iterator[list[int]]:
        """The lemmas of each word: itself, and its irregular lemmas or else its first regular base form."""
        hashes = hash_words(words)
        own = place(self.lemmas, hashes).tolist()
        first = np.searchsorted(self.irregular, hashes, "left").tolist()
        last = np.searchsorted(self.irregular, hashes, "right").tolist()
        tried = [_base_forms(word) if start == end else [] for word, start, end in zip(words, first, last, strict=True)]
        bases = iter(place(self.lemmas, hash_words([form for forms in tried for form in forms])).tolist())
        for lemma, forms, start, end in zip(own, tried, first, last, strict=True):
            lemmas = [lemma] if lemma >= 0 else []
            if start < end:
                lemmas += [i for i in self.irregular_lemmas[start:end].tolist() if i < len(self.lemmas)]
            elif forms:
                lemmas += [i for i in [next(bases) for _ in forms] if i >= 0][:1]
            yield lemmas


def _base_forms(word: str) -> list[str]:
    if len(word) <= 2 or word.endswith("ss"):
        return []
    endings = _ENDINGS_BY_LETTER.get(word[-1], ())
    return [word[: -len(ending)] + base for ending, base in endings if word.endswith(ending)]


@cache
def wordnet() -> WordNet:
    """The tables that ship."""
    return WordNet.load(FOLDER / "wordnet" / "wordnet.arrays")
