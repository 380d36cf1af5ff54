"""Which words of a caption name which labels of objects: COCO's by CHAIR's synonyms, others by their own words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from vericap.lexicon.coco_objects import object_words, plurals
from vericap.text.vocabulary import encode

Span: TypeAlias = tuple[int, int]
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def mentioned(caption: str, labels: Iterable[str]) -> dict[str, list[Span]]:
    """For each label that the caption names, where: first character, and the one behind the last.

    >>> mentioned("Two puppies beside a traffic light and some oaks", ["dog", "traffic light", "oak", "person"])
    {'dog': [(4, 11)], 'traffic light': [(21, 34)], 'oak': [(44, 48)]}
    """
    words = [(match[0].lower(), match.start(), match.end()) for match in _WORD.finditer(caption)]
    spelled = [word for word, _, _ in words]
    known, vocabulary = object_words(), dict[str, int]()
    found = known.find(encode([" ".join(spelled)], str.split, vocabulary), list(vocabulary))
    places: dict[int, list[tuple[int, int]]] = {}
    for at, count, number in zip(found.at.tolist(), found.words.tolist(), found.object.tolist(), strict=True):
        places.setdefault(number, []).append((at, at + count))
    named: dict[str, list[Span]] = {}
    for label in dict.fromkeys(labels):
        number = known.of_label(label)
        spans = places.get(number, []) if number >= 0 else _same_words(label.lower().split(), spelled)
        if spans:
            named[label] = [(words[first][1], words[last - 1][2]) for first, last in spans]
    return named


def _same_words(label: list[str], words: list[str]) -> list[Span]:
    """Where the words of a label are, the last also as a plural."""
    if not label:
        return []
    forms = {label[-1], *plurals(label[-1])}
    return [
        (first, first + len(label))
        for first in range(len(words) - len(label) + 1)
        if words[first : first + len(label) - 1] == label[:-1] and words[first + len(label) - 1] in forms
    ]
