"""A tagger and dependency parser for captions, run in NumPy: a bidirectional LSTM with a biaffine scorer of heads
(Dozat and Manning 2017), trained to give the trees that CoreNLP gives SPICE.

Weights are 8-bit integers and every input of a matrix product is rounded to integers small enough that the product
is exact in floating point. So a tree depends on its sentence alone: not on the batch it is in, the number of
threads or the order of the captions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from vericap.kernels.decoding import projective_heads
from vericap.parallel import in_threads
from vericap.scene.dependencies import ROOT, Sentence
from vericap.scene.lemmas import Lemmatizer

Array: TypeAlias = NDArray[np.float32]
Answer = TypeVar("Answer")

# Longer sentences are cut: the scorer never saw longer ones, and time stays linear in the length of a caption.
MAX_WORDS = 64
_BATCH_WORDS = 2048
_EXACT = 2**24  # integers up to here, and their sums, are exact in float32


class _Matrix:
    """A linear map with 8-bit weights: y = W x + b, its product computed in exact integers."""

    def __init__(self, arrays: dict[str, Any], name: str) -> None:
        weights = arrays[f"{name}.weight"]
        self.weights: Array = np.ascontiguousarray(weights.T.astype(np.float32))  # [in, out]
        largest = int(np.abs(weights.astype(np.int64)).sum(axis=1).max())
        self.limit = np.float32((_EXACT - 1) // largest)  # of an input's integer
        self.step = np.float32(self.limit / arrays[f"{name}.reach"])  # integers for an input of 1
        self.scale: Array = arrays[f"{name}.scale"].astype(np.float32) / self.step
        self.bias: Array | None = arrays.get(f"{name}.bias")

    def __call__(self, x: Array) -> Array:
        y: Array = self.whole(x) @ self.weights
        y *= self.scale
        if self.bias is not None:
            y += self.bias
        return y

    def whole(self, x: Array) -> Array:
        """Inputs as integers."""
        rounded: Array = np.rint(x * self.step)
        return np.clip(rounded, -self.limit, self.limit, out=rounded)


class Parser:
    """Words to tags, lemmas and a dependency tree.

    >>> parse = Parser.load().parse
    >>> sentence, = parse([["a", "girl", "is", "riding", "two", "horses"]])
    >>> sentence.tags, sentence.heads
    (['DT', 'NN', 'VBZ', 'VBG', 'CD', 'NNS'], [1, 3, 3, -1, 5, 3])
    """

    def __init__(self, folder: Traversable) -> None:
        self.about: dict[str, Any] = json.loads((folder / "parser.json").read_text(encoding="utf-8"))
        with (folder / "parser.npz").open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        self.tags: list[str] = self.about["tags"]
        self.relations: list[str] = self.about["relations"]
        self.lemmatizer = Lemmatizer(self.about["lemmas"])
        self._words = {word: i for i, word in enumerate(self.about["words"])}
        self._affixes = {affix: i for i, affix in enumerate(self.about["affixes"])}
        self._embedding = [
            arrays[f"{name}.weight"].astype(np.float32) * arrays[f"{name}.scale"][:, None]
            for name in ("word", "affix", "shape")
        ]
        self._embedding_norm: Array = arrays["embedding_norm"]
        self._norm: Array = arrays["norm"]
        self._window = _Matrix(arrays, "window")
        self._window_bias: Array = arrays["window_bias"]
        self._input = [_Matrix(arrays, f"input{i}") for i in range(self.about["layers"])]
        self._recurrent = [_Recurrence(arrays, f"recurrent{i}") for i in range(self.about["layers"])]
        self._project = _Matrix(arrays, "project")
        self._heads = _Matrix(arrays, "heads")
        self._bilinear = _Matrix(arrays, "bilinear")
        self._head_bias: Array = arrays["head_bias"]
        self._label = _Matrix(arrays, "label")
        self._reach_head = float(arrays["head.reach"])
        self._reach_dependent = float(arrays["dependent.reach"])
        self._known: dict[str, int] = {}
        self._rows = np.zeros((0, self._embedding_norm.size), np.float32)
        self._window_rows = np.zeros((0, 3 * self._embedding_norm.size), np.float32)

    @staticmethod
    @cache
    def load() -> Parser:
        """The parser that ships."""
        return Parser(files("vericap") / "data" / "parser")

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Sentence]:
        """Parses sentences, each a list of words; each must have between 1 and `MAX_WORDS` words."""
        return self.parse_each(sentences, lambda sentence: sentence)

    def parse_each(
        self, sentences: Sequence[Sequence[str]], use: Callable[[Sentence], Answer], workers: int = 1
    ) -> list[Answer]:
        """`use` of each sentence's tree, batches shared by so many threads."""
        self._learn_words(sentences)
        batches = list(_batches(sentences))

        def work(batch: list[int]) -> list[Answer]:
            return [use(tree) for tree in self._parse_batch([sentences[i] for i in batch])]

        found: dict[int, Answer] = {}
        # BLAS has threads of its own, which wait in busy loops: with other work on the machine they cost four
        # times the processor time of one thread a batch.
        with threadpool_limits(1, "blas"):
            for batch, answers in zip(batches, in_threads(work, batches, workers=workers), strict=True):
                found.update(zip(batch, answers, strict=True))
        return [found[i] for i in range(len(sentences))]

    def _parse_batch(self, sentences: Sequence[Sequence[str]]) -> Iterator[Sentence]:
        """Parses sentences of one length."""
        y = self._encode(sentences)
        batch, length, _ = y.shape
        tag_count, arc_size = len(self.tags), self._head_bias.size
        out = self._heads(y.reshape(batch * length, -1)).reshape(batch, length, -1)
        tag, dependent, head, label_dependent, label_head = np.split(
            out, np.cumsum([tag_count, arc_size, arc_size, (out.shape[2] - tag_count - 2 * arc_size) // 2]), axis=2
        )
        tags = tag[:, 1:].argmax(axis=2)
        heads = projective_heads(self._arc_scores(dependent[:, 1:], head))
        chosen = np.take_along_axis(label_head, heads[:, :, None], axis=1)
        hidden = np.maximum(label_dependent[:, 1:] + chosen, 0)
        labels = self._label(hidden.reshape(-1, hidden.shape[2]))
        labels[:, self.relations.index("root")] = -np.inf
        relations = labels.argmax(axis=1).reshape(batch, length - 1)
        for words, tag_row, head_row, relation_row in zip(
            sentences, tags.tolist(), heads.tolist(), relations.tolist(), strict=True
        ):
            names = [self.tags[t] for t in tag_row]
            yield Sentence(
                words,
                names,
                [self.lemmatizer.lemma(word, name) for word, name in zip(words, names, strict=True)],
                [h - 1 for h in head_row],
                ["root" if h - 1 == ROOT else self.relations[r] for h, r in zip(head_row, relation_row, strict=True)],
            )

    def _arc_scores(self, dependent: Array, head: Array) -> NDArray[np.float64]:
        """Biaffine scores [batch, word, root and words]: rounded, and in float64, so that sums are exact."""
        batch, words, size = dependent.shape
        np.maximum(dependent, 0, out=dependent)
        np.maximum(head, 0, out=head)
        mapped = self._bilinear(dependent.reshape(-1, size)).reshape(batch, words, size)
        step_dependent, step_head = 2.0**20 / self._reach_dependent, 2.0**20 / self._reach_head
        left = np.rint((mapped + self._head_bias) * step_dependent).astype(np.float64)
        right = np.rint(head * step_head).astype(np.float64)
        scores: NDArray[np.float64] = np.matmul(left, right.transpose(0, 2, 1))
        return scores / (step_dependent * step_head)

    def _encode(self, sentences: Sequence[Sequence[str]]) -> Array:
        """Vectors of the root and the words, array [batch, 1 + words, size]."""
        known = self._known
        ids = np.array([[0, *(known[word] for word in words)] for words in sentences])
        batch, length = ids.shape
        size = self._rows.shape[1]
        window = self._window_rows[ids]
        x = self._rows[ids] + window[:, :, size : 2 * size] + self._window_bias
        x[:, 1:] += window[:, :-1, :size]
        x[:, :-1] += window[:, 1:, 2 * size :]
        # Time first: a step of the recurrence is then one block of memory.
        state = np.ascontiguousarray(x.transpose(1, 0, 2))
        for project, recurrence in zip(self._input, self._recurrent, strict=True):
            state = recurrence(project(state.reshape(length * batch, -1)).reshape(length, batch, -1))
        y = self._project(state.reshape(length * batch, -1))
        return _normalise(y, self._norm).reshape(length, batch, -1).transpose(1, 0, 2)

    def _learn_words(self, sentences: Sequence[Sequence[str]]) -> None:
        """Adds the vectors of words that were not met before."""
        known = self._known
        new = list(dict.fromkeys(word for words in sentences for word in words if word not in known))
        if not known:
            new.insert(0, "")  # the root's place
        if not new:
            return
        if len(known) > 200_000:  # a very long run over an open vocabulary starts afresh
            known.clear()
            self._rows, self._window_rows = self._rows[:1], self._window_rows[:1]
            known[""] = 0
            new = list(dict.fromkeys(word for words in sentences for word in words))
        ids = np.array([self._features(word) for word in new])
        word, affix, shape = self._embedding
        rows = word[ids[:, 0]]
        for column in range(1, 5):
            rows += affix[ids[:, column]]
        rows = _normalise(rows + shape[ids[:, 5]], self._embedding_norm)
        for word_text in new:
            known[word_text] = len(known)
        self._rows = np.concatenate([self._rows, rows])
        self._window_rows = np.concatenate([self._window_rows, self._window(rows)])

    def _features(self, word: str) -> tuple[int, ...]:
        if word == "":
            return (1, 1, 1, 1, 1, 7)
        if word in ("!", "?"):  # too rare in captions to be learned; they end sentences as full stops do
            word = "."
        lower = word.lower()
        affix = self._affixes
        return (
            self._words.get(lower, 0),
            *(affix.get(a, 0) for a in affixes(lower)),
            shape(word),
        )


class _Recurrence:
    """Both directions of an LSTM layer. The gates' order is input, forget, output, cell; the first three come with
    half their weights, so that σ(x) = (1 + tanh(x / 2)) / 2 needs no more than the tanh of all four."""

    def __init__(self, arrays: dict[str, Any], name: str) -> None:
        ways = [_Matrix(arrays, f"{name}.{way}") for way in ("forward", "backward")]
        self.weights = np.stack([way.weights for way in ways])
        self.limit = min(way.limit for way in ways)
        self.scale = np.stack([way.scale * way.step for way in ways])[:, None, :] / self.limit

    def __call__(self, gates: Array) -> Array:
        """Gates [time, batch, 2 × 4 × size] from the layer's input; gives outputs [time, batch, 2 × size]."""
        length, batch, width = gates.shape
        size = width // 8
        outputs = np.empty((length, batch, 2 * size), np.float32)
        cell = np.zeros((2, batch, size), np.float32)
        hidden = np.zeros((2, batch, size), np.float32)
        now = np.empty((2, batch, 4 * size), np.float32)
        for step in range(length):
            back = length - 1 - step
            if step:
                np.matmul(hidden, self.weights, out=now)
                now *= self.scale
                now[0] += gates[step, :, : 4 * size]
                now[1] += gates[back, :, 4 * size :]
            else:
                now[0] = gates[step, :, : 4 * size]
                now[1] = gates[back, :, 4 * size :]
            np.tanh(now, out=now)
            sigmoid = now[:, :, : 3 * size]
            sigmoid *= np.float32(0.5)
            sigmoid += np.float32(0.5)
            cell *= now[:, :, size : 2 * size]
            cell += now[:, :, :size] * now[:, :, 3 * size :]
            np.tanh(cell, out=hidden)
            hidden *= now[:, :, 2 * size : 3 * size]
            outputs[step, :, :size] = hidden[0]
            outputs[back, :, size:] = hidden[1]
            hidden *= self.limit
            np.rint(hidden, out=hidden)
        return outputs


def affixes(lower: str) -> tuple[str, str, str, str]:
    """The last two, three and four letters and the first three.

    >>> affixes("standing")
    ('2ng', '3ing', '4ding', 'psta')
    """
    return f"2{lower[-2:]}", f"3{lower[-3:]}", f"4{lower[-4:]}", f"p{lower[:3]}"


def shape(word: str) -> int:
    """Capitals, digits, hyphens and signs.

    >>> [shape(word) for word in ["dog", "Dog", "DOG", "3d", "t-shirt", "T-shirt", "."]]
    [0, 1, 2, 3, 4, 5, 6]
    """
    if any(c.isdigit() for c in word):
        return 3
    case = 2 if len(word) > 1 and word.isupper() else int(word[:1].isupper())
    if "-" in word:
        return 5 if case else 4
    return case if any(c.isalpha() for c in word) else 6


def _normalise(x: Array, gain: Array) -> Array:
    """Root mean square normalisation of rows."""
    x = np.ascontiguousarray(x)
    scale = 1 / np.sqrt(np.square(x).mean(axis=1, keepdims=True) + np.float32(1e-6))
    normalised: Array = x * scale * gain
    return normalised


def _batches(sentences: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """Indices of sentences of one length, a few thousand words at a time."""
    by_length: dict[int, list[int]] = {}
    for i, words in enumerate(sentences):
        by_length.setdefault(len(words), []).append(i)
    for length, indices in sorted(by_length.items()):
        size = max(1, _BATCH_WORDS // (length + 1))
        for start in range(0, len(indices), size):
            yield indices[start : start + size]
