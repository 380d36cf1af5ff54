"""The best projective dependency tree with one root, by dynamic programming over spans (Eisner 1996)."""

from __future__ import annotations

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)

# Kinds of spans i … j: complete with head j (to the left) or i (to the right), and incomplete, just joined by an arc
# from j to i (to the left) or from i to j (to the right).
LEFT = cython.declare(cython.int, 0)
RIGHT = cython.declare(cython.int, 1)
ARC_LEFT = cython.declare(cython.int, 2)
ARC_RIGHT = cython.declare(cython.int, 3)


def projective_heads(scores: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the heads of the best trees: of all projective trees with a single root the one with the highest sum.

    `scores[b, d, h]` is the score of head h for word d in sentence b; h = 0 is the root, h = j + 1 is word j.
    Gives heads [b, d] in the same numbering. Of equal trees the first found wins, so the answer depends on the
    scores alone. O(n³) per sentence.

    >>> scores = np.array([[[0.0, -9, 5, 1], [2, -9, -9, 1], [3, 0, 1, -9]]])
    >>> scores.argmax(axis=2).tolist(), projective_heads(scores).tolist()  # greedily two words would be roots
    ([[2, 0, 0]], [[2, 3, 0]])
    """
    batch, n, _ = scores.shape
    heads = np.zeros(batch * n, np.int32)
    if n:
        Decoder(n).decode(ROWS.copy(scores.reshape(-1), np.float64), ROWS.view(heads))
    return heads.reshape(batch, n)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _best_cut(
    before: cython.double[::1],
    row: cython.Py_ssize_t,
    after: cython.double[::1],
    column: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    step: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the first k under `width` at which before[row + k] + after[column + k * step] is largest."""
    k: cython.Py_ssize_t
    cut: cython.Py_ssize_t = 0
    best: cython.double = before[row] + after[column]
    now: cython.double
    for k in range(1, width):
        now = before[row + k] + after[column + k * step]
        if now > best:
            best = now
            cut = k
    return cut


@cython.final
@cython.cclass
class Decoder:
    """Decodes one sentence of n words after another, in memory taken once."""

    n: cython.Py_ssize_t
    scores: cython.const[cython.double][::1]  # of word d: head h at d * (n + 1) + h

    # The best span of each kind from i to j, at i * n + j, and where it is cut.
    left: cython.double[::1]
    right: cython.double[::1]
    arc_left: cython.double[::1]
    arc_right: cython.double[::1]
    left_cut: cython.int[::1]
    right_cut: cython.int[::1]
    arc_cut: cython.int[::1]

    # Spans that remain to be read.
    stack_kind: cython.int[::1]
    stack_start: cython.int[::1]
    stack_end: cython.int[::1]
    top: cython.Py_ssize_t

    def __init__(self, n: int) -> None:
        self.n = n
        size: cython.Py_ssize_t = n * n
        most: cython.Py_ssize_t = 2 * n + 4
        # Rows are cut from two blocks: making an array takes longer than to fill a short one.
        real: cython.double[::1] = ROWS.zeros(4 * size, np.float64)
        self.left, self.right = real[:size], real[size : 2 * size]
        self.arc_left, self.arc_right = real[2 * size : 3 * size], real[3 * size :]
        whole: cython.int[::1] = ROWS.zeros(3 * (size + most), np.int32)
        self.left_cut, self.right_cut, self.arc_cut = whole[:size], whole[size : 2 * size], whole[2 * size : 3 * size]
        whole = whole[3 * size :]
        self.stack_kind, self.stack_start, self.stack_end = whole[:most], whole[most : 2 * most], whole[2 * most :]

    @cython.ccall
    def decode(self, scores: cython.const[cython.double][::1], heads: cython.int[::1]) -> cython.void:
        """Write the heads of the best tree of each sentence."""
        n: cython.Py_ssize_t = self.n
        size: cython.Py_ssize_t = n * (n + 1)
        b: cython.Py_ssize_t
        batch: cython.Py_ssize_t = heads.shape[0] // n
        for b in range(batch):
            self.scores = scores[b * size : (b + 1) * size]
            self._fill()
            self._read(heads[b * n : (b + 1) * n])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, at=cython.Py_ssize_t, cut=cython.Py_ssize_t)
    @cython.locals(width=cython.Py_ssize_t, best=cython.double)
    def _fill(self) -> cython.void:
        """Fill the tables, short spans first."""
        n: cython.Py_ssize_t = self.n
        # Names of their own: rows of an object are looked up again after each write.
        left: cython.double[::1] = self.left
        right: cython.double[::1] = self.right
        arc_left: cython.double[::1] = self.arc_left
        arc_right: cython.double[::1] = self.arc_right
        for i in range(n):
            left[i * n + i] = 0.0
            right[i * n + i] = 0.0
        for width in range(1, n):
            for i in range(n - width):
                j = i + width
                at = i * n + j
                cut = i + _best_cut(right, i * n + i, left, (i + 1) * n + j, width, n)
                best = right[i * n + cut] + left[(cut + 1) * n + j]
                self.arc_cut[at] = cut
                arc_left[at] = best + self.scores[i * (n + 1) + j + 1]
                arc_right[at] = best + self.scores[j * (n + 1) + i + 1]
                cut = i + _best_cut(left, i * n + i, arc_left, at, width, n)
                left[at] = left[i * n + cut] + arc_left[cut * n + j]
                self.left_cut[at] = cut
                cut = i + 1 + _best_cut(arc_right, i * n + i + 1, right, (i + 1) * n + j, width, n)
                right[at] = arc_right[i * n + cut] + right[cut * n + j]
                self.right_cut[at] = cut

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _push(self, kind: cython.int, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        self.stack_kind[self.top] = kind
        self.stack_start[self.top] = start
        self.stack_end[self.top] = end
        self.top += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, k=cython.Py_ssize_t, kind=cython.int, now=cython.double)
    def _read(self, heads: cython.int[::1]) -> cython.void:
        """Choose the root, and follow the cuts down from its two halves."""
        n: cython.Py_ssize_t = self.n
        root: cython.Py_ssize_t = 0
        best: cython.double = self.left[0] + self.right[n - 1] + self.scores[0]
        for k in range(1, n):
            now = self.left[k] + self.right[k * n + n - 1] + self.scores[k * (n + 1)]
            if now > best:
                best = now
                root = k
        heads[root] = 0
        self.top = 0
        self._push(LEFT, 0, root)
        self._push(RIGHT, root, n - 1)
        while self.top > 0:
            self.top -= 1
            kind = self.stack_kind[self.top]
            i = self.stack_start[self.top]
            j = self.stack_end[self.top]
            if i == j:
                continue
            if kind == LEFT:
                k = self.left_cut[i * n + j]
                self._push(LEFT, i, k)
                self._push(ARC_LEFT, k, j)
            elif kind == RIGHT:
                k = self.right_cut[i * n + j]
                self._push(ARC_RIGHT, i, k)
                self._push(RIGHT, k, j)
            else:
                if kind == ARC_LEFT:
                    heads[i] = j + 1
                else:
                    heads[j] = i + 1
                k = self.arc_cut[i * n + j]
                self._push(RIGHT, i, k)
                self._push(LEFT, k + 1, j)
