"""METEOR's matchers (Denkowski and Lavie 2014): a corpus in which words and phrases know what they may stand for, and
alignments of its captions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from vericap.arrays import Ragged
from vericap.data import FOLDER
from vericap.errors import InputError
from vericap.kernels.alignment import Aligner, Vocabulary, Words
from vericap.kernels.phrases import Phrases
from vericap.lexicon.hashes import java_hashes
from vericap.lexicon.paraphrases import Paraphrases
from vericap.lexicon.wordnet import wordnet
from vericap.text.meteor_normalizer import Apostrophe, Normalizer, normalize_tokens
from vericap.text.stems import stem

MODULES = ("exact", "stem", "synonym", "paraphrase")

# Languages that METEOR has a normaliser for, and where they cut at an apostrophe.
APOSTROPHES: dict[str, Apostrophe] = {
    "cs": "alone",
    "de": "alone",
    "en": "before",
    "es": "alone",
    "fr": "after",
    "ru": "alone",
}


@cache
def _languages() -> dict[str, Any]:
    tables: dict[str, Any] = orjson.loads((FOLDER / "meteor" / "languages.json").read_bytes())
    return tables


@cache
def normalizer(language: str) -> Normalizer | None:
    """METEOR's normaliser for a language, None where it has none.

    >>> normalizer("fr")("L'homme aux rollers.")
    ["l'", 'homme', 'aux', 'rollers', '.']
    """
    if language not in APOSTROPHES:
        return None
    return Normalizer(APOSTROPHES[language], _languages()[language]["prefixes"])


def function_words(language: str, which: str = "") -> frozenset[str]:
    """Words that count less than others: METEOR's list for English, which its program takes for every language;
    with "own" the list that it has for the language; else the words of a file.

    >>> "der" in function_words("de"), "der" in function_words("de", "own")
    (False, True)
    """
    if which not in ("", "own"):
        try:
            return frozenset(Path(which).read_text("utf-8").split())
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"the list of function words cannot be read ({error})", source=which) from None
    if which == "own" and language not in _languages():
        raise InputError(
            f"METEOR has no function words of its own for {language!r}", fix=f"use one of {', '.join(_languages())}"
        )
    return frozenset(_languages()[language if which else "en"]["function_words"])


@cache
def paraphrase_table(path: str = "") -> Paraphrases:
    """The English table that ships, or a table in METEOR's format."""
    return Paraphrases.read(Path(path)) if path else Paraphrases.load(FOLDER / "meteor" / "paraphrases.arrays")


@dataclass(frozen=True)
class Link:
    """A match of an alignment: words `start` … `start + words - 1` of the caption and of the reference."""

    start: int
    words: int
    reference_start: int
    reference_words: int
    module: str


class MatchedCaptions:
    """Captions whose words carry stem, synsets, function flag and number in the table of paraphrases.

    >>> captions = Ragged(np.array([0, 1, 2, 3], np.int32), np.array([0, 2, 4]))
    >>> matched = MatchedCaptions(captions, ["some", "dogs", "the", "hound"], "en", MODULES)
    >>> matched.align(np.array([0]), np.array([1]))[0, 12:16].tolist()  # synonyms: content words of both
    [1, 1, 0, 0]
    """

    def __init__(
        self,
        captions: Ragged,
        words: Sequence[str],
        language: str,
        modules: Sequence[str],
        paraphrases: str = "",
        functions: str = "",
        text: str = "normalized",
        beam: int = 40,
    ) -> None:
        normalize = normalizer(language) if text == "normalized" else None
        self.captions, self.words = normalize_tokens(captions, words, normalize, lower=text != "given")
        self.beam = beam
        listed = function_words(language, functions)
        self.function = np.array([word.lower() in listed for word in self.words], np.uint8)
        self._form = java_hashes(self.words)
        self._stem = java_hashes(stem(self.words, language)) if "stem" in modules else self._form
        self._synsets = (
            wordnet().synsets(self.words)
            if "synonym" in modules
            else Ragged(np.zeros(0, np.int32), np.zeros(len(self.words) + 1, np.int64))
        )
        self._synset_bits = _signatures(self._synsets)
        self._table = paraphrase_table(paraphrases) if "paraphrase" in modules else None
        self._spelling = (
            np.zeros(len(self.words), np.int32)
            if self._table is None
            else self._table.word_numbers(self.words)
        )

    def align(self, candidates: NDArray[np.int64], references: NDArray[np.int64]) -> NDArray[np.int32]:
        """METEOR's 23 statistics of pairs of rows, array [pairs, 23]; see `kernels.alignment.Aligner`."""
        aligner, rows, reference_rows = self._aligner(candidates, references)
        statistics: NDArray[np.int32] = aligner.align(rows, reference_rows)
        return statistics

    def links(self, candidate: int, reference: int) -> tuple[list[Link], int]:
        """The alignment of one pair in the reference's order, and its number of chunks."""
        aligner, *rows = self._aligner(np.array([candidate]), np.array([reference]))
        aligner.align(*rows)
        found, chunks = aligner.alignment()
        return [Link(s, w, rs, rw, MODULES[m]) for rs, rw, s, w, m in found], chunks

    def spell(self, row: int) -> list[str]:
        """METEOR's tokens of a row."""
        return [self.words[i] for i in self.captions[row]]

    def _aligner(
        self, candidates: NDArray[np.int64], references: NDArray[np.int64]
    ) -> tuple[Aligner, NDArray[Any], NDArray[Any]]:
        """An aligner of the rows that the pairs are made of, and the pairs as numbers of those rows."""
        rows, number = np.unique(np.concatenate([candidates, references]), return_inverse=True)
        captions = self.captions.take(rows)
        spelling = self._spelling[captions.values]
        words = Words(captions, self._form[captions.values], self._stem[captions.values], spelling)
        table = self._table
        phrases = table.find(Ragged(spelling, captions.offsets)) if table is not None else Phrases.none(len(rows))
        vocabulary = Vocabulary(self._synsets, self._synset_bits, self.function)
        aligner = Aligner(words, vocabulary, phrases, self.beam)
        number = number.astype(np.int32)
        return aligner, number[: len(candidates)], number[len(candidates) :]


def _signatures(synsets: Ragged) -> NDArray[np.uint64]:
    """A word of 64 bits for each row, with a bit set for each of its synsets: rows whose bits have nothing in common
    share no synset."""
    bits = np.zeros(len(synsets), np.uint64)
    # Numbers of related synsets lie close together; a multiplication spreads them.
    spread = (synsets.values.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(58)
    np.bitwise_or.at(bits, synsets.row, np.uint64(1) << spread)
    return bits
