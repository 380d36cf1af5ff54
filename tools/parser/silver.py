"""Silver trees: captions with the trees that CoreNLP gives them, read, sampled, and cut as machine captions are.

Captioners often stop in the middle ("a man riding a bike with a train in the"); people's captions, from which silver
trees come, hardly ever do. A caption is cut here after a determiner whose noun is then missing: the determiner stands
for it, as in the training captions that end so ("in front of the", "from one bench to another", "one guy using his").
Other ends are left alone: training captions do not show what the original makes of them, and captions of the sets that
the parser is measured on may not be asked. Captions cut after a whole phrase would teach little: 11 % of them have
another tree than the whole caption's without the words that are missing.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

TRAIN = ("train-coco-0", "train-coco-1", "train-coco-2", "train-flickr8k", "train-vg", "raw")
DEV = "dev"
LONGEST = 48

# words, tags, lemmas, heads (0 is the root) and relations of one sentence; "cut" is true where it was cut.
Silver: TypeAlias = dict[str, Any]


def read(folder: Path, name: str, most: int | None = None) -> Iterator[Silver]:
    """Yield the sentences of the first captions of a silver file, all if `most` is None."""
    with lzma.open(folder / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number == most:
                return
            for s in json.loads(line)["sentences"]:
                yield {name: s[name] for name in ("words", "tags", "lemmas", "heads", "relations")}


def read_lines(path: Path) -> list[Silver]:
    """Return the sentences that `write_lines` wrote."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_lines(path: Path, sentences: Iterable[Silver]) -> None:
    """One sentence per line; the file is whole or not there."""
    unfinished = path.with_suffix(".tmp")
    with unfinished.open("w", encoding="utf-8") as file:
        for sentence in sentences:
            file.write(json.dumps(sentence, ensure_ascii=False) + "\n")
    unfinished.replace(path)


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def data_hash(folder: Path) -> str:
    """Return the content of the training files in one line."""
    digest = hashlib.sha256()
    for name in TRAIN:
        digest.update((folder / f"{name}.jsonl.xz").read_bytes())
    return digest.hexdigest()


def cut_captions(sentences: Iterable[Silver], share: float, seed: int) -> Iterator[Silver]:
    """Yield some of the sentences, this share, each cut at a place where its tree is known."""
    random = np.random.default_rng(seed)
    for sentence in sentences:
        length = len(sentence["words"])
        if random.random() >= share or not 6 <= length <= LONGEST:
            continue
        for end in random.permutation(np.arange(4, length)).tolist():
            found = cut(sentence, end)
            if found is not None:
                yield found
                break


def cut(sentence: Silver, end: int) -> Silver | None:
    """Return the first `end` words, the last a determiner without its noun, with the tree that the original gives such
    captions; None where that is not known.

    >>> whole = {"words": "a man rides in the snow".split(), "tags": "DT NN VBZ IN DT NN".split(),
    ...          "lemmas": "a man ride in the snow".split(), "heads": [2, 3, 0, 6, 6, 3],
    ...          "relations": ["det", "nsubj", "root", "case", "det", "nmod"]}
    >>> found = cut(whole, 5)
    >>> found["words"][-2:], found["heads"], found["relations"]
    (['in', 'the'], [2, 3, 0, 5, 3], ['det', 'nsubj', 'root', 'case', 'nmod'])
    >>> cut(whole, 4) is None  # "rides in": a particle or a preposition
    True
    """
    if sentence["relations"][end - 1] not in ("det", "nmod:poss"):
        return None
    noun = sentence["heads"][end - 1]
    governor, relation = sentence["heads"][noun - 1], sentence["relations"][noun - 1]
    heads = [end if head == noun else head for head in sentence["heads"][: end - 1]] + [governor]
    kept = {name: sentence[name][:end] for name in ("words", "tags", "lemmas")}
    relations = [*sentence["relations"][: end - 1], relation]
    if noun <= end or governor > end or max(heads) > end or heads.count(0) != 1:
        return None
    if [r for r, head in zip(relations, heads, strict=True) if head == end] != ["case"] * (relation == "nmod"):
        return None
    if sentence["words"][end - 1].lower() not in _ALONE or relation not in ("nmod", "dobj"):
        return None
    return {**kept, "heads": heads, "relations": relations, "cut": True}


# Determiners that take the place of their noun at the end of a training caption.
_ALONE = frozenset(("the", "some", "his", "their", "another"))
