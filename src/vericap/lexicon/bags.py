"""Captions as bags of content words with vectors: what Word Mover's Distance and VIFIDEL move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vericap.arrays import Integers, Ragged
from vericap.lexicon.vectors import Matrix, Vectors


@dataclass(frozen=True, eq=False)
class Bags:
    """Bag i has the words `ids[offsets[i]:offsets[i + 1]]`, ascending, and how often each occurs.

    `vectors` has a row for each of `words`. `unknown` are content words without a vector, which no bag holds.
    """

    words: Sequence[str]
    vectors: Matrix
    ids: Integers
    counts: Integers
    offsets: Integers
    unknown: Sequence[str]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, bag: int) -> tuple[Integers, Integers]:
        rows = slice(self.offsets[bag], self.offsets[bag + 1])
        return self.ids[rows], self.counts[rows]


def content_bags(
    captions: Ragged,
    words: Sequence[str],
    vectors: Vectors,
    stop_words: frozenset[str],
    *,
    normalised: bool = True,
    phrases: Sequence[str] = (),
) -> tuple[Bags, Integers]:
    """Return the bags of captions (token ids of `words`), and the place of each of `phrases` in the bags' words, -1
    where it has no vector. Phrases are labels of objects: they may have several words, and no stop word is taken out.

    >>> from vericap.lexicon.vectors import shipped
    >>> captions = Ragged(np.array([0, 1, 2, 1, 3], np.int32), np.array([0, 5, 5]))
    >>> bags, places = content_bags(captions, ["a", "dog", "and", "xyzzyx"], shipped(), frozenset({"a", "and"}),
    ...                             phrases=["dog", "hot dog"])
    >>> [bags.words[i] for i in bags[0][0]], bags[0][1].tolist(), bags.unknown, [bags.words[i] for i in places]
    (['dog'], [2], ['xyzzyx'], ['dog', 'hot dog'])
    """
    number = {word: i for i, word in enumerate(words)}
    every = [*words, *(phrase for phrase in dict.fromkeys(phrases) if phrase not in number)]
    number.update({word: i for i, word in enumerate(every)})
    table, known = vectors.of(every, normalised=normalised)
    content = known[: len(words)] & np.array([word not in stop_words for word in words], bool)
    kept = content[captions.values]
    caption = captions.row[kept]
    size = max(len(every), 1)
    keys, counts = np.unique(caption * size + captions.values[kept], return_counts=True)
    offsets = np.searchsorted(keys // size, np.arange(len(captions) + 1))
    used = np.unique(captions.values)
    unknown = [words[i] for i in used.tolist() if not known[i] and words[i] not in stop_words]
    places = np.array([number[phrase] if known[number[phrase]] else -1 for phrase in phrases], np.int64)
    return Bags(every, table, keys % size, counts.astype(np.int64), offsets.astype(np.int64), unknown), places
