"""Mentions of COCO's 80 objects in captions: the synonyms and the rules of CHAIR (Rohrbach et al. 2018)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from vericap.arrays import Integers, Ragged
from vericap.data import FOLDER
from vericap.text.vocabulary import encode

Span: TypeAlias = tuple[int, int]

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
SYNONYMS = FOLDER / "chair" / "synonyms.txt"

# Two words that are one.
_DOUBLE = (
    "motor bike,motor cycle,air plane,traffic light,street light,traffic signal,stop light,fire hydrant,stop sign,"
    "parking meter,suit case,sports ball,baseball bat,baseball glove,tennis racket,wine glass,hot dog,cell phone,"
    "mobile phone,teddy bear,hair drier,potted plant,laptop computer,home plate"
).split(",")
# A baby elephant is no baby, a passenger train no passenger, a toilet seat no chair.
_ANIMALS = "bird,cat,dog,horse,sheep,cow,elephant,bear,zebra,giraffe,animal,cub".split(",")
_COUNT_AS = {
    **{double: double for double in _DOUBLE},
    **{f"{age} {animal}": animal for age in ("baby", "adult") for animal in _ANIMALS},
    **{f"passenger {vehicle}": vehicle for vehicle in ("jet", "train")},
    "bow tie": "tie",
    "toilet seat": "toilet",
}
_IRREGULAR = {
    "geese": "goose",
    "mice": "mouse",
    "oxen": "ox",
    "people": "person",
    "children": "child",
    "grandchildren": "grandchild",
}
# The authors' program does not find these: its singularizer takes them for plurals of something else ("bu", "cano"),
# or white space or a capital in the list keeps them from being looked up.
_LOST = frozenset("bus minibus canoes ties doggies collies cheesecake cheesecakes iphone iphones".split())
_LOST_DOUBLE = frozenset(["motor bike"])


@dataclass(frozen=True, eq=False)
class Mentions:
    """Mentions of objects in captions, in their order: caption, place among its tokens, how many tokens, object."""

    caption: Integers
    at: Integers
    words: Integers
    object: Integers


class ObjectWords:
    """The words for objects. `rules=original` misses what the authors' program misses.

    >>> words = object_words()
    >>> [words.objects[i] for i in words.in_text("A baby elephant and two women with wine glasses on a bus")]
    ['elephant', 'person', 'wine glass', 'bus']
    """

    def __init__(self, rows: Sequence[Sequence[str]], rules: str = "mended") -> None:
        self.objects = [row[0] for row in rows]
        self.number = {word: i for i, row in enumerate(rows) for word in row}
        parts = {part for word in (*self.number, *_COUNT_AS) for part in word.split()}
        self._bases = sorted(parts)
        base = {word: i for i, word in enumerate(self._bases)}
        self._forms = {form: base[word] for word in self._bases for form in plurals(word)}
        self._forms |= {form: base[word] for form, word in _IRREGULAR.items() if word in base}
        self._forms |= {word: i for word, i in base.items() if word not in _IRREGULAR}
        doubles = dict(_COUNT_AS)
        if rules == "original":
            self._forms = {form: word for form, word in self._forms.items() if form not in _LOST}
            doubles |= dict.fromkeys(_LOST_DOUBLE, "")
        pairs = {
            base[first] * len(base) + base[second]: self.number.get(meant, -1)
            for (first, second), meant in ((double.split(), meant) for double, meant in doubles.items())
        }
        self._pairs = np.array(sorted(pairs))
        self._pair_objects = np.array([pairs[pair] for pair in sorted(pairs)])
        self._single = np.array([self.number.get(word, -1) for word in self._bases])
        self._toilet, self._seat = base["toilet"], base["seat"]
        spelled = "\n".join(", ".join(row) for row in rows)
        self.source = f"{rules}@{hashlib.sha256(spelled.encode()).hexdigest()[:12]}"

    def find(self, captions: Ragged, words: Sequence[str]) -> Mentions:
        """The mentions in captions, which are numbers of `words`."""
        code = np.fromiter((self._forms.get(word.lower(), -1) for word in words), np.int64, len(words))
        code = code[captions.values]
        caption = captions.row
        following = np.append(code[1:], -1)
        following[captions.offsets[1:][captions.lengths > 0] - 1] = -1
        pair = np.where((code >= 0) & (following >= 0), code * len(self._bases) + following, -1)
        place = np.searchsorted(self._pairs, pair).clip(max=len(self._pairs) - 1)
        is_pair = self._pairs[place] == pair
        is_second = np.concatenate([[False], is_pair[:-1]]) if len(is_pair) else is_pair
        found = np.where(is_pair, self._pair_objects[place], np.where(code >= 0, self._single[code], -1))
        found[is_second] = -1
        # Where there is a toilet, a seat is its own.
        with_toilet = np.zeros(len(captions), bool)
        with_toilet[caption[(code == self._toilet) & ~is_second]] = True
        found[(code == self._seat) & with_toilet[caption]] = -1
        at = np.flatnonzero(found >= 0)
        return Mentions(caption[at], at - captions.offsets[caption[at]], is_pair[at] + 1, found[at])

    def find_in(self, words: list[str]) -> Mentions:
        """Return the mentions in one caption of these words."""
        vocabulary: dict[str, int] = {}
        return self.find(encode([""], lambda _: words, vocabulary), list(vocabulary))

    def in_text(self, text: str) -> list[int]:
        """The objects that a text of plain words mentions."""
        found: list[int] = self.find_in(text.split()).object.tolist()
        return found

    def of_label(self, label: str) -> int:
        """The object that a label names, or -1: of several words the last that is one.

        >>> [object_words().of_label(label) for label in ("dining table", "tabby kitten", "tree")]
        [60, 15, -1]
        """
        return self.number[label] if label in self.number else [-1, *self.in_text(label)][-1]


@lru_cache(maxsize=2)
def object_words(rules: str = "mended") -> ObjectWords:
    """The words that ship."""
    rows = [line.split(", ") for line in SYNONYMS.read_text("utf-8").splitlines()]
    return ObjectWords(rows, rules)


def plurals(word: str) -> Iterable[str]:
    """Return possible plurals of a word; some do not exist, and do not occur in captions.

    >>> list(plurals("knife")), list(plurals("puppy")), list(plurals("policeman"))
    (['knifes', 'knives'], ['puppys', 'puppies'], ['policemans', 'policemen'])
    """
    yield f"{word}s"
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        yield f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        yield f"{word[:-1]}ies"
    if word.endswith(("f", "fe")):
        yield f"{word.removesuffix('e')[:-1]}ves"
    if word.endswith("man"):
        yield f"{word[:-2]}en"


def mentioned(caption: str, labels: Iterable[str]) -> dict[str, list[Span]]:
    """Return where a caption names each label, COCO's by their synonyms: first character, and the one behind the last.

    >>> mentioned("Two puppies beside a traffic light and some oaks", ["dog", "traffic light", "oak", "person"])
    {'dog': [(4, 11)], 'traffic light': [(21, 34)], 'oak': [(44, 48)]}
    """
    words = [(match[0].lower(), match.start(), match.end()) for match in _WORD.finditer(caption)]
    spelled = [word for word, _, _ in words]
    known = object_words()
    found = known.find_in(spelled)
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
    """Return where the words of a label are, the last also as a plural."""
    if not label:
        return []
    forms = {label[-1], *plurals(label[-1])}
    return [
        (first, first + len(label))
        for first in range(len(words) - len(label) + 1)
        if words[first : first + len(label) - 1] == label[:-1] and words[first + len(label) - 1] in forms
    ]
