"""N-grams with a count each, as a trie in flat arrays: the nodes of an order are sorted by (prefix, last word). Tries
are added up, so that a corpus can be counted in pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, Ragged, offsets_of, rows_of
from vericap.errors import InputError
from vericap.readers.storage.array_file import Arrays
from vericap.text.ngrams import SortedNGrams

BLOCK = 1 << 16  # n-grams looked up at a time: their arrays stay in the cache


@dataclass(frozen=True, eq=False)
class TrieLevel:
    """The n-grams of one order: prefix (a node of the order below), last word, count; sorted by the first two."""

    prefix: Integers
    word: Integers
    count: Integers


class NGramTrie:
    """Counts of n-grams of order 1 … `order`; those it does not hold count 0.

    `arrays` by name: `words` (UTF-8, sorted) and `word_ends`; `count_1`; for each further order n
    `word_n` (the last word of each node), `count_n`, and `first_n` (where the nodes with each prefix begin, one
    number more than there are prefixes).

    >>> trie = NGramTrie.from_counts({("a",): 3, ("a", "dog"): 2, ("the",): 2})
    >>> trie.count(["dog", "a"], np.array([1, 0]), np.array([0, 1])).tolist()
    [2, 0]
    """

    def __init__(self, arrays: Arrays, order: int) -> None:
        self.arrays = dict(arrays)
        self.order = order
        self._searched: dict[int, Integers] = {}

    @classmethod
    def from_levels(cls, words: Sequence[str], levels: Sequence[TrieLevel]) -> NGramTrie:
        """Return a trie from its levels; order-1 node i is word i, and `words` are sorted."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        arrays: dict[str, NDArray[np.unsignedinteger]] = {
            "words": np.frombuffer(b"".join(encoded), np.uint8),
            "word_ends": _narrow(np.cumsum([len(word) for word in encoded], dtype=np.int64)),
        }
        prefixes = len(words)
        for order, level in enumerate(levels, 1):
            arrays[f"count_{order}"] = _narrow(level.count)
            if order > 1:
                arrays[f"word_{order}"] = _narrow(level.word)
                arrays[f"first_{order}"] = _narrow(np.searchsorted(level.prefix, np.arange(prefixes + 1)))
            prefixes = len(level.count)
        return cls(arrays, len(levels))

    @classmethod
    def from_counts(cls, counts: Mapping[tuple[str, ...], int]) -> NGramTrie:
        """Return a trie from a table of counts. A prefix that the table lacks gets a node that counts 0."""
        words = sorted({word for ngram in counts for word in ngram})
        number = {word: i for i, word in enumerate(words)}
        order = max(map(len, counts), default=1)
        rows: list[list[int]] = [[] for _ in range(order)]
        values: list[list[int]] = [[] for _ in range(order)]
        for ngram, times in counts.items():
            rows[len(ngram) - 1].extend([number[word] for word in ngram])
            values[len(ngram) - 1].append(times)
        ngrams = [np.array(row, np.int64).reshape(-1, n) for n, row in enumerate(rows, 1)]
        count = np.zeros(len(words), np.int64)
        count[ngrams[0][:, 0]] = values[0]
        levels = [TrieLevel(np.zeros(len(words), np.int64), np.arange(len(words)), count)]
        prefixes = [some[:, 0] for some in ngrams]  # the node of each n-gram's first n - 1 words
        for n in range(2, order + 1):
            longer = slice(n - 1, None)
            pairs = zip(prefixes[longer], ngrams[longer], strict=True)
            key = [prefix * len(words) + some[:, n - 1] for prefix, some in pairs]
            distinct, node = np.unique(np.concatenate(key), return_inverse=True)
            prefixes[longer] = np.split(node, np.cumsum([len(some) for some in key[:-1]]))
            count = np.zeros(len(distinct), np.int64)
            count[prefixes[n - 1]] = values[n - 1]
            levels.append(TrieLevel(distinct // len(words), distinct % len(words), count))
        return cls.from_levels(words, levels)

    def validate(self, source: str, most: int) -> None:
        """Raises an error where the arrays, read from a file, do not make a trie with counts of up to `most`."""
        try:
            ends, blob = self.arrays["word_ends"], self.arrays["words"]
            sound = rises(ends) and (int(ends[-1]) if len(ends) else 0) == len(blob)
            counts = [self.arrays[f"count_{order}"] for order in range(1, self.order + 1)]
            sound &= all(int(count.max(initial=0)) <= most for count in counts)
            prefixes = len(self.arrays["count_1"])
            sound &= prefixes == len(ends) == len(set(self.words))
            for order in range(2, self.order + 1):
                first, word = self.arrays[f"first_{order}"], self.arrays[f"word_{order}"]
                sound &= len(first) == prefixes + 1 and rises(first)
                sound &= int(first[0]) == 0 and int(first[-1]) == len(word) == len(self.arrays[f"count_{order}"])
                sound &= int(word.max(initial=0)) < max(len(ends), 1)
                sound = sound and bool((np.diff(self._keys(order)) > 0).all())
                prefixes = len(word)
        except (KeyError, IndexError, UnicodeDecodeError):
            sound = False
        if not sound:
            raise InputError("this is not a table of n-grams", source=source, fix="make the table again")

    def __len__(self) -> int:
        return sum(len(self.arrays[f"count_{order}"]) for order in range(1, self.order + 1))

    @cached_property
    def words(self) -> list[str]:
        """The vocabulary, sorted."""
        blob, ends = self.arrays["words"].tobytes(), self.arrays["word_ends"].tolist()
        return [blob[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise([0, *ends])]

    @cached_property
    def _number(self) -> dict[str, int]:
        """The number of each word; kept, because small batches ask again and again."""
        return {word: i for i, word in enumerate(self.words)}

    def count(self, words: Iterable[str], *columns: NDArray[np.integer]) -> Integers:
        """Counts of n-grams [m]: `columns` are their first words, second words …, [m] each, as numbers in `words`.

        Neighbours with the same prefix are looked up together: sorted n-grams are found fastest.
        """
        order = len(columns)
        number = self._number
        known = np.fromiter((number.get(word, -1) for word in words), np.int64)
        counts = np.zeros(len(columns[0]), np.int64)
        if order > self.order or not len(known):
            return counts
        for start in range(0, len(counts), BLOCK):
            block = slice(start, start + BLOCK)
            node = known[columns[0][block]]
            rows = np.flatnonzero(node >= 0)
            node = node[rows]
            for n, column in enumerate(columns[1:], 2):
                node = self.child(n, node, known[column[block][rows]])
                rows, node = rows[node >= 0], node[node >= 0]
            counts[block][rows] = self.arrays[f"count_{order}"][node]
        return counts

    def child(self, order: int, node: Integers, word: Integers) -> Integers:
        """Return the node of `order` below each node of the order before, for a word; -1 where there is none.

        -1 as node or as word has no child.
        """
        if order not in self._searched:
            self._searched[order] = np.append(self._keys(order), -2)  # ends with a number that is no key
        keys = self._searched[order]
        key = node * len(self.words) + word
        key[(word < 0) | (node < 0)] = -1
        is_new = np.ones(len(key), bool)
        is_new[1:] = key[1:] != key[:-1]
        wanted = key[is_new]
        place = np.searchsorted(keys[:-1], wanted)
        return np.asarray(np.where(keys[place] == wanted, place, -1)[np.cumsum(is_new) - 1])

    def _keys(self, order: int) -> Integers:
        """prefix × vocabulary + last word of every node of an order; they rise."""
        return rows_of(np.diff(self.arrays[f"first_{order}"])) * len(self.words) + self.arrays[f"word_{order}"]


def count_documents(captions: Ragged, document: Integers, words: Sequence[str], *, order: int, least: int) -> NGramTrie:
    """Return in how many documents each n-gram up to `order` occurs; those in fewer than `least` are left out.

    `document[i]` is the document that caption i belongs to.

    >>> captions = Ragged(np.array([0, 1, 0, 1, 0], np.int32), np.array([0, 2, 4, 5]))
    >>> trie = count_documents(captions, np.array([0, 1, 1]), ["a", "dog"], order=2, least=2)
    >>> trie.count(["a", "dog"], np.array([0, 1]), np.array([1, 0])).tolist()
    [2, 0]
    """
    by_word = sorted(range(len(words)), key=words.__getitem__)
    rank = np.empty(len(words), np.int32)
    rank[by_word] = np.arange(len(words))
    column = rank[captions.values]
    ngrams = SortedNGrams(Ragged(column, captions.offsets), len(words))
    group = document.astype(np.int32)

    def documents(n: int) -> Integers:
        starts = offsets_of(np.bincount(group, ngrams.lengths(n)).astype(np.int64))
        return ngrams.collect(n, group, 0, starts)[1][: ngrams.distinct(n)].astype(np.int64)

    levels = [TrieLevel(np.zeros(len(words), np.int64), np.arange(len(words)), documents(1))]
    for n in range(2, order + 1):
        example = ngrams.examples(n)[: ngrams.distinct(n)]
        prefix, word = ngrams.column(n - 1)[example], column[example + n - 1]
        levels.append(TrieLevel(prefix.astype(np.int64), word.astype(np.int64), documents(n)))
    return prune(NGramTrie.from_levels([words[i] for i in by_word], levels), least)


def merge_tries(tries: Sequence[NGramTrie]) -> NGramTrie:
    """Return the trie whose counts are the sums of the counts of all, which have the same order.

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
    levels = [TrieLevel(np.zeros(len(words), np.int64), np.arange(len(words)), count)]
    nodes = list(numbers)
    for order in range(2, tries[0].order + 1):
        keys = [
            node[_prefixes(trie, order)] * len(words) + place[trie.arrays[f"word_{order}"]]
            for trie, node, place in zip(tries, nodes, numbers, strict=True)
        ]
        counts = np.concatenate([trie.arrays[f"count_{order}"].astype(np.int64) for trie in tries])
        # With the index: its sort is fast where keys are a few sorted runs.
        distinct, _, node_of = np.unique(np.concatenate(keys), return_index=True, return_inverse=True)
        sums = np.bincount(node_of, counts, len(distinct)).astype(np.int64)
        nodes = np.split(node_of, np.cumsum([len(key) for key in keys[:-1]]))
        levels.append(TrieLevel(distinct // max(len(words), 1), distinct % max(len(words), 1), sums))
    return NGramTrie.from_levels(words, levels)


def prune(trie: NGramTrie, least: int) -> NGramTrie:
    """Return the n-grams that count at least this much. An n-gram is in no more documents than its prefix is, so every
    prefix of what stays stays too.

    >>> trie = NGramTrie.from_counts({("a",): 3, ("a", "dog"): 1, ("dog",): 1})
    >>> prune(trie, 2).words, len(prune(trie, 2))
    (['a'], 1)
    """
    kept = np.flatnonzero(trie.arrays["count_1"] >= least)
    all_words = trie.words
    words = [all_words[i] for i in kept.tolist()]
    number = _numbers(kept, len(all_words))
    levels = [
        TrieLevel(np.zeros(len(kept), np.int64), np.arange(len(kept)), trie.arrays["count_1"][kept].astype(np.int64))
    ]
    node = number
    for order in range(2, trie.order + 1):
        count = trie.arrays[f"count_{order}"]
        kept = np.flatnonzero(count >= least)
        prefix = node[_prefixes(trie, order)[kept]]
        levels.append(TrieLevel(prefix, number[trie.arrays[f"word_{order}"][kept]], count[kept].astype(np.int64)))
        node = _numbers(kept, len(count))
    return NGramTrie.from_levels(words, levels)


def _prefixes(trie: NGramTrie, order: int) -> Integers:
    """Return the prefix of each node of an order."""
    return rows_of(np.diff(trie.arrays[f"first_{order}"].astype(np.int64)))


def _numbers(kept: Integers, size: int) -> Integers:
    """Return the new number of each old one; -1 for those that go."""
    number = np.full(size, -1, np.int64)
    number[kept] = np.arange(len(kept))
    return number


def _narrow(values: Integers) -> NDArray[np.unsignedinteger]:
    """Return the same numbers in the smallest type of two or four bytes that holds them."""
    return values.astype("<u2" if int(values.max(initial=0)) < 1 << 16 else "<u4")


def rises(values: NDArray[np.integer]) -> bool:
    """Return whether no number is less than the one before."""
    return bool((values[1:] >= values[:-1]).all())
