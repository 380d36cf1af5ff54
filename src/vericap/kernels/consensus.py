"""N-grams that captions share with their references, weighted by tf-idf (Vedantam et al. 2015), one caption after the
other in memory taken once: a batch of rewards has too few captions for operations on whole arrays to pay.

An n-gram of the caption at hand has a number, in the order of appearance; it is found by its first words (the number
of a shorter n-gram, or -1) and its last word. Document frequencies are a trie of numbered nodes, the first `roots` of
which are the words themselves. The others lie in a hash table of four numbers a slot: node + 1 (0: nothing is here),
its parent, its last word, and the place of its idf in `weights`; `root_weight` has that place for the words. The hash
is of the words, not of the parent's number, so that a processor can fetch several slots at once.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)

SPREAD = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # odd, with bits everywhere
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
HASH_SHIFT = cython.declare(cython.int, 24)  # the higher bits of a product depend on all lower ones
ENTRY = 4  # numbers a slot


def _longest(offsets: NDArray[np.int64]) -> int:
    return int((offsets[1:] - offsets[:-1]).max(initial=0))


def trie_table(
    parent: NDArray[np.int32], word: NDArray[np.int32], weight: NDArray[np.int32], roots: cython.Py_ssize_t
) -> Any:
    """The hash table of a trie's nodes, given with parents before children, array [4 × slots] of int32.

    >>> table = trie_table(np.array([-1, -1, 0], np.int32), np.array([0, 1, 1], np.int32), np.zeros(3, np.int32), 2)
    >>> len(table), sorted(table.tolist())[-1]  # node 2, the only one that is not a word
    (8, 3)
    """
    node: cython.int
    before: cython.ulonglong
    slot: cython.ulonglong
    nodes: cython.Py_ssize_t = len(parent)
    # at least a quarter of the slots stays empty, and often half
    slots = 1 << max((nodes - roots) * 4 // 3, 1).bit_length()
    found = np.zeros(ENTRY * slots, np.int32)
    parents: cython.const[cython.int][::1] = ROWS.copy(parent, np.int32)
    words: cython.const[cython.int][::1] = ROWS.copy(word, np.int32)
    weights: cython.const[cython.int][::1] = ROWS.copy(weight, np.int32)
    hashes: cython.ulonglong[::1] = ROWS.zeros(nodes, np.uint64)
    table: cython.int[::1] = ROWS.view(found)
    mask: cython.ulonglong = slots - 1
    for node in range(nodes):
        before = hashes[parents[node]] if parents[node] >= 0 else 0
        hashes[node] = ((before + words[node] + 1) * SPREAD) & WORD
        if node < roots:
            continue
        slot = (hashes[node] >> HASH_SHIFT) & mask
        while table[4 * slot] != 0:
            slot = (slot + 1) & mask
        table[4 * slot] = node + 1
        table[4 * slot + 1] = parents[node]
        table[4 * slot + 2] = words[node]
        table[4 * slot + 3] = weights[node]
    return found


@cython.final
@cython.cclass
class NGramMatcher:
    """Counts the n-grams of orders 1 … `order` in captions and finds them in references.

    >>> matcher = NGramMatcher(np.zeros(4, np.int32), np.array([0, 1], np.int32), np.array([0.5, 1.0]), 1, 2.0)
    >>> matcher.squared_norms(np.array([0, 1, 1], np.int32), np.array([0, 3])).tolist()  # 0.5² + (2 · 1)²
    [[4.25]]
    """

    table: cython.const[cython.int][::1]
    table_mask: cython.ulonglong
    root_weight: cython.const[cython.int][::1]
    weights: cython.const[cython.double][::1]
    roots: cython.int
    order: cython.int
    unknown: cython.double  # idf of an n-gram that the trie does not hold
    fetched: cython.int  # unused: it keeps the compiler from removing `_fetch`

    slots: cython.int[::1]  # number of an n-gram + 1; 0 is empty
    mask: cython.ulonglong
    room: cython.Py_ssize_t
    known: cython.int
    parent: cython.int[::1]
    token: cython.int[::1]
    length: cython.int[::1]
    node: cython.int[::1]
    slot: cython.int[::1]
    times: cython.int[::1]  # in the caption
    seen: cython.int[::1]  # in the reference at hand
    best: cython.int[::1]  # clipped count in the reference with most
    touched: cython.int[::1]
    weight: cython.double[::1]

    def __init__(
        self,
        table: NDArray[np.int32],
        root_weight: NDArray[np.int32],
        weights: NDArray[np.float64],
        order: int,
        unknown: float,
    ) -> None:
        self.table, self.root_weight, self.weights = ROWS.view(table), ROWS.view(root_weight), ROWS.view(weights)
        self.table_mask = len(table) // ENTRY - 1
        self.roots, self.order, self.unknown = len(root_weight), order, unknown
        self.known = 0
        self.room = 0
        self.fetched = 0

    def squared_norms(self, values: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
        """Σ (tf · idf)² of each order, array [captions, order]."""
        row: cython.Py_ssize_t
        self.make_room(_longest(offsets))
        rows: cython.Py_ssize_t = len(offsets) - 1
        found = np.zeros(rows * self.order)
        words: cython.const[cython.int][::1] = ROWS.copy(values, np.int32)
        ends: cython.const[cython.longlong][::1] = ROWS.copy(offsets, np.int64)
        norms: cython.double[::1] = ROWS.view(found)
        with cython.nogil:
            for row in range(rows):
                self._take(words, ends[row], ends[row + 1])
                self._add_squares(norms, row * self.order)
                self._forget()
        return found.reshape(rows, self.order)

    def match(
        self,
        samples: tuple[NDArray[np.int32], NDArray[np.int64]],
        references: tuple[NDArray[np.int32], NDArray[np.int64]],
        pairs: tuple[NDArray[np.int64], NDArray[np.int64]],
    ) -> dict[str, NDArray[np.float64]]:
        """Return the matches that metrics of n-grams use. Captions are ragged columns, `pairs` the references of each
        sample.

        Of each pair: `dot`, Σ tf · idf · tf_ref · idf, and `clipped`, the same with tf at most tf_ref, [pairs, order];
        `repetition`, Σ log f over the distinct words of the sample, where f = 1 / (1 + |tf − tf_ref|) for a word that
        the reference has, else 1 / tf, [pairs]. Of each sample: `norm`, ‖tf · idf‖, and `matches`, n-grams that a
        reference has, each counted at most as often as in the reference with most, [samples, order]; `distinct`
        words [samples].
        """
        row: cython.Py_ssize_t
        pair: cython.Py_ssize_t
        reference: cython.Py_ssize_t
        i: cython.int
        rows: cython.Py_ssize_t
        found: cython.int
        repeated: cython.double
        longest = max(_longest(samples[1]), _longest(references[1]))
        self.make_room(longest)
        rows, count, order = len(samples[1]) - 1, len(pairs[0]), self.order
        dots, clips, repetitions = np.zeros(count * order), np.zeros(count * order), np.zeros(count)
        squares, most, words = np.zeros(rows * order), np.zeros(rows * order), np.zeros(rows)
        values: cython.const[cython.int][::1] = ROWS.copy(samples[0], np.int32)
        offsets: cython.const[cython.longlong][::1] = ROWS.copy(samples[1], np.int64)
        reference_values: cython.const[cython.int][::1] = ROWS.copy(references[0], np.int32)
        reference_offsets: cython.const[cython.longlong][::1] = ROWS.copy(references[1], np.int64)
        pair_reference: cython.const[cython.longlong][::1] = ROWS.copy(pairs[0], np.int64)
        pair_offsets: cython.const[cython.longlong][::1] = ROWS.copy(pairs[1], np.int64)
        logarithms: cython.const[cython.double][::1] = ROWS.copy(np.log(np.arange(1, longest + 3)), np.float64)
        dot: cython.double[::1] = ROWS.view(dots)
        clipped: cython.double[::1] = ROWS.view(clips)
        repetition: cython.double[::1] = ROWS.view(repetitions)
        norms: cython.double[::1] = ROWS.view(squares)
        matches: cython.double[::1] = ROWS.view(most)
        distinct: cython.double[::1] = ROWS.view(words)
        with cython.nogil:
            for row in range(rows):
                if cython.compiled:
                    self._fetch(values, offsets[row], offsets[row + 1])
                self._take(values, offsets[row], offsets[row + 1])
                self._add_squares(norms, row * self.order)
                repeated = 0.0
                for i in range(self.known):
                    if self.length[i] == 1:
                        distinct[row] += 1
                        repeated -= logarithms[self.times[i] - 1]
                for pair in range(pair_offsets[row], pair_offsets[row + 1]):
                    reference = pair_reference[pair]
                    found = self._see(reference_values, reference_offsets[reference], reference_offsets[reference + 1])
                    repetition[pair] = repeated
                    self._compare(found, pair, logarithms, dot, clipped, repetition)
                for i in range(self.known):
                    matches[row * self.order + self.length[i] - 1] += self.best[i]
                self._forget()
        return {
            "dot": dots.reshape(count, order),
            "clipped": clips.reshape(count, order),
            "norm": np.sqrt(squares).reshape(rows, order),
            "matches": most.reshape(rows, order),
            "repetition": repetitions,
            "distinct": words,
        }

    def make_room(self, words: int) -> None:
        """Make room for captions of this many words."""
        room = max(words * self.order, 1)
        if room <= self.room:
            return
        self.room = room
        slots = 1 << (2 * room).bit_length()
        self.slots = ROWS.zeros(slots, np.int32)
        self.mask = slots - 1
        self.parent, self.token, self.length = (ROWS.zeros(room, np.int32) for _ in range(3))
        self.node, self.slot, self.times = (ROWS.zeros(room, np.int32) for _ in range(3))
        self.seen, self.best, self.touched = (ROWS.zeros(room, np.int32) for _ in range(3))
        self.weight = ROWS.zeros(room, np.float64)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(at=cython.int, i=cython.int, tf=cython.int, reference_tf=cython.int, least=cython.int)
    @cython.locals(place=cython.Py_ssize_t, weight=cython.double)
    def _compare(
        self,
        found: cython.int,
        pair: cython.Py_ssize_t,
        logarithms: cython.const[cython.double][::1],
        dot: cython.double[::1],
        clipped: cython.double[::1],
        repetition: cython.double[::1],
    ) -> cython.void:
        """Adds up what the caption shares with the reference at hand: the first `found` n-grams of `touched`."""
        for at in range(found):
            i = self.touched[at]
            tf, reference_tf, weight = self.times[i], self.seen[i], self.weight[i]
            least = tf if tf < reference_tf else reference_tf
            place = pair * self.order + self.length[i] - 1
            dot[place] += tf * weight * (reference_tf * weight)
            clipped[place] += least * weight * (reference_tf * weight)
            if self.length[i] == 1:
                # log tf − log(1 + |tf − tf_ref|) on top of − log tf
                repetition[pair] += (
                    logarithms[tf - 1] - logarithms[tf - reference_tf if tf > reference_tf else reference_tf - tf]
                )
            if least > self.best[i]:
                self.best[i] = least
            self.seen[i] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_squares(self, norms: cython.double[::1], start: cython.Py_ssize_t) -> cython.void:
        i: cython.int
        weight: cython.double
        for i in range(self.known):
            weight = self.times[i] * self.weight[i]
            norms[start + self.length[i] - 1] += weight * weight

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(at=cython.Py_ssize_t, last=cython.Py_ssize_t, hashed=cython.ulonglong)
    def _fetch(
        self, values: cython.const[cython.int][::1], start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.void:
        """Reads the slots where the n-grams of a caption would be. The table is far larger than a processor's cache;
        here no read waits for another, so that the memory answers several at a time."""
        read: cython.int = 0
        for at in range(start, end):
            hashed = ((values[at] + 1) * SPREAD) & WORD
            last = at + 1
            while last < end and last - at < self.order:
                hashed = ((hashed + values[last] + 1) * SPREAD) & WORD
                read |= self.table[4 * ((hashed >> HASH_SHIFT) & self.table_mask)]
                last += 1
        self.fetched = read

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(at=cython.Py_ssize_t, last=cython.Py_ssize_t, i=cython.int, hashed=cython.ulonglong)
    def _take(
        self, values: cython.const[cython.int][::1], start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.void:
        """The n-grams of a caption, with their counts and weights."""
        for at in range(start, end):
            i = -1
            hashed = 0
            last = at
            while last < end and last - at < self.order:
                hashed = ((hashed + values[last] + 1) * SPREAD) & WORD
                i = self._add(i, values[last], hashed)
                self.times[i] += 1
                last += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(at=cython.Py_ssize_t, last=cython.Py_ssize_t, i=cython.int, hashed=cython.ulonglong)
    def _see(
        self, values: cython.const[cython.int][::1], start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.int:
        """Counts the caption's n-grams in a reference; gives how many there are, listed in `touched`."""
        found: cython.int = 0
        for at in range(start, end):
            i = -1
            hashed = 0
            last = at
            while last < end and last - at < self.order:
                hashed = ((hashed + values[last] + 1) * SPREAD) & WORD
                i = self.slots[self._find(i, values[last], hashed)] - 1
                if i < 0:
                    break  # what begins with an n-gram that the caption does not have is not in it either
                if self.seen[i] == 0:
                    self.touched[found] = i
                    found += 1
                self.seen[i] += 1
                last += 1
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _find(self, parent: cython.int, token: cython.int, hashed: cython.ulonglong) -> cython.ulonglong:
        """The slot of an n-gram of the caption, or the empty one where it would be."""
        i: cython.int
        slot: cython.ulonglong = (hashed >> HASH_SHIFT) & self.mask
        while True:
            i = self.slots[slot] - 1
            if i < 0 or (self.parent[i] == parent and self.token[i] == token):
                return slot
            slot = (slot + 1) & self.mask

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(self, parent: cython.int, token: cython.int, hashed: cython.ulonglong) -> cython.int:
        """The number of an n-gram of the caption; a new one gets its weight."""
        slot: cython.ulonglong = self._find(parent, token, hashed)
        i: cython.int = self.slots[slot] - 1
        if i >= 0:
            return i
        i = self.known
        self.known += 1
        self.slots[slot] = i + 1
        self.slot[i] = slot
        self.parent[i] = parent
        self.token[i] = token
        if parent < 0:
            self.length[i] = 1
            self.node[i] = token if token < self.roots else -1
            self.weight[i] = self.weights[self.root_weight[token]] if token < self.roots else self.unknown
        else:
            self.length[i] = self.length[parent] + 1
            self._look_up(i, self.node[parent], token, hashed)
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look_up(self, i: cython.int, parent: cython.int, token: cython.int, hashed: cython.ulonglong) -> cython.void:
        """The node and the weight of n-gram i, whose first words are the node `parent` of the trie, or -1."""
        slot: cython.ulonglong
        self.node[i] = -1
        self.weight[i] = self.unknown
        if parent < 0 or token >= self.roots:
            return
        slot = (hashed >> HASH_SHIFT) & self.table_mask
        while self.table[4 * slot] != 0:
            if self.table[4 * slot + 2] == token and self.table[4 * slot + 1] == parent:
                self.node[i] = self.table[4 * slot] - 1
                self.weight[i] = self.weights[self.table[4 * slot + 3]]
                return
            slot = (slot + 1) & self.table_mask

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _forget(self) -> cython.void:
        """Empties the slots for the next caption."""
        i: cython.int
        for i in range(self.known):
            self.slots[self.slot[i]] = 0
            self.times[i] = 0
            self.best[i] = 0
        self.known = 0
