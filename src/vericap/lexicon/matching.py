"""METEOR's matchers (Denkowski and Lavie 2014): a corpus in which words and phrases know what they may replace, and
alignments of its captions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from vericap.arrays import Ragged
from vericap.data import FOLDER
from vericap.engine.local import in_thread
from vericap.errors import InputError
from vericap.kernels.alignment import Aligner, CaptionWords, WordMeanings
from vericap.kernels.phrases import Occurrences, Phrases
from vericap.lexicon.hashes import java_hashes
from vericap.lexicon.paraphrases import Paraphrases
from vericap.lexicon.wordnet import wordnet
from vericap.text.meteor_normalizer import Apostrophe, NormalizedTokens, Normalizer

FEW = 4096  # words that are looked up about as soon as another thread has started
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


# Languages of METEOR and others, by ISO 639-1 code, and Snowball's names for them.
STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
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


def stem(words: Sequence[str], language: str) -> list[str]:
    """Return the stem of each word by Snowball (Porter 2001).

    >>> stem(["dogs", "organized"], "en")
    ['dog', 'organ']
    """
    import Stemmer

    if language == "ru":
        # METEOR's Snowball does not know ё, and later ones make it е: a letter that is not a vowel keeps them apart.
        words = [word.replace("ё", "ѐ") for word in words]
    # Words come once: to remember their stems takes longer than to find them.
    stems: list[str] = Stemmer.Stemmer(STEMMERS[language], 0).stemWords(list(words))
    return stems


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


class Meanings(NamedTuple):
    """The stem and the synsets of each word."""

    stem: NDArray[np.int32]
    synsets: Ragged


class KnownWords:
    """The facts about words that METEOR's matchers use, which are numbered as they come: form, stem, synsets, whether
    it is a function word, and its number in the table of paraphrases.

    >>> known = KnownWords("en", MODULES)
    >>> known.add(["the", "dogs"])
    >>> known.words, known.function.tolist(), (known.form == known.meanings().stem).tolist()
    (['the', 'dogs'], [1, 0], [True, False])
    """

    def __init__(self, language: str, modules: Sequence[str], paraphrases: str = "", functions: str = "") -> None:
        self.table = paraphrase_table(paraphrases) if "paraphrase" in modules else None
        self.words: list[str] = []
        self.form, self.spelling = np.zeros((2, 0), np.int32)
        self.function = np.zeros(0, np.uint8)
        self._meanings = Meanings(np.zeros(0, np.int32), Ragged(np.zeros(0, np.int32), np.zeros(1, np.int64)))
        self._awaited: list[Callable[[], Meanings]] = []
        self._lock = Lock()
        self._language, self._modules = language, modules
        self._functions = function_words(language, functions)

    def add(self, words: Sequence[str], workers: int = 1) -> None:
        """Words that are not known yet. Their meanings are looked up when somebody asks for them; if there may be
        several workers, those of many words at once in a thread of their own, so that spellings can be used till then.
        """
        form = java_hashes(words)
        spelling = np.zeros(len(words), np.int32) if self.table is None else self.table.word_numbers(words)
        function = np.array([word.lower() in self._functions for word in words], np.uint8)
        look_up = partial(self._look_up, words, form)
        self._awaited.append(in_thread(look_up) if workers > 1 and len(words) > FEW else look_up)
        self.words = [*self.words, *words]
        self.form, self.spelling = np.append(self.form, form), np.append(self.spelling, spelling)
        self.function = np.append(self.function, function)

    def meanings(self) -> Meanings:
        """The stems and synsets of all words."""
        with self._lock:
            while self._awaited:
                new = self._awaited[0]()
                stem = np.append(self._meanings.stem, new.stem)
                self._meanings = Meanings(stem, Ragged.join([self._meanings.synsets, new.synsets]))
                del self._awaited[0]
            return self._meanings

    def _look_up(self, words: Sequence[str], form: NDArray[np.int32]) -> Meanings:
        """A matcher that is not used finds nothing that the form does not tell."""
        stems = java_hashes(stem(words, self._language)) if "stem" in self._modules else form
        none = Ragged(np.zeros(0, np.int32), np.zeros(len(words) + 1, np.int64))
        return Meanings(stems, wordnet().synsets(words) if "synonym" in self._modules else none)

    def find_phrases(self, captions: Ragged) -> Occurrences | None:
        """Return the occurrences of the table's phrases in captions of these words; None without a table."""
        if self.table is None:
            return None
        return self.table.occurrences(Ragged(self.spelling[captions.values], captions.offsets))


class MatchedCaptions:
    """Captions of METEOR's tokens that can be aligned. `phrases` are those in all of them, if they were looked up
    already; else they are looked up for the rows that are aligned.

    >>> tokens, known = NormalizedTokens(None), KnownWords("en", MODULES)
    >>> tokens.add(["some", "dogs", "the", "hound"])
    >>> matched = MatchedCaptions.of(Ragged(np.array([0, 1, 2, 3], np.int32), np.array([0, 2, 4])), tokens, known)
    >>> matched.align(np.array([0]), np.array([1]))[0, 12:16].tolist()  # synonyms: content words of both
    [1, 1, 0, 0]
    """

    def __init__(self, captions: Ragged, known: KnownWords, phrases: Phrases | None = None, beam: int = 40) -> None:
        self.captions, self.beam = captions, beam
        self.words, self.function = known.words, known.function
        self.phrases = phrases
        self._known = known

    @classmethod
    def of(cls, captions: Ragged, tokens: NormalizedTokens, known: KnownWords, workers: int = 1) -> MatchedCaptions:
        """Captions of a tokenizer's words, which `tokens` has; `known` has no words yet, and gets theirs."""
        known.add(list(tokens.number), workers)
        rows = tokens.rows(captions)
        known.add(list(tokens.number)[len(known.words) :], workers)  # of captions whose tokens depend on neighbours
        return cls(rows, known)

    def align(self, candidates: NDArray[np.int64], references: NDArray[np.int64]) -> NDArray[np.int32]:
        """METEOR's 23 statistics of pairs of rows, array [pairs, 23]; see `kernels.alignment.Aligner`."""
        aligner, rows, reference_rows = self._aligner(candidates, references)
        return np.asarray(aligner.align(rows, reference_rows))

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
    ) -> tuple[Aligner, NDArray[np.int32], NDArray[np.int32]]:
        """An aligner of the rows that the pairs are made of, and the pairs as numbers of those rows."""
        if self.phrases is not None:
            aligner = self._aligner_of(self.captions, self.phrases)
            return aligner, candidates.astype(np.int32), references.astype(np.int32)
        rows, number = np.unique(np.concatenate([candidates, references]), return_inverse=True)
        captions = self.captions.take(rows)
        occurrences = self._known.find_phrases(captions)
        table = self._known.table
        phrases = Phrases.none(len(rows)) if table is None or occurrences is None else table.relate(occurrences)
        ours, theirs = np.split(number.astype(np.int32), [len(candidates)])
        return self._aligner_of(captions, phrases), ours, theirs

    def _aligner_of(self, captions: Ragged, phrases: Phrases) -> Aligner:
        known, word = self._known, captions.values
        stem, synsets = known.meanings()
        words = CaptionWords(captions, known.form[word], stem[word], known.spelling[word])
        return Aligner(words, WordMeanings(synsets, known.function), phrases, self.beam)
