"""METEOR's own tokens (Denkowski and Lavie 2014): what its option -norm makes of a line of text.

The regular expressions apply one after the other, each once, from left to right and without overlap; where two
places share a character only the first is changed, and that is part of the number (`rock-n-roll` keeps a hyphen).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged, distinct, offsets_of

# Latin with accents and Cyrillic; a letter of any other script is a word.
_LETTER = "A-Za-zÀ-ÖØ-öø-ž\u0400-\u0527\u1d00-\u1d7f\ua640-\ua66e\ua67e-\ua697"
_WORD = f"{_LETTER}0-9"
_BLANK = " \\t\\n\\r\\f"

Apostrophe: TypeAlias = Literal["before", "after", "alone"]

# Dropped after everything else: until then they keep a word and its final dot apart from the next word.
_SPACES = frozenset("\u00a0\u202f\u205f\u3000") | {chr(c) for c in range(0x2000, 0x200B)}

_SEPARATE = (
    (rf"([^{_WORD}{_BLANK}\x0b.'`,\-‘’])", r" \1 "),
    (r"(\.{2,})", r" \1 "),
    (r"([^0-9]),([^0-9])", r"\1 , \2"),
    (r"([0-9]),([^0-9])", r"\1 , \2"),
    (r"([^0-9]),([0-9])", r"\1 , \2"),
    (r"[`‘’]", "'"),
    (r"''", ' " '),
    (r"[“”]", '"'),
    (r"–", "-"),
    (r"--", "-"),
    (rf"([{_WORD}.])-([{_WORD}])", r"\1 \2"),
)
_APOSTROPHES: Mapping[Apostrophe, tuple[tuple[str, str], ...]] = {
    # man's: man 's
    "before": (
        (rf"([^{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (rf"([^{_WORD}])'([{_LETTER}])", r"\1 ' \2"),
        (rf"([{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (rf"([{_LETTER}])'([{_LETTER}])", r"\1 '\2"),
        (r"([0-9])'s", r"\1 's"),
    ),
    # l'homme: l' homme
    "after": (
        (rf"([^{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (rf"([^{_LETTER}])'([{_LETTER}])", r"\1 ' \2"),
        (rf"([{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
        (rf"([{_LETTER}])'([{_LETTER}])", r"\1' \2"),
    ),
    "alone": ((r"'", " ' "),),
}
_SPLIT = re.compile(f"[{_BLANK}]+")
_LETTERS = re.compile(f"[{_LETTER}]")
# A token that means the same in every caption: no dot, and nothing at its ends that a neighbour could touch.
_SETTLED = re.compile(rf"[^.'`,\-‘’](?:[^.]*[^.'`,\-‘’])?|'[{_LETTER}]+")
_PLAIN = re.compile(f"[{_WORD}]+")
_OPEN = -1


class Normalizer:
    """From a line of text to METEOR's tokens.

    `prefixes` maps a word that keeps its dot (Mr.) to whether it does so only before a number (No. 5).

    >>> normalize = Normalizer("before", {"Mr": False, "No": True})
    >>> normalize("Mr. Smith's rock-n-roll, U.S. No. 5, 1,000 miles.")
    ['mr.', 'smith', "'s", 'rock', 'n-roll', ',', 'us', 'no.', '5', ',', '1,000', 'miles', '.']
    """

    def __init__(self, apostrophe: Apostrophe, prefixes: Mapping[str, bool]) -> None:
        self._patterns = (*_SEPARATE, *_APOSTROPHES[apostrophe])
        self._prefixes = prefixes

    @cached_property
    def _rules(self) -> list[tuple[re.Pattern[str], str]]:
        return [(re.compile(pattern), replacement) for pattern, replacement in self._patterns]

    def __call__(self, line: str) -> list[str]:
        return self._tokens(self._separated(f" {line} "))

    def lines(self, lines: Sequence[str]) -> list[list[str]]:
        """The tokens of each line, of all lines at once: blanks at their ends keep the rules from looking beyond.

        >>> Normalizer("before", {}).lines(["the dog's", "'tis, "])
        [['the', 'dog', "'s"], ["'", 'tis', ',']]
        """
        return [self._tokens(line) for line in self._separated_lines(lines)]

    def _separated_lines(self, lines: Sequence[str]) -> list[str]:
        text = "\n".join([f" {line} " for line in lines])
        if text.count("\n") >= len(lines):  # there is a line end in a line, or no line
            return [self._separated(f" {line} ") for line in lines]
        return self._separated(text).split("\n")

    def _separated(self, text: str) -> str:
        """Text with blanks where the rules put them."""
        for pattern, replacement in self._rules:
            text = pattern.sub(replacement, text)
        return text

    def _tokens(self, text: str) -> list[str]:
        words = [word for word in _SPLIT.split(text) if word]
        tokens: list[str] = []
        for at, word in enumerate(words, 1):
            tokens += self._final_dot(word, words[at] if at < len(words) else "")
        return _split(" ".join(tokens))

    def _final_dot(self, word: str, following: str) -> tuple[str, ...]:
        stem = word[:-1]
        if not word.endswith(".") or not stem.strip("."):
            return (word,)
        if "." in stem and _LETTERS.search(stem):
            return (stem.replace(".", ""),)
        only_before_number = self._prefixes.get(stem)
        if (
            only_before_number is False
            or "a" <= following[:1] <= "z"
            or (only_before_number and "0" <= following[:1] <= "9")
        ):
            return (word,)
        return (stem, ".")

    def settled(self, tokens: Sequence[str]) -> list[list[str] | None]:
        """Return the form of each token between blanks in any caption; None if it depends on its neighbours.

        >>> Normalizer("before", {}).settled(["black-and-white", "'s", "st."])
        [['black', 'and', 'white'], ["'", 's'], None]
        """
        ruled = [token for token in tokens if not _PLAIN.fullmatch(token) and _SETTLED.fullmatch(token)]
        # None of them has a dot, so that there is no final one.
        found = dict(zip(ruled, map(_split, self._separated_lines(ruled)), strict=True))
        return [[token.lower()] if _PLAIN.fullmatch(token) else found.get(token) for token in tokens]


def _split(text: str) -> list[str]:
    return [token for token in _SPLIT.split(text.lower()) if token and token not in _SPACES]


class NormalizedTokens:
    """METEOR's tokens of captions, from those of a tokenizer; without a normaliser words are only made lower-case, or
    not even that.

    Nearly every token becomes the same wherever it is, so words are normalised, each once, and not the captions;
    only those with a token that depends on its neighbours are joined and normalised as text.

    >>> tokens = NormalizedTokens(Normalizer("before", {}))
    >>> tokens.add(["x-ray", "Dog", "st.", "is"])
    >>> rows = tokens.rows(Ragged(np.array([0, 1, 2, 3, 2], np.int32), np.array([0, 2, 5])))
    >>> [[list(tokens.number)[i] for i in row] for row in rows]
    [['x', 'ray', 'dog'], ['st.', 'is', 'st', '.']]
    """

    def __init__(self, normalize: Normalizer | None, lower: bool = True) -> None:
        self._normalize, self._lower = normalize, lower
        self.words: list[str] = []  # of the tokenizer
        self.number: dict[str, int] = {}  # of METEOR's tokens
        # Of each word its parts by number, the first of them, and how many they are: _OPEN if that is not settled.
        self._parts = Ragged(np.zeros(0, np.int32), np.zeros(1, np.int64))
        self._first = np.zeros(0, np.int32)
        self._lengths = np.zeros(0, np.int64)

    def add(self, words: Sequence[str]) -> None:
        """Words of the tokenizer, which get the numbers that come next."""
        number = self.number
        # Nearly every word is only made lower-case.
        plain = [self._lower and word.isascii() and word.isalnum() for word in words]
        others = iter(self._settled([word for word, is_plain in zip(words, plain, strict=True) if not is_plain]))
        parts: list[int] = []
        lengths = [1] * len(words)
        for at, word in enumerate(words):
            if plain[at]:
                parts.append(number.setdefault(word.lower(), len(number)))
                continue
            tokens = next(others)
            lengths[at] = _OPEN if tokens is None else len(tokens)
            parts += self._numbers(tokens or [])
        self.words += words
        of_word = np.array(lengths, np.int64)
        added = Ragged(np.array(parts, np.int32), offsets_of(np.maximum(of_word, 0)))
        # A word without a part gets the number of another's: it is left out before anybody looks at it.
        first = np.append(added.values, np.int32(_OPEN))[added.offsets[:-1]]
        self._parts = Ragged.join([self._parts, added])
        self._first = np.append(self._first, first)
        self._lengths = np.append(self._lengths, of_word)

    def _settled(self, words: Sequence[str]) -> Sequence[list[str] | None]:
        """Return the forms of words in any caption, None for one that depends on its neighbours."""
        if self._normalize is not None:
            return self._normalize.settled(words)
        return [[word.lower() if self._lower else word] for word in words]

    def rows(self, captions: Ragged) -> Ragged:
        """Captions of METEOR's tokens, by number, from captions of words."""
        # Nearly all words are one token: only captions with others are put together again.
        found = Ragged(self._first[captions.values], captions.offsets)
        others = np.flatnonzero((self._lengths != 1)[captions.values])
        if not len(others):
            return found
        rows = distinct(np.searchsorted(captions.offsets, others, "right") - 1)
        return found.replace(rows, self._put_together(captions.take(rows)))

    def _put_together(self, captions: Ragged) -> Ragged:
        of_token = self._lengths[captions.values]
        texts: dict[int, list[int]] = {}
        if self._normalize is not None:
            opened = np.flatnonzero(of_token == _OPEN)
            rows = distinct(np.searchsorted(captions.offsets, opened, "right") - 1).tolist()
            lines = [" ".join([self.words[i] for i in captions[row].tolist()]) for row in rows]
            for row, tokens in zip(rows, self._normalize.lines(lines), strict=True):
                texts[row] = self._numbers(tokens)
                of_token[captions.offsets[row] : captions.offsets[row + 1]] = 0
        return self._assemble(captions, of_token, texts)

    def _numbers(self, tokens: list[str]) -> list[int]:
        number = self.number
        return [number.setdefault(token, len(number)) for token in tokens]

    def _assemble(self, captions: Ragged, of_token: NDArray[np.int64], texts: dict[int, list[int]]) -> Ragged:
        """So many parts of each token in order, with whole rows taken from `texts`."""
        ends = offsets_of(of_token)
        values = np.repeat(self._first[captions.values], of_token)
        several = np.flatnonzero(of_token > 1)
        if len(several):
            first = self._parts.offsets[captions.values[several]]
            parts = Ragged.spans(first, first + of_token[several])
            values[Ragged.spans(ends[several], ends[several + 1]).values] = self._parts.values[parts.values]
        if not texts:
            return Ragged(values, ends[captions.offsets])
        rows = np.array(list(texts), np.int64)
        added = np.array([len(tokens) for tokens in texts.values()], np.int64)
        places = np.repeat(ends[captions.offsets[rows]], added)
        values = np.insert(values, places, [i for tokens in texts.values() for i in tokens])
        row_lengths = np.diff(ends[captions.offsets])
        row_lengths[rows] = added
        return Ragged(values, offsets_of(row_lengths))
