"""Language models: how likely each word of a caption is after those before it. The n-gram model ships and is mapped
into memory; a recurrent one has the same interface (`vericap.lexicon.recurrent`)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats, Integers, Ragged, rows_of
from vericap.data import FOLDER
from vericap.errors import InputError
from vericap.lexicon.kneser_ney import MARKS, KneserNey, between, estimate, taken
from vericap.lexicon.trie import NGramTrie
from vericap.readers.storage import array_file
from vericap.text.tokenizers import tokenizer as tokenizer_by_name
from vericap.text.vocabulary import split_at_white_space

COCO = FOLDER / "language_model" / "train2014.lm"
KIND = "n-gram language model"
FORMAT = 1
BLOCK = 1 << 13  # captions scored at a time: their arrays stay in the cache
CODES = 256
END = "(end)"  # of a caption, for people
EXACT = 32  # smaller counts are kept as they are


@dataclass(frozen=True, eq=False)
class WordProbabilities:
    """Of each caption's words and of its end: natural logarithms of p(word | words before) and of p(word) alone.

    Those of caption i are `[offsets[i]:offsets[i + 1]]`, one more than it has words. No context speaks for a word
    that the model does not know: alone, it is at least as likely.
    """

    in_context: Floats
    alone: Floats
    offsets: Integers


class LanguageModel(Protocol):
    """The methods of a model that `fluency` uses. `source` is its name and hash, for signatures."""

    tokenizer: str
    language: str
    source: str

    def probabilities(self, captions: Ragged, words: Sequence[str]) -> WordProbabilities:
        """The probabilities of captions, which are numbers of `words`."""
        ...

    def expected(self, context: Sequence[str], most: int) -> list[tuple[str, float]]:
        """The likeliest words after those of `context`, with their probabilities; `END` is the end."""
        ...


class NGramLanguageModel:
    """An interpolated n-gram model. Unknown words share the probability of the unknown word evenly, as many words
    as the training text had: so all probabilities after a context sum to 1.

    >>> captions = Ragged(np.array([0, 1, 0, 1, 0, 2], np.int32), np.array([0, 2, 4, 6]))
    >>> model = NGramLanguageModel.of(estimate(captions, ["a", "dog", "cat"], order=3), name="toy")
    >>> model.probabilities(captions, ["a", "dog", "cat"]).in_context[:3].round(3).tolist()
    [-0.49, -0.664, -0.185]
    >>> [word for word, _ in model.expected(["a"], 2)]
    ['dog', '<unk>']
    """

    def __init__(
        self,
        trie: NGramTrie,
        counts: Sequence[NDArray[np.integer]],
        left: Sequence[Floats],
        facts: Mapping[str, Any],
        name: str,
        digest: str = "",
    ) -> None:
        """From a trie of n-grams with a_n and γ_n as `KneserNey` has them; `facts` holds the rest, see `of`."""
        self.trie, self.counts, self.left, self.facts = trie, counts, left, dict(facts)
        self.tokenizer, self.language = str(facts["tokenizer"]), str(facts["language"])
        self.source = f"{name}@{digest[:12]}" if digest else name
        self._name = name
        number = {word: i for i, word in enumerate(trie.words)}
        self._start, self._end, self._unknown = (number.pop(mark) for mark in MARKS)
        self._known = number
        self._unknown_words = max(int(facts["unknown"]), 1)
        self._shares = [
            _shares(count, discount, self._first(n), gamma)
            for n, (count, discount, gamma) in enumerate(zip(counts, facts["discounts"], left, strict=True), 1)
        ]

    @classmethod
    def of(cls, estimates: KneserNey, *, name: str, tokenizer: str = "ptb", language: str = "en") -> NGramLanguageModel:
        """The model with the estimates as they are."""
        trie = NGramTrie.from_levels(estimates.words, estimates.levels)
        facts = {
            "tokenizer": tokenizer,
            "language": language,
            "discounts": [list(discount) for discount in estimates.discounts],
            "unknown": estimates.unknown,
        }
        return cls(trie, [level.count for level in estimates.levels], estimates.left, facts, name)

    def __len__(self) -> int:
        return len(self.trie)

    @property
    def order(self) -> int:
        return self.trie.order

    def probabilities(self, captions: Ragged, words: Sequence[str]) -> WordProbabilities:
        number = np.fromiter((self._known.get(word, self._unknown) for word in words), np.int32, len(words))
        parts = [
            self._block(between(number[block.values], block.offsets, self._start, self._end).values.astype(np.int64))
            for first in range(0, len(captions), BLOCK)
            for block in [captions.window(first, min(first + BLOCK, len(captions)))]
        ]
        in_context, alone = (
            np.concatenate([np.zeros(0), *column]) for column in (zip(*parts, strict=True) if parts else ([], []))
        )
        return WordProbabilities(in_context, alone, captions.offsets + np.arange(len(captions) + 1))

    def _block(self, column: Integers) -> tuple[Floats, Floats]:
        """Logarithms for captions between their marks, one after the other."""
        alone = self._shares[0][column] + self.left[0][0] / (len(self.trie.words) - 1)
        p, node = alone, column
        for n in range(2, self.order + 1):
            context = np.concatenate([[-1], node[:-1]])
            node = self.trie.child(n, context, column)
            # p_n(w | h) = share + γ(h) p_{n-1}(w | h'); after a context never seen, p_{n-1} alone
            p = np.where(context >= 0, self.left[n - 1][context], 1.0) * p
            p += np.where(node >= 0, self._shares[n - 1].take(node, mode="clip"), 0.0)
        each = np.where(column == self._unknown, self._unknown_words, 1)
        predicted = column != self._start
        in_context: Floats = np.log((p / each)[predicted])
        by_itself: Floats = np.log((alone / each)[predicted])
        return in_context, np.where(column[predicted] == self._unknown, np.maximum(by_itself, in_context), by_itself)

    def distribution(self, context: Sequence[str]) -> Floats:
        """p(w | start of the caption, context) of every word of the vocabulary, array [words]; they sum to 1."""
        ids = np.array([self._start, *(self._known.get(word, self._unknown) for word in context)])
        p: Floats = self._shares[0] + self.left[0][0] / (len(self.trie.words) - 1)
        p[self._start] = 0.0
        for n in range(2, min(self.order, len(ids) + 1) + 1):
            node = ids[-(n - 1) :][:1]
            for order, word in enumerate(ids[len(ids) - n + 2 :], 2):
                node = self.trie.child(order, node, np.array([word]))
            if node[0] >= 0:
                first, last = self._first(n)[node[0] : node[0] + 2].tolist()
                p *= self.left[n - 1][node[0]]
                p[self.trie.arrays[f"word_{n}"][first:last]] += self._shares[n - 1][first:last]
        return p

    def expected(self, context: Sequence[str], most: int) -> list[tuple[str, float]]:
        p = self.distribution(context)
        p[self._unknown] /= self._unknown_words
        likeliest = np.argsort(-p, kind="stable")[:most].tolist()
        return [(END if i == self._end else self.trie.words[i], float(p[i])) for i in likeliest]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file that `load` reads: counts as one byte each, for the nearest of 256 counts (small
        ones are exact), and γ as one byte on a logistic scale. What is read back still sums to 1."""
        grid = _grid(max(int(count.max(initial=1)) for count in self.counts))
        arrays: dict[str, NDArray[np.unsignedinteger[Any]]] = {**self.trie.arrays, "grid": grid.astype("<u4")}
        limits = []
        for n, (count, left) in enumerate(zip(self.counts, self.left, strict=True), 1):
            between_two = np.sqrt(grid[1:] * (grid[:-1] + 0.0))
            arrays[f"count_{n}"] = np.searchsorted(between_two, count).astype("u1")
            has_children = np.diff(self._first(n)) > 0
            codes, low, high = _to_codes(left[has_children])
            arrays[f"left_{n}"] = codes
            limits.append([low, high])
        facts = {"kind": KIND, "format": FORMAT, "order": self.order, "left": limits, **self.facts}
        array_file.write(path, self._name, facts, arrays)

    def _first(self, n: int) -> Integers:
        """Return the starts of the n-grams of each context, and the end of the last."""
        return np.array([0, len(self.trie.words)]) if n == 1 else self.trie.arrays[f"first_{n}"].astype(np.int64)


