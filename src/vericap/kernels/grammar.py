"""The best tree of a sentence under a weighted grammar of tags and relations, by dynamic programming over spans.

The parser that SPICE uses is an unlexicalised grammar of phrases: its tree of a caption depends on tags, on a few
function words and on how phrases nest, and not on how far apart words are. This grammar is of the same kind, told in
dependencies (a split head-automaton grammar, Eisner 1997): every word has a state - tag, relation, the class of its
governor's tag, and whether a determiner, subject or auxiliary comes before it - and gives its dependents outward on
either side, each knowing its nearest sibling. Scores from outside, of tags, arcs and relations, are added.
"""

from __future__ import annotations

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)

ENTRIES = cython.declare(cython.Py_ssize_t, 12)  # siblings remembered in a cell
NONE = cython.declare(cython.Py_ssize_t, 62)  # no sibling yet
ROOT = cython.declare(cython.Py_ssize_t, 63 << 20)  # the root's governor, as `_packed` has words: with a tag of its own
ROOT_CLASS = cython.declare(cython.Py_ssize_t, 3)
LEFT = cython.declare(cython.Py_ssize_t, 0)
RIGHT = cython.declare(cython.Py_ssize_t, 1)
LOW = cython.declare(cython.double, -1e30)
NEVER = -1e9  # the score of what is not a candidate
_CANDIDATE = cython.declare(cython.double, -1e8)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _slot(high: cython.Py_ssize_t, low: cython.Py_ssize_t, mask: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the place of a feature's weight; both numbers are under 2³¹, so nothing overflows."""
    mixed: cython.Py_ssize_t = low * 1640531527 + high * 1215752137
    mixed = mixed ^ (mixed >> 23)
    return (mixed >> 9) & mask


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _packed(
    tag: cython.Py_ssize_t, relation: cython.Py_ssize_t, mark: cython.Py_ssize_t, word: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return a word as features see it, in bits: 6 for its tag, 6 for its relation and 4 for its mark, which are its
    state, and 10 for the function word that it is."""
    return (tag << 20) | (relation << 14) | (mark << 10) | word


@cython.final
@cython.cclass
class Grammar:
    """Weights, and the tables of one sentence. Not to be shared by threads: each takes its own, on the same weights.

    `weights`: a power of two of them, found by hashing; float32, or int16, which stay in the processor's cache and
    cannot be trained. `tag_class[t]`: 0 to 3, the class of a tag as
    governor. `marks[r]`: 1 if a left dependent of this relation marks its governor. `siblings[t, r]`: the class, under
    62, of a word with this tag and relation as a sibling. `states[t, r]`: bit 4 c is set if tag t with relation r was
    seen below a governor of class c. `arcs[governor's tag, side, tag, relation]`: 1 if seen.
    """

    weights: cython.float[::1]
    small: cython.const[cython.short][::1]
    is_small: cython.bint  # which of the two it has
    mask: cython.Py_ssize_t
    tag_class: cython.int[::1]
    marks: cython.int[::1]
    siblings: cython.int[:, ::1]
    states: cython.int[:, ::1]
    arcs: cython.uchar[:, :, :, ::1]
    # The sentence.
    n: cython.Py_ssize_t
    tag_scores: cython.double[:, ::1]
    arc_heads: cython.int[::1]
    arc_start: cython.int[::1]
    arc_scores: cython.double[::1]
    label_scores: cython.double[:, ::1]
    closed: cython.int[::1]
    words: cython.int[::1]
    # States of words: those of word i are start[i] … start[i + 1].
    start: cython.int[::1]
    tag: cython.int[::1]
    relation: cython.int[::1]
    mark: cython.int[::1]
    packed: cython.int[::1]  # all three and the word; see `_packed`
    base: cython.double[::1]
    arc_of: cython.int[:, ::1]
    possible: cython.int[:, ::1]  # of each word and relation the classes of governors, as bits
    markable: cython.int[::1]  # whether something may come before a word that marks it
    # Cells, one for each side, head, state of the head and far end: entries that may grow, and the closed best.
    cells: cython.Py_ssize_t
    count: cython.int[::1]
    key: cython.int[::1]
    value: cython.double[::1]
    dependent: cython.int[::1]
    dependent_state: cython.int[::1]
    closed_value: cython.double[::1]
    closed_entry: cython.int[::1]
    # Arcs just made, one for each arc, state of the head, state of the dependent and whether the head is marked.
    arc_offset: cython.int[::1]
    arc_value: cython.double[::1]
    arc_cut: cython.int[::1]
    arc_entry: cython.int[::1]
    # Of each arc the pairs of states that it can be made of: of the head, of the dependent, and their place above.
    live_count: cython.int[::1]
    live_head: cython.int[::1]
    live_dependent: cython.int[::1]
    live_place: cython.int[::1]
    stamp: cython.int  # of the pair of states for which events are known
    event_known: cython.int[::1]
    event_value: cython.double[::1]
    # Of each state, side and sibling what it costs to take no more, where that is known.
    stop_known: cython.uchar[::1]
    stop_value: cython.double[::1]
    # Half-spans that remain to be read.
    stack_side: cython.int[::1]
    stack_head: cython.int[::1]
    stack_end: cython.int[::1]
    stack_state: cython.int[::1]
    top: cython.Py_ssize_t

    def __init__(
        self,
        weights: NDArray[np.float32] | NDArray[np.int16],
        tag_class: NDArray[np.int32],
        marks: NDArray[np.int32],
        siblings: NDArray[np.int32],
        states: NDArray[np.int32],
        arcs: NDArray[np.uint8],
    ) -> None:
        self.is_small = weights.dtype == np.int16
        self.mask = len(weights) - 1
        self.small = ROWS.view(weights if self.is_small else np.zeros(1, np.int16))
        self.weights = ROWS.view(np.zeros(1, np.float32) if self.is_small else weights)
        self.tag_class, self.marks = ROWS.view(tag_class), ROWS.view(marks)
        self.siblings, self.states, self.arcs = ROWS.view(siblings), ROWS.view(states), ROWS.view(arcs)
        self.stamp = 0
        self.event_known = ROWS.zeros(64, np.int32)
        self.event_value = ROWS.zeros(64, np.float64)
        self.stop_value, self.stop_known = ROWS.zeros(1, np.float64), ROWS.zeros(1, np.uint8)
        self._grow(4096)
        self._grow_states(4096)
        self._grow_arcs(4096)
        self._grow_words(64, 64)
        self._grow_candidates(512)

    def _grow(self, cells: int) -> None:
        """Make room for this many cells, only if there is too little: new memory costs more than the search."""
        self.count = ROWS.zeros(cells, np.int32)
        self.key, self.dependent, self.dependent_state = (ROWS.zeros(cells * ENTRIES, np.int32) for _ in range(3))
        self.value = ROWS.zeros(cells * ENTRIES, np.float64)
        self.closed_value = ROWS.zeros(cells, np.float64)
        self.closed_entry = ROWS.zeros(cells, np.int32)

    def _grow_states(self, states: int) -> None:
        self.tag, self.relation = ROWS.zeros(states, np.int32), ROWS.zeros(states, np.int32)
        self.mark, self.packed = ROWS.zeros(states, np.int32), ROWS.zeros(states, np.int32)
        self.base = ROWS.zeros(states, np.float64)

    def _grow_arcs(self, size: int) -> None:
        self.arc_value = ROWS.zeros(size, np.float64)
        self.arc_cut, self.arc_entry = ROWS.zeros(size, np.int32), ROWS.zeros(size, np.int32)
        self.live_head, self.live_dependent = ROWS.zeros(size, np.int32), ROWS.zeros(size, np.int32)
        self.live_place = ROWS.zeros(size, np.int32)

    def _grow_words(self, words: int, relations: int) -> None:
        self.possible = ROWS.view(np.zeros((words, relations), np.int32))
        self.arc_of = ROWS.view(np.zeros((words, words + 1), np.int32))
        self.markable, self.start = ROWS.zeros(words, np.int32), ROWS.zeros(words + 1, np.int32)
        self.stack_side, self.stack_head = ROWS.zeros(2 * words, np.int32), ROWS.zeros(2 * words, np.int32)
        self.stack_end, self.stack_state = ROWS.zeros(2 * words, np.int32), ROWS.zeros(2 * words, np.int32)

    def _grow_candidates(self, arcs: int) -> None:
        self.arc_offset, self.live_count = ROWS.zeros(arcs, np.int32), ROWS.zeros(arcs, np.int32)

    @cython.locals(d=cython.Py_ssize_t, a=cython.Py_ssize_t, root=cython.Py_ssize_t)
    def best_tree(
        self,
        tag_scores: NDArray[np.float64],
        arc_heads: NDArray[np.int32],
        arc_start: NDArray[np.int32],
        arc_scores: NDArray[np.float64],
        label_scores: NDArray[np.float64],
        closed: NDArray[np.int32],
        words: NDArray[np.int32],
    ) -> NDArray[np.int32] | None:
        """Tags, heads (0 is the root, j + 1 word j) and relations of the best projective tree with one root, array
        [3, words], or None if the candidates make no tree. Sums of whole numbers are exact, and of equal trees the
        first found wins, so the answer depends on the scores alone.

        `tag_scores[word, tag]`; the candidate heads of word d are `arc_heads[arc_start[d]:arc_start[d + 1]]`, with
        `arc_scores[arc]` and `label_scores[arc, relation]`; what scores `NEVER` is not a candidate. `closed[word]`
        tells function words (0: none), `words[word]` all.
        """
        n: cython.Py_ssize_t = tag_scores.shape[0]
        self.n = n
        if self.stamp > 1_000_000_000:
            self.stamp = 0
            self.event_known = ROWS.zeros(64, np.int32)
        self.tag_scores, self.label_scores = ROWS.view(tag_scores), ROWS.view(label_scores)
        self.arc_heads, self.arc_start = ROWS.view(arc_heads), ROWS.view(arc_start)
        self.arc_scores = ROWS.view(arc_scores)
        self.closed, self.words = ROWS.view(closed), ROWS.view(words)
        if not self._list_states():
            return None
        states: cython.Py_ssize_t = self.start[n]
        self.cells = n * states
        if 2 * self.cells > len(self.count):
            self._grow(4 * self.cells)
        if 128 * states > len(self.stop_value):
            self.stop_value = ROWS.zeros(256 * states, np.float64)
            self.stop_known = ROWS.zeros(256 * states, np.uint8)
        if len(arc_heads) > len(self.arc_offset):
            self._grow_candidates(2 * len(arc_heads))
        size: cython.Py_ssize_t = 0
        for d in range(n):
            for a in range(self.arc_start[d], self.arc_start[d + 1]):
                self.arc_offset[a] = size
                self.live_count[a] = 0
                if self.arc_heads[a] > 0:
                    size += 2 * self._size(d) * self._size(self.arc_heads[a] - 1)
        if size > len(self.arc_value):
            self._grow_arcs(2 * size)
        tree = np.zeros((3, n), np.int32)
        out: cython.int[:, ::1] = ROWS.view(tree)
        with cython.nogil:
            self._fill()
            root = self._read(out)
        return tree if root >= 0 else None

    @cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, side=cython.Py_ssize_t, sibling=cython.Py_ssize_t)
    def add_tree(
        self,
        step: float,
        tags: NDArray[np.int32],
        heads: NDArray[np.int32],
        relations: NDArray[np.int32],
        closed: NDArray[np.int32],
        words: NDArray[np.int32],
    ) -> float:
        """Add a step to the weight of each feature of a tree, for training, and return the tree's score after it."""
        if self.is_small and step:
            raise ValueError("weights of 16 bits cannot be trained: give them as float32")
        n: cython.Py_ssize_t = len(tags)
        t: cython.int[::1] = ROWS.view(tags)
        h: cython.int[::1] = ROWS.view(heads)
        r: cython.int[::1] = ROWS.view(relations)
        c: cython.int[::1] = ROWS.view(closed)
        w: cython.int[::1] = ROWS.view(words)
        m: cython.int[::1] = ROWS.zeros(n, np.int32)
        p: cython.int[::1] = ROWS.zeros(n, np.int32)
        add: cython.float = step
        score: cython.double = 0.0
        for i in range(n):
            if h[i] > i + 1 and self.marks[r[i]]:
                m[h[i] - 1] |= 1
            m[i] |= (self.tag_class[t[h[i] - 1]] if h[i] > 0 else ROOT_CLASS) << 2
        for i in range(n):
            p[i] = _packed(t[i], r[i], m[i], c[i])
        for i in range(n):
            score += self._word(add, w[i], p[i])
            if h[i] == 0:
                score += self._pair(add, ROOT, RIGHT, p[i]) + self._beyond(add, ROOT, RIGHT, NONE, p[i])
            for side in range(2):
                sibling = NONE
                for j in range(i + 1, n) if side == RIGHT else range(i - 1, -1, -1):
                    if h[j] == i + 1:
                        score += self._pair(add, p[i], side, p[j]) + self._beyond(add, p[i], side, sibling, p[j])
                        sibling = self.siblings[t[j], r[j]]
                score += self._stop(add, p[i], side, sibling)
        return float(score)

    # What is scored. Each feature has a number in the bits above 2²⁰. With `add` the weights change first.

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _weight(self, add: cython.float, high: cython.Py_ssize_t, low: cython.Py_ssize_t) -> cython.double:
        """Return the weight of a feature, which is given by two numbers."""
        at: cython.Py_ssize_t = _slot(high, low, self.mask)
        if self.is_small:
            return self.small[at]
        if add != 0:
            self.weights[at] += add
        return self.weights[at]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _pair(
        self, add: cython.float, head: cython.Py_ssize_t, side: cython.Py_ssize_t, child: cython.Py_ssize_t
    ) -> cython.double:
        """Return the score of a head that takes a dependent, as far as it is the same for all siblings. Both are
        `_packed`."""
        above: cython.Py_ssize_t = ((head >> 14) << 1) | side
        below: cython.Py_ssize_t = child >> 14
        word: cython.Py_ssize_t = child & 1023
        lexical: cython.Py_ssize_t = ((head >> 20) << 10) | (head & 1023)
        marked: cython.Py_ssize_t = (below << 2) | ((child >> 10) & 3)
        score: cython.double = self._weight(add, 3 << 20 | (above << 1) | ((head >> 10) & 1), (below << 10) | word)
        score += self._weight(add, 6 << 20 | lexical, (((below << 1) | side) << 10) | word)
        score += self._weight(add, 12 << 20 | (above << 2) | ((head >> 12) & 3), (marked << 10) | word)
        return score

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _beyond(
        self,
        add: cython.float,
        head: cython.Py_ssize_t,
        side: cython.Py_ssize_t,
        sibling: cython.Py_ssize_t,
        child: cython.Py_ssize_t,
    ) -> cython.double:
        """Return what is added to `_pair` for the nearest sibling, beyond which the dependent is."""
        above: cython.Py_ssize_t = ((head >> 14) << 1) | side
        below: cython.Py_ssize_t = child >> 14
        marked: cython.Py_ssize_t = (below << 2) | ((child >> 10) & 3)
        governor: cython.Py_ssize_t = (head >> 12) & 3  # the class of the head's governor
        lexical: cython.Py_ssize_t = ((head >> 20) << 10) | (head & 1023)
        score: cython.double = self._weight(
            add, 1 << 20 | (above << 3) | (((head >> 10) & 1) << 2) | governor, (marked << 6) | sibling
        )
        score += self._weight(add, 2 << 20 | above, (below << 6) | sibling)
        score += self._weight(add, 4 << 20 | lexical, (((below << 1) | side) << 6) | sibling)
        score += self._weight(
            add, 5 << 20 | (above << 2) | governor, ((below & 63) << 16) | ((child & 1023) << 6) | sibling
        )
        return score

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _stop(
        self, add: cython.float, head: cython.Py_ssize_t, side: cython.Py_ssize_t, sibling: cython.Py_ssize_t
    ) -> cython.double:
        """Return the score of a head that takes no more dependents on a side."""
        above: cython.Py_ssize_t = ((head >> 14) << 1) | side
        score: cython.double = self._weight(add, 7 << 20 | (above << 4) | ((head >> 10) & 15), sibling)
        score += self._weight(add, 8 << 20 | (above << 2) | ((head >> 12) & 3), ((head & 1023) << 6) | sibling)
        return score

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _word(self, add: cython.float, word: cython.Py_ssize_t, packed: cython.Py_ssize_t) -> cython.double:
        """Return the score of a word in a state."""
        score: cython.double = self._weight(add, 9 << 20 | word, packed >> 20)
        score += self._weight(add, 10 << 20 | word, packed >> 14)
        score += self._weight(add, 11 << 20, packed >> 10)
        return score

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _size(self, word: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the number of states of a word."""
        return self.start[word + 1] - self.start[word]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _cell(
        self, side: cython.Py_ssize_t, head: cython.Py_ssize_t, end: cython.Py_ssize_t, state: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return the cell of the words from a head, in its state, to the end of one side."""
        first: cython.Py_ssize_t = self.start[head]
        return side * self.cells + first * self.n + end * (self.start[head + 1] - first) + state

    def _list_states(self) -> bool:
        """Lists the states each word may have; tells whether every word has one."""
        relations = self.label_scores.shape[1]
        if self.n > len(self.markable) or relations > self.possible.shape[1]:
            self._grow_words(2 * self.n, relations)
        self._list_governors()
        most = 16 * self._count_pairs()
        if most > len(self.tag):
            self._grow_states(2 * most)
        return bool(self._write_states() >= 0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.Py_ssize_t, t=cython.Py_ssize_t, r=cython.Py_ssize_t, tags=cython.Py_ssize_t)
    @cython.locals(relations=cython.Py_ssize_t)
    def _count_pairs(self) -> cython.Py_ssize_t:
        """Return the number of pairs of a tag and a relation that words may have."""
        total: cython.Py_ssize_t = 0
        for i in range(self.n):
            tags = 0
            relations = 0
            for t in range(self.tag_scores.shape[1]):
                if self.tag_scores[i, t] > _CANDIDATE:
                    tags += 1
            for r in range(self.label_scores.shape[1]):
                if self.possible[i, r]:
                    relations += 1
            total += tags * relations
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.Py_ssize_t, a=cython.Py_ssize_t, t=cython.Py_ssize_t, r=cython.Py_ssize_t)
    @cython.locals(head=cython.Py_ssize_t, classes=cython.Py_ssize_t)
    def _list_governors(self) -> cython.void:
        """Numbers the candidate arcs, and collects what governors each word may have and which words may be marked."""
        self.start[0] = 0
        for i in range(self.n):
            self.markable[i] = 0
            for r in range(self.label_scores.shape[1]):
                self.possible[i, r] = 0
            for head in range(self.n + 1):
                self.arc_of[i, head] = -1
        for i in range(self.n):
            for a in range(self.arc_start[i], self.arc_start[i + 1]):
                head = self.arc_heads[a]
                self.arc_of[i, head] = a
                classes = 0
                if head == 0:
                    classes = 1 << ROOT_CLASS
                else:
                    for t in range(self.tag_scores.shape[1]):
                        if self.tag_scores[head - 1, t] > _CANDIDATE:
                            classes |= 1 << self.tag_class[t]
                for r in range(self.label_scores.shape[1]):
                    if self.label_scores[a, r] > _CANDIDATE:
                        self.possible[i, r] |= classes
                        if head > i + 1 and self.marks[r]:
                            self.markable[head - 1] = 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.Py_ssize_t, t=cython.Py_ssize_t, r=cython.Py_ssize_t, m=cython.Py_ssize_t)
    @cython.locals(possible=cython.int, marks=cython.int)
    def _write_states(self) -> cython.Py_ssize_t:
        """Write the states and return their number, -1 if a word has none."""
        total: cython.Py_ssize_t = 0
        for i in range(self.n):
            marks = self.markable[i]
            for t in range(self.tag_scores.shape[1]):
                if self.tag_scores[i, t] <= _CANDIDATE:
                    continue
                for r in range(self.label_scores.shape[1]):
                    possible = self.possible[i, r]
                    if not possible:
                        continue
                    for m in range(16):
                        if (m & 3) > marks or not (possible >> (m >> 2)) & (self.states[t, r] >> m) & 1:
                            continue
                        self.tag[total] = t
                        self.relation[total] = r
                        self.mark[total] = m
                        self.packed[total] = _packed(t, r, m, self.closed[i])
                        self.base[total] = self.tag_scores[i, t] + self._word(0.0, self.words[i], self.packed[total])
                        total += 1
            self.start[i + 1] = total
            if total == self.start[i]:
                return -1
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, side=cython.Py_ssize_t, s=cython.Py_ssize_t)
    @cython.locals(cell=cython.Py_ssize_t, width=cython.Py_ssize_t, head=cython.Py_ssize_t)
    def _fill(self) -> cython.void:
        """Fill all cells, short spans first."""
        n: cython.Py_ssize_t = self.n
        for i in range(128 * self.start[n]):
            self.stop_known[i] = 0
        for i in range(2 * self.cells):
            self.count[i] = 0
            self.closed_value[i] = LOW
        for width in range(n):
            for i in range(n - width):
                j = i + width
                for side in range(2):
                    head = i if side == RIGHT else j
                    if width == 0:
                        for s in range(self._size(i)):
                            cell = self._cell(side, i, i, s)
                            self.count[cell] = 1
                            self.key[cell * ENTRIES] = NONE * 2
                            self.value[cell * ENTRIES] = 0.0
                    else:
                        self._join(side, head, i + j - head)
                        self._extend(side, head, i + j - head)
                    self._close(side, head, i + j - head)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(h=cython.Py_ssize_t, d=cython.Py_ssize_t, r=cython.Py_ssize_t)
    def _join(self, side: cython.Py_ssize_t, head: cython.Py_ssize_t, dep: cython.Py_ssize_t) -> cython.void:
        """The arc from a head to the word at the end of a span, for all states of both."""
        arc: cython.Py_ssize_t = self.arc_of[dep, head + 1]
        if arc < 0:
            return
        for h in range(self.start[head], self.start[head + 1]):
            for d in range(self.start[dep], self.start[dep + 1]):
                r = self.relation[d]
                if self.label_scores[arc, r] <= _CANDIDATE:
                    continue
                if (self.mark[d] >> 2) != self.tag_class[self.tag[h]]:
                    continue
                if side == LEFT and self.marks[r] and not self.mark[h] & 1:
                    continue
                if self.arcs[self.tag[h], side, self.tag[d], r]:
                    self._meet(side, head, dep, arc, h, d)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(k=cython.Py_ssize_t, e=cython.Py_ssize_t, q=cython.Py_ssize_t, marked=cython.Py_ssize_t)
    @cython.locals(cell=cython.Py_ssize_t, facing=cython.Py_ssize_t, at=cython.Py_ssize_t)
    @cython.locals(extra=cython.double, now=cython.double)
    def _meet(
        self,
        side: cython.Py_ssize_t,
        head: cython.Py_ssize_t,
        dep: cython.Py_ssize_t,
        arc: cython.Py_ssize_t,
        h: cython.Py_ssize_t,
        d: cython.Py_ssize_t,
    ) -> cython.void:
        """The arc from a head in state h to a dependent in state d: what the head has so far, and the dependent's half
        that faces it, meet at the best cut."""
        s: cython.Py_ssize_t = h - self.start[head]
        c: cython.Py_ssize_t = d - self.start[dep]
        dep_states: cython.Py_ssize_t = self._size(dep)
        r: cython.Py_ssize_t = self.relation[d]
        marking: cython.Py_ssize_t = 1 if side == LEFT and self.marks[r] else 0
        place: cython.Py_ssize_t = self.arc_offset[arc] + (s * dep_states + c) * 2
        first: cython.Py_ssize_t = min(head, dep)
        width: cython.Py_ssize_t = max(head, dep) - first
        head_states: cython.Py_ssize_t = self._size(head)
        # The left of the cut ends there, the right of it begins one word later.
        first_cell: cython.Py_ssize_t = self._cell(side, head, first + 1 - side, s)
        first_facing: cython.Py_ssize_t = self._cell(1 - side, dep, first + side, c)
        self.arc_value[place] = LOW
        self.arc_value[place + 1] = LOW
        self.stamp += 1
        for k in range(width):
            cell = first_cell + k * head_states
            facing = first_facing + k * dep_states
            if self.closed_value[facing] <= LOW:
                continue
            for e in range(self.count[cell]):
                q = self.key[cell * ENTRIES + e] >> 1
                marked = (self.key[cell * ENTRIES + e] & 1) | marking
                if self.event_known[q] != self.stamp:
                    self.event_known[q] = self.stamp
                    self.event_value[q] = self._beyond(0.0, self.packed[h], side, q, self.packed[d])
                now = self.value[cell * ENTRIES + e] + self.closed_value[facing] + self.event_value[q]
                if now > self.arc_value[place + marked]:
                    self.arc_value[place + marked] = now
                    self.arc_cut[place + marked] = first + k
                    self.arc_entry[place + marked] = e
        if self.arc_value[place] > LOW or self.arc_value[place + 1] > LOW:
            extra = self._pair(0.0, self.packed[h], side, self.packed[d]) + self.label_scores[arc, r] + self.base[d]
            for marked in range(2):
                if self.arc_value[place + marked] > LOW:
                    self.arc_value[place + marked] += extra + self.arc_scores[arc]
                    at = self.arc_offset[arc] + self.live_count[arc]
                    self.live_head[at] = s
                    self.live_dependent[at] = c
                    self.live_place[at] = place + marked
                    self.live_count[arc] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(k=cython.Py_ssize_t, m=cython.Py_ssize_t, c=cython.Py_ssize_t, e=cython.Py_ssize_t)
    @cython.locals(at=cython.Py_ssize_t, arc=cython.Py_ssize_t, key=cython.Py_ssize_t, cell=cython.Py_ssize_t)
    @cython.locals(beyond=cython.Py_ssize_t, place=cython.Py_ssize_t, now=cython.double)
    def _extend(self, side: cython.Py_ssize_t, head: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """A head's arcs, each with the dependent's half that looks away from the head, up to the end of the span."""
        i: cython.Py_ssize_t = min(head, end)
        j: cython.Py_ssize_t = max(head, end)
        for k in range(i, j):
            m = k + 1 if side == RIGHT else k
            arc = self.arc_of[m, head + 1]
            if arc < 0:
                continue
            for at in range(self.arc_offset[arc], self.arc_offset[arc] + self.live_count[arc]):
                c = self.live_dependent[at]
                beyond = self._cell(side, m, end, c)
                if self.closed_value[beyond] <= LOW:
                    continue
                place = self.live_place[at]
                now = self.arc_value[place] + self.closed_value[beyond]
                key = self.siblings[self.tag[self.start[m] + c], self.relation[self.start[m] + c]] * 2 + (place & 1)
                cell = self._cell(side, head, end, self.live_head[at])
                e = 0
                while e < self.count[cell] and self.key[cell * ENTRIES + e] != key:
                    e += 1
                if e == ENTRIES:
                    continue
                if e == self.count[cell]:
                    self.count[cell] = e + 1
                    self.key[cell * ENTRIES + e] = key
                    self.value[cell * ENTRIES + e] = LOW
                if now > self.value[cell * ENTRIES + e]:
                    self.value[cell * ENTRIES + e] = now
                    self.dependent[cell * ENTRIES + e] = m
                    self.dependent_state[cell * ENTRIES + e] = c

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(s=cython.Py_ssize_t, e=cython.Py_ssize_t, cell=cython.Py_ssize_t, key=cython.Py_ssize_t)
    @cython.locals(stop=cython.Py_ssize_t, now=cython.double)
    def _close(self, side: cython.Py_ssize_t, head: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """The best of a cell's entries once the head takes no more; on the left it must be marked as its state says."""
        h0: cython.Py_ssize_t = self.start[head]
        for s in range(self._size(head)):
            cell = self._cell(side, head, end, s)
            for e in range(self.count[cell]):
                key = self.key[cell * ENTRIES + e]
                if side == LEFT and (key & 1) != (self.mark[h0 + s] & 1):
                    continue
                stop = ((h0 + s) * 2 + side) * 64 + (key >> 1)
                if not self.stop_known[stop]:
                    self.stop_known[stop] = 1
                    self.stop_value[stop] = self._stop(0.0, self.packed[h0 + s], side, key >> 1)
                now = self.value[cell * ENTRIES + e] + self.stop_value[stop]
                if now > self.closed_value[cell]:
                    self.closed_value[cell] = now
                    self.closed_entry[cell] = e

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.Py_ssize_t, s=cython.Py_ssize_t, h0=cython.Py_ssize_t, arc=cython.Py_ssize_t)
    @cython.locals(left=cython.Py_ssize_t, right=cython.Py_ssize_t, packed=cython.Py_ssize_t, now=cython.double)
    def _read(self, tree: cython.int[:, ::1]) -> cython.Py_ssize_t:
        """Write the best tree and return its root, -1 if there is none."""
        n: cython.Py_ssize_t = self.n
        root: cython.Py_ssize_t = -1
        state: cython.Py_ssize_t = -1
        best: cython.double = LOW
        for i in range(n):
            arc = self.arc_of[i, 0]
            if arc < 0:
                continue
            h0 = self.start[i]
            for s in range(self._size(i)):
                if self.label_scores[arc, self.relation[h0 + s]] <= _CANDIDATE or self.mark[h0 + s] >> 2 != ROOT_CLASS:
                    continue
                left = self._cell(LEFT, i, 0, s)
                right = self._cell(RIGHT, i, n - 1, s)
                if self.closed_value[left] <= LOW or self.closed_value[right] <= LOW:
                    continue
                now = self.closed_value[left] + self.closed_value[right] + self.base[h0 + s]
                now += self.arc_scores[arc] + self.label_scores[arc, self.relation[h0 + s]]
                packed = self.packed[h0 + s]
                now += self._pair(0.0, ROOT, RIGHT, packed) + self._beyond(0.0, ROOT, RIGHT, NONE, packed)
                if now > best:
                    best = now
                    root = i
                    state = s
        if root >= 0:
            tree[0, root] = self.tag[self.start[root] + state]
            tree[1, root] = 0
            tree[2, root] = self.relation[self.start[root] + state]
            self.top = 0
            self._push(LEFT, root, 0, state)
            self._push(RIGHT, root, n - 1, state)
            self._trace(tree)
        return root

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _push(
        self, side: cython.Py_ssize_t, head: cython.Py_ssize_t, end: cython.Py_ssize_t, state: cython.Py_ssize_t
    ) -> cython.void:
        self.stack_side[self.top] = side
        self.stack_head[self.top] = head
        self.stack_end[self.top] = end
        self.stack_state[self.top] = state
        self.top += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(side=cython.Py_ssize_t, head=cython.Py_ssize_t, end=cython.Py_ssize_t, s=cython.Py_ssize_t)
    @cython.locals(c=cython.Py_ssize_t, e=cython.Py_ssize_t, m=cython.Py_ssize_t, cut=cython.Py_ssize_t)
    @cython.locals(entry=cython.Py_ssize_t, place=cython.Py_ssize_t)
    def _trace(self, tree: cython.int[:, ::1]) -> cython.void:
        """Follow the best entries from the two halves of the root, which are on the stack."""
        while self.top > 0:
            self.top -= 1
            side = self.stack_side[self.top]
            head = self.stack_head[self.top]
            end = self.stack_end[self.top]
            s = self.stack_state[self.top]
            e = self.closed_entry[self._cell(side, head, end, s)]
            while end != head:
                entry = self._cell(side, head, end, s) * ENTRIES + e
                m = self.dependent[entry]
                c = self.dependent_state[entry]
                tree[0, m] = self.tag[self.start[m] + c]
                tree[1, m] = head + 1
                tree[2, m] = self.relation[self.start[m] + c]
                place = self.arc_offset[self.arc_of[m, head + 1]] + (s * self._size(m) + c) * 2
                place += self.key[entry] & 1
                cut = self.arc_cut[place]
                e = self.arc_entry[place]
                self._push(side, m, end, c)
                self._push(1 - side, m, cut + 1 if side == RIGHT else cut, c)
                end = cut if side == RIGHT else cut + 1
