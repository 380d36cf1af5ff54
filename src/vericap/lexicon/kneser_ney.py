"""Interpolated modified Kneser-Ney estimates (Chen and Goodman 1999) of an n-gram language model, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats, Integers, Ragged
from vericap.errors import InputError
from vericap.lexicon.trie import TrieLevel
from vericap.text.ngrams import SortedNGrams

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
MARKS = (START, END, UNKNOWN)
# What is taken from counts of 1, 2, 3 and more where a corpus is too small to say (as KenLM does).
FALLBACK = (0.5, 1.0, 1.5)


@dataclass(frozen=True, eq=False)
class KneserNey:
    r"""The counts that estimates are made of.

    $$ p_n(w \mid h) = \frac{a_n(hw) - D_n(a_n(hw))}{\sum_v a_n(hv)} + \gamma_n(h)\, p_{n-1}(w \mid h'), \qquad
       p_0(w) = \frac1{|V|} $$

    `levels[n - 1]` are the n-grams with a_n: how often they occur in the text for the longest order and for those that
    open a caption, else before how many different words they occur. `discounts[n - 1]` are D_n of 1, 2, and 3 or
    more. `left[n - 1]` is γ_n of each context (the nodes of the order below; a single number for n = 1): what the
    n-grams that occur there do not take, those that were left out included. `unknown` is how many different words
    of the text were counted as the one unknown word.
    """

    words: Sequence[str]
    levels: Sequence[TrieLevel]
    discounts: Sequence[tuple[float, float, float]]
    left: Sequence[Floats]
    unknown: int

    @property
    def order(self) -> int:
        return len(self.levels)


def estimate(
    captions: Ragged, words: Sequence[str], *, order: int = 5, least: Sequence[int] = (), known: int = 2
) -> KneserNey:
    """Return the estimates from captions as numbers of `words`.

    A word seen less than `known` times is taken for the unknown word. N-grams of order n seen less than `least[n - 1]`
    times are left out of the table, after everything was counted; what they had goes to the order below. Every
    prefix and suffix of what stays stays too, so `least` must not fall.

    >>> captions = Ragged(np.array([0, 1, 0, 1, 0, 2], np.int32), np.array([0, 2, 4, 6]))
    >>> model = estimate(captions, ["a", "dog", "cat"], order=2)
    >>> model.words, model.unknown, model.levels[1].count.tolist()
    (['</s>', '<s>', '<unk>', 'a', 'dog'], 1, [3, 1, 1, 2, 2])
    """
    least = tuple(least) or (1,) * order
    if order < 1 or len(least) != order or list(least) != sorted(least) or least[0] != 1:
        raise InputError(
            f"least counts {least} for an order of {order}",
            field="least",
            fix="give one for each order, 1 first and none below the one before",
        )
    if not len(captions):
        raise InputError("there are no captions to count", fix="give at least one")
    text, vocabulary, unknown = _marked(captions, words, known)
    start = vocabulary.index(START)

    ngrams = SortedNGrams(text, len(vocabulary))
    raw = [np.bincount(text.values, minlength=len(vocabulary))]
    levels = [TrieLevel(np.zeros(len(vocabulary), np.int64), np.arange(len(vocabulary)), raw[0])]
    opening = [levels[0].word == start]  # which n-grams open a caption
    column = text.values
    for n in range(2, order + 1):
        example = ngrams.examples(n)[: ngrams.distinct(n)]
        prefix, suffix = column[example], column[example + 1]
        # a_{n-1} of what does not open a caption: how many different words come before it.
        followed = np.bincount(suffix, minlength=len(raw[-1]))
        levels[-1] = TrieLevel(levels[-1].prefix, levels[-1].word, np.where(opening[-1], raw[-1], followed))
        column = ngrams.column(n)
        raw.append(np.bincount(column[column >= 0], minlength=len(example)))
        levels.append(TrieLevel(prefix.astype(np.int64), text.values[example + n - 1].astype(np.int64), raw[-1]))
        opening.append(opening[-1][prefix])
    # Nothing predicts the start of a caption.
    levels[0].count[start] = 0

    kept_levels: list[TrieLevel] = []
    discounts, left = [], []
    number = np.zeros(1, np.int64)  # of each context among those kept; -1 for the others
    for level, times, lowest in zip(levels, raw, least, strict=True):
        discount = discounts_of(level.count)
        kept = times >= lowest if kept_levels else np.ones(len(times), bool)
        given = np.bincount(level.prefix, level.count, len(number))
        freed = np.where(kept, taken(level.count, discount), level.count)
        gamma = np.bincount(level.prefix, freed, len(number)) / np.maximum(given, 1)
        left.append(np.where(given > 0, gamma, 1.0)[number >= 0])
        kept_levels.append(TrieLevel(number[level.prefix[kept]], level.word[kept], level.count[kept]))
        discounts.append(discount)
        number = np.where(kept, np.cumsum(kept) - 1, -1)
    return KneserNey(vocabulary, kept_levels, discounts, left, unknown)


def discounts_of(counts: Integers) -> tuple[float, float, float]:
    r"""$D_1, D_2, D_{3+}$ with $Y = n_1 / (n_1 + 2 n_2)$ and $D_k = k - (k + 1) Y n_{k+1} / n_k$, where $n_k$ counts
    are k.

    >>> [round(d, 4) for d in discounts_of(np.repeat([1, 2, 3, 4], [8, 4, 2, 1]))]
    [0.5, 1.25, 2.0]
    """
    n = np.bincount(np.minimum(counts, 5), minlength=6)
    if not n[1:5].all():
        return FALLBACK
    y = n[1] / (n[1] + 2 * n[2])
    one, two, more = (k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3))
    # Counts of counts that do not fall, as in toy corpora, would give discounts below 0 or above the count.
    return (float(one), float(two), float(more)) if 0 < one <= 1 and 0 < two <= 2 and 0 < more <= 3 else FALLBACK


def taken(counts: NDArray[np.integer], discount: tuple[float, float, float]) -> Floats:
    """D(a) of each count; nothing from 0."""
    return np.asarray(np.array([0.0, *discount])[np.minimum(counts, 3)])


def _marked(captions: Ragged, words: Sequence[str], known: int) -> tuple[Ragged, list[str], int]:
    """Return the captions between marks of start and end, rare words as unknown; the sorted vocabulary with the marks;
    and how many words were made unknown."""
    times = np.bincount(captions.values, minlength=len(words))
    rare = (times < known) | np.isin(np.array(words, object), MARKS)
    vocabulary = sorted([*(word for word, out in zip(words, rare.tolist(), strict=True) if not out), *MARKS])
    number = {word: i for i, word in enumerate(vocabulary)}
    start, end, unknown = (number[mark] for mark in MARKS)
    numbers = np.fromiter((number.get(word, unknown) for word in words), np.int32, len(words))
    numbers[rare] = unknown
    return between(numbers[captions.values], captions.offsets, start, end), vocabulary, int((rare & (times > 0)).sum())


def between(values: NDArray[np.int32], offsets: Integers, start: int, end: int) -> Ragged:
    """Every caption with a mark in front and one behind.

    >>> between(np.array([5, 6], np.int32), np.array([0, 2, 2]), 1, 0).values.tolist()
    [1, 5, 6, 0, 1, 0]
    """
    wider = offsets + 2 * np.arange(len(offsets))
    column = np.empty(wider[-1], np.int32)
    is_word = np.ones(len(column), bool)
    for mark, where in ((start, wider[:-1]), (end, wider[1:] - 1)):
        column[where] = mark
        is_word[where] = False
    column[is_word] = values
    return Ragged(column, wider)
