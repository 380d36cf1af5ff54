"""Lemmas by the longest ending that is known for a tag, as CoreNLP's morphology gives them; the table of endings
is learned from pairs of words and lemmas, irregular words being endings of full length."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeAlias

# For each tag: an ending ("^" marks the start of a word) → the number of letters removed, and those that replace them.
Endings: TypeAlias = Mapping[str, Mapping[str, tuple[int, str]]]


class Lemmatizer:
    """Lemmas from a table of endings; all verb tags share one, under "V".

    >>> lemmatizer = Lemmatizer({"NNS": {"s": (1, ""), "ies": (3, "y"), "^men": (2, "an")}})
    >>> [lemmatizer.lemma(word, "NNS") for word in ["dogs", "ponies", "men", "sheep"]]
    ['dog', 'pony', 'man', 'sheep']
    """

    def __init__(self, endings: Endings) -> None:
        self._endings = endings
        self._longest = {tag: max(map(len, table)) for tag, table in endings.items()}
        self.lemma = cache(self._lemma)

    def _lemma(self, word: str, tag: str) -> str:
        word = word.lower()
        kind = "V" if tag.startswith("VB") else tag
        table = self._endings.get(kind)
        if table is None:
            return word
        marked = f"^{word}"
        for length in range(min(len(marked), self._longest[kind]), 0, -1):
            edit = table.get(marked[-length:])
            if edit is not None:
                cut, put = edit
                return word[: len(word) - cut] + put
        return word


def learn_endings(examples: Iterable[tuple[str, str, str]]) -> dict[str, dict[str, tuple[int, str]]]:
    """Return the smallest table, from short endings to long, that gives every example (word, tag, lemma) its lemma.

    >>> learn_endings([("dogs", "NNS", "dog"), ("cats", "NNS", "cat"), ("men", "NNS", "man"), ("a", "DT", "a")])
    {'NNS': {'s': (1, ''), 'en': (2, 'an')}}
    """
    by_tag: dict[str, dict[str, tuple[int, str]]] = defaultdict(dict)
    for word, tag, lemma in examples:
        by_tag["V" if tag.startswith("VB") else tag][f"^{word}"] = _edit(word, lemma)
    return {tag: table for tag, words in sorted(by_tag.items()) if (table := _learn_tag(words))}


def _edit(word: str, lemma: str) -> tuple[int, str]:
    shared = 0
    while shared < min(len(word), len(lemma)) and word[shared] == lemma[shared]:
        shared += 1
    return len(word) - shared, lemma[shared:]


def _learn_tag(words: Mapping[str, tuple[int, str]]) -> dict[str, tuple[int, str]]:
    table: dict[str, tuple[int, str]] = {}
    now = dict.fromkeys(words, (0, ""))  # the edit of each word by the endings so far
    length = 0
    while now != words:
        length += 1
        groups: dict[str, list[str]] = defaultdict(list)
        for word in words:
            if len(word) >= length:
                groups[word[-length:]].append(word)
        for ending, members in groups.items():
            edits = Counter(words[word] for word in members)
            best = min(edits.items(), key=lambda item: (-item[1], item[0]))[0]
            if best != now[members[0]] and best[0] <= length:
                table[ending] = best
                now.update(dict.fromkeys(members, best))
    return table
