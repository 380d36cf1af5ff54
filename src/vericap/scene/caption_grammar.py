"""The grammar that decides between the network's candidates: its tables, and the choice of candidate tags, heads and
relations of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import offsets_of
from vericap.kernels.grammar import NEVER
from vericap.scene.network import TreeScores

# Tags, heads and relations below these log-probabilities are discarded.
LEAST_TAG, LEAST_HEAD, LEAST_RELATION = -4.6, -4.6, -3.5
# At most this many candidates are kept, to bound the search when the network is unsure.
MOST_TAGS, MOST_HEADS, MOST_RELATIONS = 3, 4, 3
# Scores are whole numbers, so that sums are exact: log-probabilities times this.
UNIT = 256

# A left dependent of these relations marks its governor: a noun with determiner, a verb with subject or auxiliary.
MARKS = frozenset(("nsubj", "nsubjpass", "csubj", "expl", "det", "nmod:poss", "aux", "auxpass"))
# Classes of tags: nouns, verbs, prepositions; all others are of class 3.
_TAG_CLASSES = {
    **dict.fromkeys(("NN", "NNS", "NNP", "NNPS", "PRP", "CD"), 0),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"), 1),
    **dict.fromkeys(("IN", "TO"), 2),
}
_ENDINGS, _FIRST_ENDING = 4000, 16000


@dataclass(frozen=True)
class Candidates:
    """The arguments of `Grammar.best_tree` for one sentence, without its words."""

    tags: NDArray[np.float64]
    heads: NDArray[np.int32]
    start: NDArray[np.int32]
    head_scores: NDArray[np.float64]
    relations: NDArray[np.float64]


def candidates(scores: TreeScores, root: int, scales: Sequence[float]) -> Iterator[Candidates]:
    """Yield the candidates of each sentence; `root` is the number of the root's relation and `scales` are the weights
    of the network's log-probabilities of tags, heads and relations."""
    of_tag, of_head, of_relation = (UNIT * scale for scale in scales)
    batch, n, _ = scores.heads.shape
    tags = _rounded(scores.tags, _likely(scores.tags, LEAST_TAG, MOST_TAGS), of_tag)
    likely = _likely(scores.heads, LEAST_HEAD, MOST_HEADS)
    likely[:, np.arange(n), np.arange(1, n + 1)] = False
    sentence, word, head = np.nonzero(likely)
    head_scores = np.rint(scores.heads[sentence, word, head] * of_head)
    relations = scores.relations(sentence, word, head)
    relations[:, root] = NEVER
    relations = _rounded(relations, _likely(relations, LEAST_RELATION, MOST_RELATIONS), of_relation)
    relations[head == 0] = NEVER
    relations[head == 0, root] = 0
    ends = offsets_of(np.bincount(sentence * n + word, minlength=batch * n))
    heads = head.astype(np.int32)
    for i in range(batch):
        part = slice(ends[i * n], ends[(i + 1) * n])
        start = (ends[i * n : (i + 1) * n + 1] - ends[i * n]).astype(np.int32)
        yield Candidates(tags[i], heads[part], start, head_scores[part], relations[part])


def _likely(scores: NDArray[np.float64], least: float, most: int) -> NDArray[np.bool_]:
    """Return whether each score is above `least` and among the `most` highest of its row."""
    likely: NDArray[np.bool_] = scores > least
    crowded = np.count_nonzero(likely, axis=-1) > most
    if crowded.any():
        few = scores[crowded]
        likely[crowded] &= few >= np.partition(few, -most, axis=-1)[..., -most, None]
    return likely


def _rounded(scores: NDArray[np.float64], likely: NDArray[np.bool_], scale: float) -> NDArray[np.float64]:
    """Return scores of candidates in whole numbers, and `NEVER` for all others."""
    rounded = np.full(scores.shape, NEVER)
    rounded[likely] = np.rint(scores[likely] * scale)
    return rounded


class CaptionGrammar:
    """The grammar's tables. `closed` lists function words, `frequent` the words that are known by name; others are
    known by their last three letters."""

    def __init__(
        self, tags: Sequence[str], relations: Sequence[str], closed: Sequence[str], frequent: Sequence[str]
    ) -> None:
        self.tag_class = np.full(64, 3, np.int32)
        self.tag_class[: len(tags)] = [_TAG_CLASSES.get(tag, 3) for tag in tags]
        self.marks = np.zeros(64, np.int32)
        self.marks[: len(relations)] = [relation in MARKS for relation in relations]
        self._closed = {word: 1 + i for i, word in enumerate(closed)}
        self._frequent = {word: i for i, word in enumerate(frequent)}
        self._number = lru_cache(200_000)(self._number_of)

    def word_numbers(self, words: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the numbers of words as function words (0: not one), and as words or endings.

        >>> CaptionGrammar([], [], ["on"], ["dog"]).word_numbers(["dog", "on"])
        (array([0, 1], dtype=int32), array([    0, 19521], dtype=int32))
        """
        both = np.array(list(map(self._number, words)), np.int32)
        return both >> 16, both & 0xFFFF

    def _number_of(self, word: str) -> int:
        """Return both numbers, of 16 bits each: arrays of single numbers are made faster than of pairs."""
        lower = word.lower()
        known = self._frequent[lower] if lower in self._frequent else _ending(lower)
        return self._closed.get(lower, 0) << 16 | known


def _ending(word: str) -> int:
    total: int = sum(ord(letter) * 31**i for i, letter in enumerate(word[-3:]))
    return _FIRST_ENDING + total % _ENDINGS
