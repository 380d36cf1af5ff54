"""The caption parser's network: a bidirectional LSTM that scores each word's tags, heads and relations (a biaffine
scorer of heads, Dozat and Manning 2017)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import offsets_of
from vericap.scene.layers import Array, ExactLinear, ExactLSTM, log_softmax, normalise


@dataclass(frozen=True)
class TreeScores:
    """Log-probabilities for sentences of one length: tags [batch, word, tag], heads [batch, word, root and words], and
    the vectors that relations are computed from."""

    tags: NDArray[np.float64]
    heads: NDArray[np.float64]
    dependent: Array
    head: Array
    label: ExactLinear

    def relations(
        self, sentence: NDArray[np.intp], word: NDArray[np.intp], head: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Return log-probabilities of the relations of some arcs, array [arc, relation]; head 0 is the root."""
        return log_softmax(self.label(np.maximum(self.dependent[sentence, word + 1] + self.head[sentence, head], 0)))


class ParserNetwork:
    """The network that `arrays` holds; `words` and `affixes` are the vocabularies of its embeddings."""

    def __init__(self, arrays: dict[str, Any], words: Sequence[str], affixes: Sequence[str], layers: int) -> None:
        self._words = {word: i for i, word in enumerate(words)}
        self._affixes = {affix: i for i, affix in enumerate(affixes)}
        self._embedding = [
            arrays[f"{name}.weight"].astype(np.float32) * arrays[f"{name}.scale"][:, None]
            for name in ("word", "affix", "shape")
        ]
        self._embedding_norm: Array = arrays["embedding_norm"]
        self._norm: Array = arrays["norm"]
        self._window = ExactLinear(arrays, "window")
        self._window_bias: Array = arrays["window_bias"]
        self._input = [ExactLinear(arrays, f"input{i}") for i in range(layers)]
        self._project = ExactLinear(arrays, "project")
        self._recurrent = [
            ExactLSTM(arrays, f"recurrent{i}", *matrices)
            for i, matrices in enumerate(pairwise([*self._input, self._project]))
        ]
        self._heads = ExactLinear(arrays, "heads")
        self._bilinear = ExactLinear(arrays, "bilinear")
        self._head_bias: Array = arrays["head_bias"]
        self._label = ExactLinear(arrays, "label")
        self._reach_head = float(arrays["head.reach"])
        self._reach_dependent = float(arrays["dependent.reach"])
        label_size = self._label.weights.shape[0]
        sizes = [self._head_bias.size, self._head_bias.size, label_size]
        self._cuts = np.cumsum([self._heads.weights.shape[1] - sum(sizes) - label_size, *sizes])
        self._known: dict[str, int] = {}
        # For each word, the vectors it adds to its own position, to the next one and to the one before.
        self._vectors: Array = np.zeros((3, 0, self._embedding_norm.size), np.float32)

    def scores(self, sentences: Sequence[Sequence[str]]) -> Iterator[TreeScores]:
        """Yield the scores of sentences, the longest first, those of one length together. `learn_words` must have seen
        their words."""
        out = self._heads(self._encode(sentences))
        step_dependent, step_head = 2.0**20 / self._reach_dependent, 2.0**20 / self._reach_head
        row = 0
        for length, group in groupby(map(len, sentences)):
            batch, rows = sum(1 for _ in group), 1 + length
            found = out[row : row + batch * rows].reshape(batch, rows, -1)
            tag, dependent, head, label_dependent, label_head = np.split(found, self._cuts, axis=2)
            # Biaffine scores [batch, word, root and words]: rounded, and in float64, so that sums are exact.
            dependent = np.maximum(dependent[:, 1:], 0)
            mapped = self._bilinear(dependent.reshape(batch * length, -1)).reshape(dependent.shape)
            left = np.rint((mapped + self._head_bias) * step_dependent).astype(np.float64)
            right = np.rint(np.maximum(head, 0) * step_head).astype(np.float64)
            arcs: NDArray[np.float64] = np.matmul(left, right.transpose(0, 2, 1)) / (step_dependent * step_head)
            yield TreeScores(log_softmax(tag[:, 1:]), log_softmax(arcs), label_dependent, label_head, self._label)
            row += batch * rows

    def _encode(self, sentences: Sequence[Sequence[str]]) -> Array:
        """Return vectors of the root and the words of each sentence, array [roots and words, size]."""
        known = self._known
        ids = np.array([i for words in sentences for i in (0, *map(known.__getitem__, words))], np.int32)
        lengths = np.array([1 + len(words) for words in sentences], np.int32)
        starts = offsets_of(lengths)[:-1].astype(np.int32)
        own, following, before = self._vectors
        x = own[ids]
        # The word before a root, and the one after a sentence's last word, are another sentence's.
        first, last = np.ones(len(ids), bool), np.ones(len(ids), bool)
        first[starts] = False
        last[starts + lengths - 1] = False
        x[first] += following[ids[:-1][first[1:]]]
        x[last] += before[ids[1:][last[:-1]]]
        state = self._input[0].whole(x)
        for recurrence in self._recurrent:
            state = recurrence(state, starts, lengths)
        y = self._project.of_whole(state)
        return normalise(y, self._norm)

    def learn_words(self, sentences: Iterable[Sequence[str]]) -> None:
        """Add the vectors of new words."""
        known = self._known
        met = dict.fromkeys(word for words in sentences for word in words)
        new = [word for word in met if word not in known]
        if not known:
            new.insert(0, "")  # the root's place
        if not new:
            return
        if len(known) > 200_000:  # a very long run over an open vocabulary starts again
            known.clear()
            self._vectors = self._vectors[:, :1]
            known[""] = 0
            new = list(met)
        ids = np.array([self._features(word) for word in new])
        word, affix, shape = self._embedding
        rows = word[ids[:, 0]]
        for column in range(1, 5):
            rows += affix[ids[:, column]]
        rows = normalise(rows + shape[ids[:, 5]], self._embedding_norm)
        after, at, before = np.split(self._window(rows), 3, axis=1)
        count, size = len(known), len(known) + len(new)
        if size > self._vectors.shape[1]:
            larger = np.empty((3, 2 * size, rows.shape[1]), np.float32)
            larger[:, :count] = self._vectors[:, :count]
            self._vectors = larger
        self._vectors[:, count:size] = rows + at + self._window_bias, after, before
        for word_text in new:
            known[word_text] = len(known)

    def _features(self, word: str) -> tuple[int, ...]:
        if word == "":
            return (1, 1, 1, 1, 1, 7)
        if word in ("!", "?"):  # too rare in captions to be learned; they end sentences as full stops do
            word = "."
        lower = word.lower()
        return self._words.get(lower, 0), *(self._affixes.get(a, 0) for a in affixes(lower)), shape(word)


def affixes(lower: str) -> tuple[str, str, str, str]:
    """Return the last two, three and four letters and the first three.

    >>> affixes("standing")
    ('2ng', '3ing', '4ding', 'psta')
    """
    return f"2{lower[-2:]}", f"3{lower[-3:]}", f"4{lower[-4:]}", f"p{lower[:3]}"


def shape(word: str) -> int:
    """Return a class for capitals, digits, hyphens and signs.

    >>> [shape(word) for word in ["dog", "Dog", "DOG", "3d", "t-shirt", "T-shirt", "."]]
    [0, 1, 2, 3, 4, 5, 6]
    """
    if any(c.isdigit() for c in word):
        return 3
    case = 2 if len(word) > 1 and word.isupper() else int(word[:1].isupper())
    if "-" in word:
        return 5 if case else 4
    return case if any(c.isalpha() for c in word) else 6
