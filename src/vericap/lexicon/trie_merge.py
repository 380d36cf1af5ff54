"""Tries of n-gram counts added up, so that a corpus can be counted in pieces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import rows_of
from vericap.lexicon.trie import Level, NGramTrie

Ints = NDArray[np.int64]


def merge_tries(tries: Sequence[NGramTrie]) -> NGramTrie:
    """The trie whose counts are the sums of the counts of all, which have the same order.

    Words are sorted in every trie, and nodes by prefix and word; so they stay when words get the numbers of the union,
    and each level is a merge of sorted runs.

    >>> one = NGramTrie.from_counts({("a",): 2, ("a", "dog"): 1, ("dog",): 1})
    >>> two = NGramTrie.from_counts({("a",): 1, ("a", "cat"): 1, ("cat",): 1})
    >>> both = merge_tries([one, two])
    >>> words = ["a", "cat"]
    >>> both.count(words, np.array([0, 1])).tolist(), both.count(words, np.array([0]), np.array([1])).tolist()
    ([3, 1], [1])
    """
    words = sorted(set().union(*(trie.words for trie in tries)))
    number = {word: i for i, word in enumerate(words)}
    numbers = [np.array([number[word] for word in trie.words], np.int64) for trie in tries]
    count = np.zeros(len(words), np.int64)
    for trie, place in zip(tries, numbers, strict=True):
        count[place] += trie.arrays["count_1"].astype(np.int64)
    levels = [Level(np.zeros(len(words), np.int64), np.arange(len(words)), count)]
    nodes = list(numbers)
    for order in range(2, tries[0].order + 1):
        keys = [
            node[_prefixes(trie, order)] * len(words) + place[trie.arrays[f"word_{order}"]]
            for trie, node, place in zip(tries, nodes, numbers, strict=True)
        ]
        counts = np.concatenate([trie.arrays[f"count_{order}"].astype(np.int64) for trie in tries])
        distinct, sums, node_of = _add_up(np.concatenate(keys), counts)
        nodes = np.split(node_of, np.cumsum([len(key) for key in keys[:-1]]))
        levels.append(Level(distinct // max(len(words), 1), distinct % max(len(words), 1), sums))
    return NGramTrie.from_levels(words, levels)


def prune(trie: NGramTrie, least: int) -> NGramTrie:
    """The n-grams that count at least this much. An n-gram is in no more documents than its prefix is, so every prefix
    of what stays stays too.

    >>> trie = NGramTrie.from_counts({("a",): 3, ("a", "dog"): 1, ("dog",): 1})
    >>> prune(trie, 2).words, len(prune(trie, 2))
    (['a'], 1)
    """
    kept = np.flatnonzero(trie.arrays["count_1"] >= least)
    all_words = trie.words
    words = [all_words[i] for i in kept.tolist()]
    number = _numbers(kept, len(all_words))
    levels = [Level(np.zeros(len(kept), np.int64), np.arange(len(kept)), trie.arrays["count_1"][kept].astype(np.int64))]
    node = number
    for order in range(2, trie.order + 1):
        count = trie.arrays[f"count_{order}"]
        kept = np.flatnonzero(count >= least)
        prefix = node[_prefixes(trie, order)[kept]]
        levels.append(Level(prefix, number[trie.arrays[f"word_{order}"][kept]], count[kept].astype(np.int64)))
        node = _numbers(kept, len(count))
    return NGramTrie.from_levels(words, levels)


def _prefixes(trie: NGramTrie, order: int) -> Ints:
    """The prefix of each node of an order."""
    return rows_of(np.diff(trie.arrays[f"first_{order}"].astype(np.int64)))


def _add_up(keys: Ints, counts: Ints) -> tuple[Ints, Ints, Ints]:
    """The distinct keys in order, the sum of the counts of each, and the place of every key among them."""
    order = np.argsort(keys, kind="stable")  # fast where keys are a few sorted runs
    ordered = keys[order]
    is_first = np.ones(len(keys), bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(is_first)
    place = np.empty(len(keys), np.int64)
    place[order] = np.cumsum(is_first) - 1
    sums = np.add.reduceat(counts[order], starts) if len(starts) else np.zeros(0, np.int64)
    return ordered[starts], sums, place


def _numbers(kept: Ints, size: int) -> Ints:
    """The new number of each old one; -1 for those that go."""
    number = np.full(size, -1, np.int64)
    number[kept] = np.arange(len(kept))
    return number
