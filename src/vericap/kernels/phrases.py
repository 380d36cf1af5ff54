"""Finds the phrases of a trie in captions, and which of the phrases found paraphrase each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged, offsets_of
from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)

# Masks for counting bits: Cython takes a literal of 64 bits for a Python integer.
PAIRS = cython.declare(cython.ulonglong, 0x5555555555555555)
NIBBLES = cython.declare(cython.ulonglong, 0x3333333333333333)
BYTES = cython.declare(cython.ulonglong, 0x0F0F0F0F0F0F0F0F)
ONES = cython.declare(cython.ulonglong, 0x0101010101010101)
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
ONE = cython.declare(cython.ulonglong, 1)
MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)

ANSWER_BITS = cython.declare(cython.int, 16)
ANSWERS = 1 << 16

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Occurrences:
    """Occurrences of a trie's phrases in captions: those of row r are `rows[r]:rows[r + 1]` of `start`, `length` and
    `node`, by start, then length."""

    rows: NDArray[np.int64]
    start: NDArray[np.int32]
    length: NDArray[np.int32]
    node: NDArray[np.int32]

    @classmethod
    def join(cls, several: Sequence[Occurrences]) -> Occurrences:
        """Return those of several lots of captions, one lot after the other."""
        rows = offsets_of(np.concatenate([np.diff(each.rows) for each in several]))
        start, length, node = (
            np.concatenate([getattr(each, name) for each in several]) for name in ("start", "length", "node")
        )
        return cls(rows, start, length, node)

    def window(self, first: int, last: int) -> Occurrences:
        """Return those of the rows first … last - 1."""
        part = slice(self.rows[first], self.rows[last])
        rows = self.rows[first : last + 1] - self.rows[first]
        return Occurrences(rows, self.start[part], self.length[part], self.node[part])


@dataclass(frozen=True, eq=False)
class Phrases:
    """The phrases of a table in some captions, numbered from 0 on, and their paraphrases among them.

    Phrase occurrences of row r: `rows[r]:rows[r + 1]` of `start`, `length` and `number`, by start, then length.
    """

    rows: NDArray[np.int64]
    start: NDArray[np.int32]
    length: NDArray[np.int32]
    number: NDArray[np.int32]
    paraphrases: Ragged  # of a phrase, by length and then words
    sources: Ragged  # the phrases it is a paraphrase of

    @classmethod
    def none(cls, captions: int) -> Phrases:
        """Return no phrases at all, in this many captions."""
        empty = np.zeros(0, np.int32)
        nothing = Ragged(empty, np.zeros(1, np.int64))
        return cls(np.zeros(captions + 1, np.int64), empty, empty, empty, nothing, nothing)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ones(word: cython.ulonglong) -> cython.int:
    """Number of bits set."""
    word = word - ((word >> 1) & PAIRS)
    word = (word & NIBBLES) + ((word >> 2) & NIBBLES)
    word = (word + (word >> 4)) & BYTES
    return ((word * ONES) & WORD) >> 56


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _lowest(word: cython.ulonglong) -> cython.int:
    """Return the place of the lowest bit set."""
    return _ones((word & (~word + 1)) - 1)


@cython.final
@cython.cclass
class Trie:
    """A trie of words in arrays, nodes by depth and then by words.

    `labels` are the words of the nodes. `internal` has a bit for each node with children (`internal_rank`: such bits
    before each 64-bit word). Siblings are next to each other; the children of the root are group 0, those of the i-th
    node with children group i + 1. `eldest` has a bit for the first of each group and one after the last node;
    `eldest_of_16` is where groups 0, 16, 32, … begin. `roots` has for each word the node of the phrase that it is, -1
    if no phrase begins with it.
    """

    short_labels: cython.const[cython.ushort][::1]
    long_labels: cython.const[cython.uint][::1]
    short: cython.bint  # which of the two it has
    internal: cython.const[cython.ulonglong][::1]
    internal_rank: cython.const[cython.uint][::1]
    eldest: cython.const[cython.ulonglong][::1]
    eldest_of_16: cython.const[cython.uint][::1]
    roots: cython.const[cython.int][::1]

    def __init__(
        self,
        labels: Array,
        internal: Array,
        internal_rank: Array,
        eldest: Array,
        eldest_of_16: Array,
        roots: NDArray[np.int32],
    ) -> None:
        self.short = labels.dtype == np.uint16
        self.short_labels = ROWS.view(labels if self.short else np.zeros(1, np.uint16))
        self.long_labels = ROWS.view(np.zeros(1, np.uint32) if self.short else labels)
        self.internal, self.internal_rank = ROWS.view(internal), ROWS.view(internal_rank)
        self.eldest, self.eldest_of_16 = ROWS.view(eldest), ROWS.view(eldest_of_16)
        self.roots = ROWS.view(roots)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def root(self, word: cython.int) -> cython.Py_ssize_t:
        """Return the node of a phrase of one word, -1 if there is none."""
        return -1 if word < 0 else self.roots[word]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def label(self, node: cython.Py_ssize_t) -> cython.uint:
        return self.short_labels[node] if self.short else self.long_labels[node]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def child(self, node: cython.Py_ssize_t, word: cython.uint) -> cython.Py_ssize_t:
        """Return the child of a node with this word, -1 if there is none."""
        bits: cython.ulonglong = self.internal[node >> 6]
        bit: cython.ulonglong = ONE << (node & 63)
        if not bits & bit:
            return -1
        # The group of its children begins at the set bit of `eldest` with the group's number.
        group: cython.Py_ssize_t = 1 + self.internal_rank[node >> 6] + _ones(bits & (bit - 1))
        low: cython.Py_ssize_t = self.eldest_of_16[group >> 4]
        left: cython.int = group & 15
        block: cython.Py_ssize_t = low >> 6
        bits = (self.eldest[block] >> (low & 63)) << (low & 63)
        ones: cython.int = _ones(bits)
        while left >= ones:
            left -= ones
            block += 1
            bits = self.eldest[block]
            ones = _ones(bits)
        while left:
            bits &= bits - 1
            left -= 1
        low = (block << 6) + _lowest(bits)
        # It ends at the next set bit.
        bits &= bits - 1
        while not bits:
            block += 1
            bits = self.eldest[block]
        return self.search(low, (block << 6) + _lowest(bits), word)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def search(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, word: cython.uint) -> cython.Py_ssize_t:
        """Return the node with a word among siblings first … last - 1, -1 if there is none."""
        low: cython.Py_ssize_t = first
        high: cython.Py_ssize_t = last
        middle: cython.Py_ssize_t
        while low < high:
            middle = (low + high) >> 1
            if self.label(middle) < word:
                low = middle + 1
            else:
                high = middle
        return low if low < last and self.label(low) == word else -1


@cython.final
@cython.cclass
class Targets:
    """The paraphrases of the nodes of a trie.

    `source` has a bit for each node with paraphrases (`source_rank`: such bits before each 64-bit word): the i-th has
    its list at `ends[i]:ends[i + 1]` of `paraphrases`, as differences of node numbers, seven bits per byte.
    """

    source: cython.const[cython.ulonglong][::1]
    source_rank: cython.const[cython.uint][::1]
    ends: cython.const[cython.uint][::1]
    paraphrases: cython.const[cython.uchar][::1]

    def __init__(self, source: Array, source_rank: Array, ends: Array, paraphrases: Array) -> None:
        self.source, self.source_rank = ROWS.view(source), ROWS.view(source_rank)
        self.ends, self.paraphrases = ROWS.view(ends), ROWS.view(paraphrases)


@cython.final
@cython.cclass
class Finder:
    """Finds phrases in captions, in memory that it keeps from one call to the next; one thread at a time."""

    trie: Trie
    targets: Targets

    # Answers of `trie.child`, and 1 + the question of each; the next question that has its place overwrites it.
    asked: cython.ulonglong[::1]
    child_of: cython.int[::1]

    # Occurrences of phrases, as in `Occurrences`, in room for more.
    room: Any  # array [3, room]
    start: cython.int[::1]
    length: cython.int[::1]
    node: cython.int[::1]

    number_of: cython.int[::1]  # of a node: 1 + the number of its phrase; 0 between calls
    node_of: cython.int[::1]  # of a phrase
    different: cython.Py_ssize_t
    target: cython.int[::1]  # numbers of paraphrases, phrase by phrase
    most_targets: cython.Py_ssize_t  # for which there is room

    def __init__(self, trie: Trie, targets: Targets, nodes: int) -> None:
        self.trie, self.targets = trie, targets
        self.asked, self.child_of = ROWS.zeros(ANSWERS, np.uint64), ROWS.zeros(ANSWERS, np.int32)
        self.room = np.empty((3, 0), np.int32)
        self.number_of = ROWS.view(np.zeros(nodes, np.int32))
        self.most_targets = 4096
        self.target = ROWS.zeros(self.most_targets, np.int32)

    def find(self, captions: Ragged, longest: int) -> Occurrences:
        """Return every phrase of the trie, which has phrases of at most `longest` words."""
        row: cython.Py_ssize_t
        start: cython.Py_ssize_t
        at: cython.Py_ssize_t
        node: cython.Py_ssize_t
        end: cython.Py_ssize_t
        most = len(captions.values) * longest
        if most > self.room.shape[1]:
            self.room = np.empty((3, most), np.int32)
        self.start, self.length, self.node = (ROWS.view(each) for each in self.room)
        ends = np.zeros(len(captions) + 1, np.int64)
        words: cython.const[cython.int][::1] = ROWS.view(captions.values)
        offsets: cython.const[cython.longlong][::1] = ROWS.view(captions.offsets)
        row_ends: cython.longlong[::1] = ROWS.view(ends)
        found: cython.Py_ssize_t = 0
        with cython.nogil:
            for row in range(row_ends.shape[0] - 1):
                end = offsets[row + 1]
                for start in range(offsets[row], end):
                    at = start
                    node = self.trie.root(words[at])
                    while node >= 0:
                        at += 1
                        self.start[found] = start - offsets[row]
                        self.length[found] = at - start
                        self.node[found] = node
                        found += 1
                        node = -1 if at == end or words[at] < 0 else self._child(node, words[at])
                row_ends[row + 1] = found
        return Occurrences(ends, *(each[: ends[len(captions)]].copy() for each in self.room))

    def relate(self, occurrences: Occurrences) -> Phrases:
        """Return the phrases that occur, numbered in that order, and which of them are paraphrases of each other."""
        phrase: cython.Py_ssize_t
        number = np.empty(len(occurrences.node), np.int32)
        self.node_of = ROWS.view(np.empty(len(number), np.int32))
        self._number(ROWS.view(occurrences.node), ROWS.view(number))
        ends = np.zeros(self.different + 1, np.int64)
        done = 0
        while done < self.different:
            done = self._find_paraphrases(done, ROWS.view(ends))
            if done < self.different:
                full = self.target
                self.target = ROWS.zeros(2 * self.most_targets, np.int32)
                self.target[: self.most_targets] = full
                self.most_targets *= 2
        for phrase in range(self.different):
            self.number_of[self.node_of[phrase]] = 0
        targets = np.array(self.target[: ends[self.different]], np.int32)
        sources, source_ends = np.empty(len(targets), np.int32), np.zeros(self.different + 2, np.int64)
        self._turn_around(ROWS.view(targets), ROWS.view(ends), ROWS.view(sources), ROWS.view(source_ends))
        turned = Ragged(sources, source_ends[: self.different + 1])
        return Phrases(occurrences.rows, occurrences.start, occurrences.length, number, Ragged(targets, ends), turned)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _child(self, node: cython.ulonglong, word: cython.ulonglong) -> cython.Py_ssize_t:
        """Return the child of a node with this word, -1 if there is none: captions ask for the same ones again and
        again."""
        question: cython.ulonglong = (node << 32) + word + 1
        place: cython.Py_ssize_t = ((node * 31 + word) * MIX & WORD) >> (64 - ANSWER_BITS)
        if self.asked[place] != question:
            self.asked[place] = question
            self.child_of[place] = self.trie.child(node, word)
        return self.child_of[place]

    @cython.cfunc
    def _number(self, nodes: cython.const[cython.int][::1], number: cython.int[::1]) -> cython.void:
        """Numbers the phrases in the order they are found."""
        at: cython.Py_ssize_t
        node: cython.Py_ssize_t
        self.different = 0
        with cython.nogil:
            for at in range(nodes.shape[0]):
                node = nodes[at]
                if self.number_of[node] == 0:
                    self.node_of[self.different] = node
                    self.different += 1
                    self.number_of[node] = self.different
                number[at] = self.number_of[node] - 1

    @cython.cfunc
    def _find_paraphrases(self, phrase: cython.Py_ssize_t, ends: cython.longlong[::1]) -> cython.Py_ssize_t:
        """Write for each phrase from this one on the numbers of its paraphrases that were found as well, by length and
        then words; return the first phrase for which there was no room."""
        count: cython.Py_ssize_t
        with cython.nogil:
            while phrase < self.different:
                count = self._decode(self.node_of[phrase], ends[phrase])
                if count < 0:
                    break
                ends[phrase + 1] = count
                phrase += 1
        return phrase

    @cython.cfunc
    def _turn_around(
        self,
        targets: cython.const[cython.int][::1],
        ends: cython.const[cython.longlong][::1],
        sources: cython.int[::1],
        source_ends: cython.longlong[::1],
    ) -> cython.void:
        """From the targets of each phrase to the sources of each, in their order."""
        phrase: cython.Py_ssize_t
        at: cython.Py_ssize_t
        with cython.nogil:
            # One place further on, so that filling the rows moves each of their beginnings to where the next begins.
            for at in range(targets.shape[0]):
                source_ends[targets[at] + 2] += 1
            for phrase in range(2, source_ends.shape[0]):
                source_ends[phrase] += source_ends[phrase - 1]
            for phrase in range(source_ends.shape[0] - 2):
                for at in range(ends[phrase], ends[phrase + 1]):
                    sources[source_ends[targets[at] + 1]] = phrase
                    source_ends[targets[at] + 1] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(shift=cython.int, value=cython.longlong, byte=cython.longlong)
    def _decode(self, node: cython.longlong, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read the list of one node; return the number of paraphrases found up to its end, -1 if there may not be
        enough room for them."""
        bits: cython.ulonglong = self.targets.source[node >> 6]
        bit: cython.ulonglong = ONE << (node & 63)
        if not bits & bit:
            return count
        index: cython.Py_ssize_t = self.targets.source_rank[node >> 6] + _ones(bits & (bit - 1))
        at: cython.Py_ssize_t = self.targets.ends[index]
        end: cython.Py_ssize_t = self.targets.ends[index + 1]
        if count + end - at > self.most_targets:
            return -1
        target: cython.longlong = node
        first: cython.bint = True
        while at < end:
            value = 0
            shift = 0
            while self.targets.paraphrases[at] & 128:
                byte = self.targets.paraphrases[at] & 127
                value |= byte << shift
                shift += 7
                at += 1
            byte = self.targets.paraphrases[at]
            value |= byte << shift
            at += 1
            if first:  # the first lies on either side of the source: sign in the lowest bit
                value = -(value >> 1) - 1 if value & 1 else value >> 1
                first = False
            target += value
            if self.number_of[target] != 0:
                self.target[count] = self.number_of[target] - 1
                count += 1
        return count
