# cython: boundscheck=False, wraparound=False, cdivision=True
"""The best projective dependency tree with one root, by dynamic programming over spans (Eisner 1996)."""

from __future__ import annotations

import cython
import numpy as np
from numpy.typing import NDArray


def projective_heads(scores: NDArray[np.float64]) -> NDArray[np.int32]:
    """The heads of the best trees: of all projective trees with a single root the one with the highest sum.

    `scores[b, d, h]` is the score of head h for word d in sentence b; h = 0 is the root, h = j + 1 is word j.
    Gives heads [b, d] in the same numbering. Of equal trees the first found wins, so the answer depends on the
    scores alone. O(n³) a sentence.

    >>> scores = np.array([[[0.0, -9, 5, 1], [2, -9, -9, 1], [3, 0, 1, -9]]])
    >>> scores.argmax(axis=2).tolist(), projective_heads(scores).tolist()  # greedily two words would be roots
    ([[2, 0, 0]], [[2, 3, 0]])
    """
    batch, n, _ = scores.shape
    flat = np.ascontiguousarray(scores, dtype=np.float64).reshape(-1)
    heads = np.zeros(batch * n, dtype=np.int32)
    value = np.zeros(4 * n * n, dtype=np.float64)
    split = np.zeros(3 * n * n, dtype=np.int32)
    stack = np.zeros(3 * (2 * n + 4), dtype=np.int32)
    if cython.compiled:
        _decode_all(flat, batch, n, value, split, stack, heads)
        return heads.reshape(batch, n)
    found = heads.tolist()
    _decode_all(flat.tolist(), batch, n, value.tolist(), split.tolist(), stack.tolist(), found)
    return np.array(found, dtype=np.int32).reshape(batch, n)


@cython.cfunc
def _decode_all(
    scores: cython.double[::1],
    batch: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    value: cython.double[::1],
    split: cython.int[::1],
    stack: cython.int[::1],
    heads: cython.int[::1],
) -> cython.void:
    b: cython.Py_ssize_t
    for b in range(batch):
        _decode(scores, b * n * (n + 1), n, value, split, stack, heads, b * n)


@cython.cfunc
def _decode(
    scores: cython.double[::1],
    base: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    value: cython.double[::1],
    split: cython.int[::1],
    stack: cython.int[::1],
    heads: cython.int[::1],
    out: cython.Py_ssize_t,
) -> cython.void:
    # Tables of spans i … j, one after the other in `value`: complete with head j (left) or i (right), and
    # incomplete, just joined by an arc j → i (left) or i → j (right). `split` says where the best one is cut.
    size: cython.Py_ssize_t = n * n
    left: cython.Py_ssize_t = 0
    right: cython.Py_ssize_t = size
    arc_left: cython.Py_ssize_t = 2 * size
    arc_right: cython.Py_ssize_t = 3 * size
    width: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    cut: cython.Py_ssize_t
    top: cython.Py_ssize_t
    kind: cython.Py_ssize_t
    best: cython.double
    now: cython.double

    for i in range(n):
        value[left + i * n + i] = 0.0
        value[right + i * n + i] = 0.0
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            best = value[right + i * n + i] + value[left + (i + 1) * n + j]
            cut = i
            for k in range(i + 1, j):
                now = value[right + i * n + k] + value[left + (k + 1) * n + j]
                if now > best:
                    best = now
                    cut = k
            split[2 * size + i * n + j] = cut
            value[arc_left + i * n + j] = best + scores[base + i * (n + 1) + j + 1]
            value[arc_right + i * n + j] = best + scores[base + j * (n + 1) + i + 1]

            best = value[left + i * n + i] + value[arc_left + i * n + j]
            cut = i
            for k in range(i + 1, j):
                now = value[left + i * n + k] + value[arc_left + k * n + j]
                if now > best:
                    best = now
                    cut = k
            value[left + i * n + j] = best
            split[i * n + j] = cut

            best = value[arc_right + i * n + i + 1] + value[right + (i + 1) * n + j]
            cut = i + 1
            for k in range(i + 2, j + 1):
                now = value[arc_right + i * n + k] + value[right + k * n + j]
                if now > best:
                    best = now
                    cut = k
            value[right + i * n + j] = best
            split[size + i * n + j] = cut

    best = value[left] + value[right + n - 1] + scores[base]
    cut = 0
    for k in range(1, n):
        now = value[left + k] + value[right + k * n + n - 1] + scores[base + k * (n + 1)]
        if now > best:
            best = now
            cut = k
    heads[out + cut] = 0

    # Kinds of spans on the stack: 0 complete left, 1 complete right, 2 arc to the left, 3 arc to the right.
    stack[0] = 0
    stack[1] = 0
    stack[2] = cut
    stack[3] = 1
    stack[4] = cut
    stack[5] = n - 1
    top = 6
    while top > 0:
        top -= 3
        kind = stack[top]
        i = stack[top + 1]
        j = stack[top + 2]
        if i == j:
            continue
        if kind == 0:
            k = split[i * n + j]
            stack[top] = 0
            stack[top + 1] = i
            stack[top + 2] = k
            stack[top + 3] = 2
            stack[top + 4] = k
            stack[top + 5] = j
        elif kind == 1:
            k = split[size + i * n + j]
            stack[top] = 3
            stack[top + 1] = i
            stack[top + 2] = k
            stack[top + 3] = 1
            stack[top + 4] = k
            stack[top + 5] = j
        else:
            if kind == 2:
                heads[out + i] = j + 1
            else:
                heads[out + j] = i + 1
            k = split[2 * size + i * n + j]
            stack[top] = 1
            stack[top + 1] = i
            stack[top + 2] = k
            stack[top + 3] = 0
            stack[top + 4] = k + 1
            stack[top + 5] = j
        top += 6
