"""The operations of a transformer on each number between its matrix products: GELU, layer normalisation and the two
halves of a softmax, each in one pass over memory where NumPy takes many.

Compiled, the loops go over rows and columns one by one; in Python a loop over rows, or over columns that do not depend
on each other, has a single turn whose index is used for all of them, so that the same line is one of NumPy. Operations
are those of IEEE 754 in float32, one by one and in the same order: both give the same bits, whatever rows are computed
together.
"""

from __future__ import annotations

import cython
import numpy as np
from numpy.typing import NDArray

HALF = cython.declare(cython.float, 0.5)
# Φ(-a) = P(a)^-16 for a ≥ 0, Φ the normal distribution: the form is Hastings' (1955), the coefficients are fitted by
# weighted least squares. The error times a is at most 2.3·10⁻⁷; in float32 GELU is exact to 6·10⁻⁷.
P0 = cython.declare(cython.float, 1.0442743301391602)
P1 = cython.declare(cython.float, 0.05206722766160965)
P2 = cython.declare(cython.float, 0.022105839103460312)
P3 = cython.declare(cython.float, 0.003379344241693616)
P4 = cython.declare(cython.float, 7.036444003460929e-05)
P5 = cython.declare(cython.float, 4.09942222177051e-05)
P6 = cython.declare(cython.float, 6.848336852272041e-06)

EVERY = (slice(None),)

Array = NDArray[np.float32]


def add_gelu(rows: Array, bias: Array) -> None:
    """x ← GELU(x + bias) in place, where GELU(x) = x · Φ(x) and Φ is the normal distribution (the form with erf, not
    with tanh). `rows` is [n, columns], `bias` [columns].

    >>> x = np.float32([[-30, -1, 0, 1, 30]])
    >>> add_gelu(x, np.zeros(5, np.float32))
    >>> [f"{y:.4f}" for y in x[0]]
    ['0.0000', '-0.1587', '0.0000', '0.8413', '30.0000']
    """
    into: cython.float[:, ::1] = rows
    constant: cython.float[::1] = bias
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    x: cython.float
    a: cython.float
    tail: cython.float
    with cython.nogil:
        for i in range(into.shape[0]) if cython.compiled else EVERY:
            for j in range(into.shape[1]) if cython.compiled else EVERY:
                x = into[i, j] + constant[j]
                a = abs(x)
                # The quotient first: its powers become 0 where those of the polynomial would be infinite.
                tail = 1 / ((((((P6 * a + P5) * a + P4) * a + P3) * a + P2) * a + P1) * a + P0)
                tail = tail * tail
                tail = tail * tail
                tail = tail * tail
                tail = tail * tail
                into[i, j] = (x + a) * HALF - a * tail  # max(x, 0) - |x| · Φ(-|x|)


def add_residual(rows: Array, bias: Array, residual: Array, means: Array, variances: Array) -> None:
    """x ← x + bias + residual in place, and mean and variance of each row of the sum.

    `rows` and `residual` are [n, columns], `bias` [columns], `means` and `variances` [n]. Sums run in eight lanes, so
    that a compiler can add four numbers at once without changing their order.
    """
    into: cython.float[:, ::1] = rows
    constant: cython.float[::1] = bias
    other: cython.float[:, ::1] = residual
    mean: cython.float[::1] = means
    variance: cython.float[::1] = variances
    columns: cython.Py_ssize_t = into.shape[1]
    whole: cython.Py_ssize_t = columns - columns % 8
    count: cython.float = columns
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    m: cython.float
    a0: cython.float
    a1: cython.float
    a2: cython.float
    a3: cython.float
    a4: cython.float
    a5: cython.float
    a6: cython.float
    a7: cython.float
    with cython.nogil:
        for i in range(into.shape[0]) if cython.compiled else EVERY:
            for j in range(columns) if cython.compiled else EVERY:
                into[i, j] = into[i, j] + (constant[j] + other[i, j])
            a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = 0.0
            for j in range(0, whole, 8):
                a0 = a0 + into[i, j]
                a1 = a1 + into[i, j + 1]
                a2 = a2 + into[i, j + 2]
                a3 = a3 + into[i, j + 3]
                a4 = a4 + into[i, j + 4]
                a5 = a5 + into[i, j + 5]
                a6 = a6 + into[i, j + 6]
                a7 = a7 + into[i, j + 7]
            for j in range(whole, columns):
                a0 = a0 + into[i, j]
            m = (((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7))) / count
            mean[i] = m
            a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = 0.0
            for j in range(0, whole, 8):
                a0 = a0 + (into[i, j] - m) * (into[i, j] - m)
                a1 = a1 + (into[i, j + 1] - m) * (into[i, j + 1] - m)
                a2 = a2 + (into[i, j + 2] - m) * (into[i, j + 2] - m)
                a3 = a3 + (into[i, j + 3] - m) * (into[i, j + 3] - m)
                a4 = a4 + (into[i, j + 4] - m) * (into[i, j + 4] - m)
                a5 = a5 + (into[i, j + 5] - m) * (into[i, j + 5] - m)
                a6 = a6 + (into[i, j + 6] - m) * (into[i, j + 6] - m)
                a7 = a7 + (into[i, j + 7] - m) * (into[i, j + 7] - m)
            for j in range(whole, columns):
                a0 = a0 + (into[i, j] - m) * (into[i, j] - m)
            variance[i] = (((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7))) / count


def scale_rows(rows: Array, means: Array, scales: Array, gain: Array, shift: Array) -> None:
    """x ← (x - mean) · scale · gain + shift in place: the second half of a layer normalisation, where `scales` [n] are
    1 / √(variance + ε), and `gain` and `shift` [columns] are the layer's."""
    into: cython.float[:, ::1] = rows
    mean: cython.float[:, ::1] = means.reshape(-1, 1)
    scale: cython.float[:, ::1] = scales.reshape(-1, 1)
    slope: cython.float[::1] = gain
    constant: cython.float[::1] = shift
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    # In Python the one column of means and scales is taken whole, and NumPy spreads it over the columns.
    with cython.nogil:
        for i in range(into.shape[0]) if cython.compiled else EVERY:
            for j in range(into.shape[1]) if cython.compiled else EVERY:
                k = 0 if cython.compiled else j
                into[i, j] = (into[i, j] - mean[i, k]) * scale[i, k] * slope[j] + constant[j]


def subtract_maxima(rows: Array) -> None:
    """x ← x - (the largest of its row) in place: what a softmax takes the exponential of. `rows` is [n, columns]."""
    into: cython.float[:, ::1] = rows
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    largest: cython.float
    with cython.nogil:
        for i in range(into.shape[0]) if cython.compiled else EVERY:
            largest = into[i, 0]
            for j in range(1, into.shape[1]):
                if not cython.compiled:
                    largest = np.maximum(largest, into[i, j])
                elif into[i, j] > largest:
                    largest = into[i, j]
            for j in range(into.shape[1]):
                into[i, j] = into[i, j] - largest


def divide_by_sums(rows: Array) -> None:
    """x ← x / (the sum of its row) in place: what comes after the exponential of a softmax. `rows` is [n, columns]."""
    into: cython.float[:, ::1] = rows
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    total: cython.float
    with cython.nogil:
        for i in range(into.shape[0]) if cython.compiled else EVERY:
            total = into[i, 0] + 0
            for j in range(1, into.shape[1]):
                total = total + into[i, j]
            for j in range(into.shape[1]):
                into[i, j] = into[i, j] / total
