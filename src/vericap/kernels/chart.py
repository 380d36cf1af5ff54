"""The best trees of sentences under a probabilistic context-free grammar with binary and unary rules: an exhaustive
search (CKY) in 32-bit floats, for several sentences at once.

A grammar made for search has real states (tags and phrases) and synthetic ones (parts of phrases); of the two children
of a binary rule one is synthetic. A chart row belongs to a start and a state. It holds a number for each end and each
sentence of the batch, the last end first, -inf where there is nothing; rows of all starts begin at the same end, so
that a rule adds a row to a number, and takes the maximum with another row, without looking at ends and sentences.
Starts are taken from right to left and ends from left to right. When a span is complete, its items are pushed: a left
child with all rows of right children that start where it ends.

Sums are (rule + left) + right, each rounded to a float, so all orders of work and all batches give the same bits.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)

ABSENT = cython.declare(cython.float, -np.inf)
CLOSE = -1  # in a tree: the end of the phrase that was opened last
# Ends are counted from the right. The entry of a row is where its end 0 lies (or would lie) in `scores`, and its first
# end with a number times 2¹⁶ plus its last plus 1, or 0 if there is no row.


@cython.final
@cython.cclass
class Chart:
    """A grammar, and the chart of one batch. Not to be shared by threads.

    States from `real` on are synthetic; states without rules are tags. Rules are grouped by one of their states, whose
    rules are `start[state]:start[state + 1]`; two states are given as one number, 2¹⁶ · first + second. Binary rules
    are given twice: `by_left` (start, parent and right child, score) by their left child, `by_parent` (start, left and
    right child, score) by their parent. `closed` (children in the order in which they are taken, start, parent, score)
    are the chains of unary rules, `unary` (start, child, score) the rules by their parent.
    """

    states: cython.Py_ssize_t
    real: cython.Py_ssize_t
    rule_start: cython.const[cython.int][::1]
    rule_pair: cython.const[cython.uint][::1]
    rule_score: cython.const[cython.float][::1]
    parent_start: cython.const[cython.int][::1]
    parent_pair: cython.const[cython.uint][::1]
    parent_score: cython.const[cython.float][::1]
    closed_child: cython.const[cython.int][::1]
    closed_start: cython.const[cython.int][::1]
    closed_parent: cython.const[cython.int][::1]
    closed_score: cython.const[cython.float][::1]
    unary_start: cython.const[cython.int][::1]
    unary_child: cython.const[cython.int][::1]
    unary_score: cython.const[cython.float][::1]
    # The batch: words of the longest sentence, and its sentences.
    words: cython.Py_ssize_t
    lanes: cython.Py_ssize_t
    entries: cython.int[::1]  # of the row of each start and state
    scores: cython.float[::1]
    used: cython.Py_ssize_t
    left: cython.float[::1]  # the left child's number of each sentence, for each end
    stack: cython.int[::1]

    def __init__(self, real: int, by_left: Any, by_parent: Any, closed: Any, unary: Any) -> None:
        view = ROWS.view
        self.rule_start, self.rule_pair, self.rule_score = map(view, by_left)
        self.parent_start, self.parent_pair, self.parent_score = map(view, by_parent)
        self.closed_child, self.closed_start, self.closed_parent, self.closed_score = map(view, closed)
        self.unary_start, self.unary_child, self.unary_score = map(view, unary)
        self.real, self.states = real, len(self.rule_start) - 1
        self.left = self.scores = view(np.zeros(1, np.float32))
        self.entries = ROWS.zeros(1, np.int32)

    def fill(
        self, words: int, lanes: int, start: NDArray[np.int32], tags: NDArray[np.int32], scores: NDArray[np.float32]
    ) -> None:
        """Compute the chart of a batch of `lanes` sentences of up to so many `words`.

        The tags of word w of sentence s, and their scores, are `start[w * lanes + s]:start[w * lanes + s + 1]`; a word
        behind the end of a sentence has none.
        """
        self.words, self.lanes = words, lanes
        size = self.states * lanes * words * (words + 1) // 2
        # Room for all rows that there can be: what is not written takes no memory.
        if size > len(self.scores):
            self.scores = ROWS.view(np.zeros(1, np.float32))
            self.scores = ROWS.view(np.empty(size, np.float32))
        if words * lanes > len(self.left):
            self.left = ROWS.view(np.zeros(words * lanes, np.float32))
        if 2 * words * self.states > len(self.entries):
            self.entries = ROWS.zeros(2 * words * self.states, np.int32)
        tag_start: cython.const[cython.int][::1] = ROWS.view(start)
        tag: cython.const[cython.int][::1] = ROWS.view(tags)
        tag_score: cython.const[cython.float][::1] = ROWS.view(scores)
        with cython.nogil:
            self._fill(tag_start, tag, tag_score)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill(
        self,
        tag_start: cython.const[cython.int][::1],
        tags: cython.const[cython.int][::1],
        tag_scores: cython.const[cython.float][::1],
    ) -> cython.void:
        n: cython.Py_ssize_t = self.words
        lanes: cython.Py_ssize_t = self.lanes
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t
        lane: cython.Py_ssize_t
        t: cython.Py_ssize_t
        at: cython.Py_ssize_t
        entry: cython.Py_ssize_t
        end: cython.int
        self.used = 0
        for at in range(n * self.states * 2):
            self.entries[at] = 0
        for first in range(n - 1, -1, -1):
            end = n - first - 1
            for lane in range(lanes):
                for t in range(tag_start[first * lanes + lane], tag_start[first * lanes + lane + 1]):
                    entry = (first * self.states + tags[t]) * 2
                    # A tag is never a parent: its row has one word's end alone.
                    self._open(entry, end, end, end, end)
                    self.scores[self.entries[entry] + end * lanes + lane] = tag_scores[t]
            for last in range(first + 1, n + 1):
                self._apply_unaries(first, n - last)
                if last < n:
                    self._push(first, last)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _open(
        self, entry: cython.Py_ssize_t, low: cython.int, high: cython.int, first: cython.int, last: cython.int
    ) -> cython.void:
        """Note that a row has numbers at ends `low` to `high`; a new row gets ends `first` to `last`."""
        extent: cython.int = self.entries[entry + 1]
        x: cython.Py_ssize_t
        if extent == 0:
            self.entries[entry] = self.used - first * self.lanes
            self.entries[entry + 1] = (low << 16) + high + 1
            for x in range(self.used, self.used + (last + 1 - first) * self.lanes):
                self.scores[x] = ABSENT
            self.used += (last + 1 - first) * self.lanes
        elif low < (extent >> 16) or high >= (extent & 65535):
            low = min(low, extent >> 16)
            high = max(high + 1, extent & 65535)
            self.entries[entry + 1] = (low << 16) + high

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_at(self, entry: cython.Py_ssize_t, end: cython.int) -> cython.bint:
        """Return whether a row has a number of any sentence at an end."""
        extent: cython.int = self.entries[entry + 1]
        start: cython.Py_ssize_t
        x: cython.Py_ssize_t
        if end < (extent >> 16) or end >= (extent & 65535):
            return False
        start = self.entries[entry] + end * self.lanes
        for x in range(start, start + self.lanes):
            if self.scores[x] > ABSENT:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _apply_unaries(self, first: cython.Py_ssize_t, end: cython.int) -> cython.void:
        """Raise parents of unary chains, in place: a state that was raised passes its new number on."""
        child: cython.Py_ssize_t
        rule: cython.Py_ssize_t
        entry: cython.Py_ssize_t
        parent: cython.Py_ssize_t
        into: cython.Py_ssize_t
        given: cython.Py_ssize_t
        x: cython.Py_ssize_t
        score: cython.float
        value: cython.float
        for child in range(len(self.closed_child)):
            entry = (first * self.states + self.closed_child[child]) * 2
            if not self._is_at(entry, end):
                continue
            given = self.entries[entry] + end * self.lanes
            for rule in range(self.closed_start[child], self.closed_start[child + 1]):
                parent = (first * self.states + self.closed_parent[rule]) * 2
                self._open(parent, end, end, 0, end)
                into = self.entries[parent] + end * self.lanes
                score = self.closed_score[rule]
                for x in range(self.lanes):
                    value = self.scores[given + x] + score
                    self.scores[into + x] = value if value > self.scores[into + x] else self.scores[into + x]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _push(self, first: cython.Py_ssize_t, cut: cython.Py_ssize_t) -> cython.void:
        """Combine the items of a complete span with all rows that start where it ends."""
        end: cython.int = self.words - cut
        here: cython.Py_ssize_t = first * self.states
        there: cython.Py_ssize_t = cut * self.states
        state: cython.Py_ssize_t
        rule: cython.Py_ssize_t
        parent: cython.Py_ssize_t
        right: cython.Py_ssize_t
        given: cython.Py_ssize_t
        copy: cython.Py_ssize_t
        x: cython.Py_ssize_t
        low: cython.int
        high: cython.int
        extent: cython.int
        for state in range(self.states):
            if self.rule_start[state] == self.rule_start[state + 1] or not self._is_at((here + state) * 2, end):
                continue
            given = self.entries[(here + state) * 2] + end * self.lanes
            for copy in range(end):
                for x in range(self.lanes):
                    self.left[copy * self.lanes + x] = self.scores[given + x]
            for rule in range(self.rule_start[state], self.rule_start[state + 1]):
                right = (there + (self.rule_pair[rule] & 65535)) * 2
                extent = self.entries[right + 1]
                if extent > 0:
                    low, high = extent >> 16, extent & 65535
                    parent = (here + (self.rule_pair[rule] >> 16)) * 2
                    self._open(parent, low, high - 1, 0, end - 1)
                    self._combine(
                        self.entries[parent] + low * self.lanes,
                        self.entries[right] + low * self.lanes,
                        (high - low) * self.lanes,
                        self.rule_score[rule],
                    )

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _combine(
        self, into: cython.Py_ssize_t, right: cython.Py_ssize_t, size: cython.Py_ssize_t, rule: cython.float
    ) -> cython.void:
        """Take the maximum of a parent's numbers and (rule + left) + right."""
        value: cython.float
        x: cython.Py_ssize_t
        if cython.compiled:
            for x in range(size):
                value = (rule + self.left[x]) + self.scores[right + x]
                self.scores[into + x] = value if value > self.scores[into + x] else self.scores[into + x]
        else:
            parents = np.asarray(self.scores[into : into + size])
            sums = np.float32(rule) + np.asarray(self.left[:size]) + np.asarray(self.scores[right : right + size])
            np.maximum(parents, sums, out=parents)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _score(
        self, first: cython.Py_ssize_t, state: cython.Py_ssize_t, last: cython.Py_ssize_t, lane: cython.Py_ssize_t
    ) -> cython.float:
        """Return the number of a state over a span, -inf if it has none."""
        entry: cython.Py_ssize_t = (first * self.states + state) * 2
        extent: cython.int = self.entries[entry + 1]
        end: cython.int = self.words - last
        if end < (extent >> 16) or end >= (extent & 65535):
            return ABSENT
        return self.scores[self.entries[entry] + end * self.lanes + lane]

    def score(self, lane: int, state: int, last: int) -> float:
        """Return the score of a state over the first `last` words of a sentence, -inf if it is not possible."""
        return float(self._score(0, state, last, lane))

    def read_tree(self, lane: int, state: int, last: int) -> list[int]:
        """Return the best tree of a state over the first `last` words of a sentence, without its synthetic states: a
        state opens a phrase, `CLOSE` ends it; tags have no end."""
        size = 3 * (2 * last + 8) * 8
        self.stack = ROWS.zeros(size, np.int32)
        self.stack[0], self.stack[1], self.stack[2] = state, 0, last
        found: list[int] = []
        top: cython.Py_ssize_t = 3
        steps: cython.Py_ssize_t = 0
        node: cython.Py_ssize_t
        first: cython.Py_ssize_t
        end: cython.Py_ssize_t
        while top > 0:
            steps += 1
            if steps > 100 * (last + 1) or top + 9 > size:
                raise ValueError("unary rules of the grammar go in circles")
            top -= 3
            node, first, end = self.stack[top], self.stack[top + 1], self.stack[top + 2]
            if node < self.real:
                found.append(node)
            if node < 0 or (
                self.parent_start[node] == self.parent_start[node + 1]
                and self.unary_start[node] == self.unary_start[node + 1]
            ):
                continue
            if node < self.real:
                self.stack[top] = -1
                top += 3
            top += self._choose(node, first, end, lane, top)
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(
        self,
        state: cython.Py_ssize_t,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        lane: cython.Py_ssize_t,
        top: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Put the best children of a state over a span on the stack, and return their size there. Of equal ones the
        first wins, by the place of the cut, then by the order of rules; sums are doubles."""
        best: cython.double = ABSENT
        value: cython.double
        left: cython.double
        cut: cython.Py_ssize_t
        best_cut: cython.Py_ssize_t = 0
        best_rule: cython.Py_ssize_t = -1
        rule: cython.Py_ssize_t
        child: cython.Py_ssize_t
        for rule in range(self.parent_start[state], self.parent_start[state + 1]):
            child = self.parent_pair[rule] >> 16
            if self.entries[(first * self.states + child) * 2 + 1] == 0:
                continue
            for cut in range(first + 1, last):
                left = self._score(first, child, cut, lane)
                if left > ABSENT:
                    value = cython.cast(cython.double, self.parent_score[rule]) + left
                    value += self._score(cut, self.parent_pair[rule] & 65535, last, lane)
                    if value > best or (value == best and value > ABSENT and cut < best_cut):
                        best, best_cut, best_rule = value, cut, rule
        for rule in range(self.unary_start[state], self.unary_start[state + 1]):
            value = cython.cast(cython.double, self.unary_score[rule])
            value += self._score(first, self.unary_child[rule], last, lane)
            if value > best:
                best, best_cut, best_rule = value, 0, rule
        if best_rule < 0:
            return 0
        if best_cut == 0:
            self.stack[top], self.stack[top + 1], self.stack[top + 2] = self.unary_child[best_rule], first, last
            return 3
        self.stack[top] = self.parent_pair[best_rule] & 65535
        self.stack[top + 1], self.stack[top + 2] = best_cut, last
        self.stack[top + 3] = self.parent_pair[best_rule] >> 16
        self.stack[top + 4], self.stack[top + 5] = first, best_cut
        return 6