def train(
    captions: Sequence[str],
    *,
    name: str,
    tokenizer: str = "ptb",
    language: str = "en",
    order: int = 5,
    least: Sequence[int] = (),
    known: int = 2,
) -> NGramLanguageModel:
    """The n-gram model of captions; see `vericap.lexicon.kneser_ney.estimate` for `least` and `known`.

    >>> train(["a dog runs", "a dog"], name="toy", order=2).expected(["a"], 1)[0][0]
    'dog'
    """
    vocabulary: dict[str, int] = {}
    tokens, words = split_at_white_space(tokenizer_by_name(tokenizer)(captions, vocabulary), list(vocabulary))
    estimates = estimate(tokens, words, order=order, least=least, known=known)
    return NGramLanguageModel.of(estimates, name=name, tokenizer=tokenizer, language=language)


def load(path: str | os.PathLike[str]) -> NGramLanguageModel:
    """The model of a file that `NGramLanguageModel.save` wrote."""
    name, facts, arrays, digest = array_file.read(path)
    source = os.fspath(path)
    again = "train it again with vericap train language-model"
    array_file.check_format(facts, KIND, FORMAT, source, "an n-gram language model", again)
    damaged = InputError("the model's parts do not fit together", source=source, fix="train it again")
    order = facts.get("order")
    if not isinstance(order, int) or order < 1:
        raise damaged
    trie = NGramTrie(arrays, order)
    trie.validate(source, CODES)
    try:
        counts = [arrays["grid"][arrays[f"count_{n}"]] for n in range(1, order + 1)]
        left = []
        for n, (low, high) in enumerate(facts["left"], 1):
            children = np.diff(arrays[f"first_{n}"].astype(np.int64)) if n > 1 else np.array([len(trie.words)])
            gamma = np.ones(len(children))
            gamma[children > 0] = _from_codes(arrays[f"left_{n}"], low, high)
            left.append(gamma)
        return NGramLanguageModel(trie, counts, left, facts, name, digest)
    except (KeyError, IndexError, TypeError, ValueError):
        raise damaged from None


