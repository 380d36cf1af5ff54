"""Log-probabilities of words given tags, from counts: words of the training text by their own, others by a signature
of capitals, digits, hyphens and the last letter (Klein and Manning 2003)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.scene.stanford.spelling import american

BOUNDARY = ".$."  # the word after the last, in the training text
_UNKNOWN = "UNK"
_SMOOTH_UNSEEN, _SMOOTH_SEEN = 1.0, 0.2
_OFTEN = 100  # a word that was seen more often has the tags it was seen with, and no others
_OPEN = 50  # unknown words have the tags of this many different rare words and more
_IMPOSSIBLE = -100.0
_FLOODED = np.float32(-1000.0)
_REMEMBERED = 100_000  # words

Tags = tuple[NDArray[np.int32], NDArray[np.float32]]


class TagLexicon:
    """The counts of a grammar (see `Grammar`) and its words; tags are given as numbers of states."""

    def __init__(self, words: list[str], tables: Mapping[str, NDArray[Any]]) -> None:
        self._tables = tables
        self._numbers = {word: number for number, word in enumerate(words)}
        self._tags = tables["tags"].astype(np.int32)
        self._sum = float(tables["seen_of_all"][0])
        self._tag_share = tables["seen_of_tag"] / self._sum
        self._rare_share = tables["unseen_of_tag"] / tables["unseen_of_all"][0]
        self._any = np.ones(len(self._tags), bool)
        self._is_open = tables["unseen_of_tag"] > _OPEN
        self._known: dict[tuple[str, bool, bool], Tags] = {}

    def tags(self, word: str, first: bool, flooded: bool = False) -> Tags:
        """Return the possible tags of a word and their scores; `first` says whether it is the first of its sentence.
        A `flooded` word may have any tag."""
        key = word, first, flooded
        if (found := self._known.get(key)) is None:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            found = self._known[key] = self._scored(american(word), first, flooded)
        return found

    def _scored(self, word: str, first: bool, flooded: bool) -> Tags:
        number = self._numbers.get(word, -1)
        count, with_tag = self._counts("seen", number)
        if count > 0:
            share = (with_tag + _SMOOTH_SEEN * self._rare_share) / (count + _SMOOTH_SEEN)
            tried = with_tag > 0 if count > _OFTEN else self._any
            share = np.where(with_tag > 0, with_tag / count, share) if count > _OFTEN else share
        else:
            of_signature, with_tag = self._counts("unseen", self._numbers.get(signature(word, first), -1))
            share = (with_tag + _SMOOTH_UNSEEN * self._rare_share) / (of_signature + _SMOOTH_UNSEEN)
            count, tried = 1.0, self._is_open if number < 0 else self._any
        with np.errstate(divide="ignore"):
            scores = np.log(share * (count / self._sum) / self._tag_share)
        possible = scores > _IMPOSSIBLE
        if flooded and word != BOUNDARY:
            return self._tags, np.where(possible, scores, _FLOODED).astype(np.float32)
        return self._tags[possible & tried], scores[possible & tried].astype(np.float32)

    def _counts(self, kind: str, word: int) -> tuple[float, NDArray[np.float64]]:
        """Return the count of a word, or of a signature, and that with each tag."""
        with_tag = np.zeros(len(self._tags))
        if word < 0:
            return 0.0, with_tag
        words, tags, counts, of_word = (self._tables[f"{kind}_{part}"] for part in ("word", "tag", "count", "of_word"))
        part = slice(*np.searchsorted(words, [word, word + 1]))
        with_tag[tags[part]] = counts[part]
        return float(of_word[word]), with_tag


def signature(word: str, first: bool) -> str:
    """Return the class of an unknown word. Characters are those of UTF-16, as Java has them.

    >>> [signature(word, False) for word in "skateboarder qq t-shirtx 3D 1999x ZZYZX 1999 Zebu".split()]
    ['UNK-LCr', 'UNK-LC', 'UNK-LC-DASHx', 'UNK-DIG', 'UNK-LC-DIG', 'UNK-ALLCx', 'UNK-NUM', 'UNK-UCu']
    >>> signature("Zebu", True)
    'UNK-INITu'
    """
    units = [chr(unit) for unit in np.frombuffer(word.encode("utf-16-le", "surrogatepass"), "<u2").tolist()]
    digits = sum(unit.isdecimal() for unit in units)
    has_lower = any(unit.isalpha() and (unit.islower() or _is_title(unit)) for unit in units)
    parts = [_UNKNOWN]
    if units and (units[0].isupper() or _is_title(units[0])):
        parts.append("-ALLC" if not has_lower else "-INIT" if first else "-UC")
    elif has_lower:
        parts.append("-LC")
    if "-" in units:
        parts.append("-DASH")
    if digits:
        parts.append("-NUM" if digits == len(units) else "-DIG")
    elif len(units) > 3:
        parts.append(units[-1].lower()[0])  # U+0130 has two letters as lower case; the first is meant
    return "".join(parts)


def _is_title(unit: str) -> bool:
    return unicodedata.category(unit) == "Lt"