def _shares(count: NDArray[np.integer], discount: Sequence[float], first: Integers, left: Floats) -> Floats:
    """(a − D(a)) / Σ a of each n-gram: what γ leaves of 1 in each context, divided by the discounted counts."""
    weight = count - taken(count, (discount[0], discount[1], discount[2]))
    context = rows_of(np.diff(first))
    total = np.bincount(context, weight, len(first) - 1)
    return np.asarray(weight * np.divide(1 - left, total, out=np.zeros(len(left)), where=total > 0)[context])


def _grid(most: int) -> NDArray[np.int64]:
    """Up to 256 counts from 0 to `most`: each of the small ones, then equal ratios.

    >>> _grid(100_000)[[0, 1, 31, 32, 33, 254, 255]].tolist()
    [0, 1, 31, 32, 33, 96456, 100000]
    """
    ratios = np.geomspace(EXACT, max(most, EXACT), CODES - EXACT).round().astype(np.int64)
    return np.unique(np.concatenate([np.arange(EXACT), ratios]))


def _to_codes(left: Floats) -> tuple[NDArray[np.uint8], float, float]:
    """γ in 256 equal steps of its logit, and where they begin and end."""
    left = left.clip(1e-9, 1 - 1e-9)
    logit = np.log(left) - np.log1p(-left)
    low, high = (float(logit.min()), float(logit.max())) if len(left) else (0.0, 0.0)
    step = (high - low) / (CODES - 1) or 1.0
    return ((logit - low) / step).round().astype(np.uint8), low, high


def _from_codes(codes: NDArray[np.uint8], low: float, high: float) -> Floats:
    return np.asarray(1 / (1 + np.exp(-(low + codes * ((high - low) / (CODES - 1))))))
