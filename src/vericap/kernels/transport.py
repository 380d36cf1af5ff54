# cython: boundscheck=False, wraparound=False, cdivision=True
"""Exact optimal transport between small bags: successive shortest paths with potentials (Edmonds and Karp 1972).

Masses are counts, so the flow is a flow of whole numbers: no rounding decides where anything goes, and the cost is
exact up to the sum that gives it.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


def transport(supply: Counts, demand: Counts, cost: Floats) -> tuple[float, Floats]:
    """The least cost of moving one bag into another, each of mass 1, and what moves where, array [m, n].

    $$ \\min_{T \\ge 0} \\sum_{ij} T_{ij} c_{ij}, \\quad \\sum_j T_{ij} = a_i / \\sum a, \\quad
       \\sum_i T_{ij} = b_j / \\sum b $$

    >>> cost, plan = transport(np.array([1, 1]), np.array([3, 1]), np.array([[0.0, 1.0], [1.0, 2.0]]))
    >>> cost, plan.tolist()
    (0.75, [[0.5, 0.0], [0.25, 0.25]])
    """
    m, n = cost.shape
    flow = np.zeros(m * n, dtype=np.int64)
    found = _run(supply, demand, np.array([0, n], dtype=np.int64), cost, False, flow)
    return float(found[0]), flow.reshape(m, n) / float(supply.sum() * demand.sum())


def distances(supply: Counts, demand: Counts, offsets: Counts, cost: Floats, smallest: bool = False) -> Floats:
    """The least cost of moving one bag into each of several, which stand side by side: bag k has the counts
    `demand[offsets[k]:offsets[k + 1]]` and these columns of `cost`. A bag without words costs infinity.

    `smallest`: only the smallest is asked for. Moving every word to its nearest, on either side, never costs more
    than the transport (Kusner et al. 2015, section 4): where that bound is no less than the smallest cost so far, the
    bag is not solved and its place is NaN.

    >>> cost = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 2.0]])
    >>> distances(np.array([1, 1]), np.array([1, 1, 1]), np.array([0, 2, 3]), cost).tolist()
    [0.0, 2.0]
    >>> distances(np.array([1, 1]), np.array([1, 1, 1]), np.array([0, 2, 3]), cost, smallest=True).tolist()
    [0.0, nan]
    """
    return _run(supply, demand, offsets, cost, smallest, None)


def _run(
    supply: Counts, demand: Counts, offsets: Counts, cost: Floats, smallest: bool, flow: Counts | None
) -> Floats:
    m, total = cost.shape
    bags = len(offsets) - 1
    out = np.full(bags, np.nan)
    if not m or not total:
        out[:] = np.inf
        return out
    widest = int(np.diff(offsets).max())
    supply, demand, offsets = (np.ascontiguousarray(each, dtype=np.int64) for each in (supply, demand, offsets))
    costs = np.ascontiguousarray(cost, dtype=np.float64).reshape(m * total)
    moved = np.zeros(m * widest, dtype=np.int64) if flow is None else flow
    left, mark = np.zeros(m + widest, dtype=np.int64), np.zeros(2 * (m + widest), dtype=np.int64)
    number, bound = np.zeros(2 * (m + widest)), np.zeros(2 * bags)
    if cython.compiled:
        _distances(m, total, bags, smallest, supply, demand, offsets, costs, moved, left, number, mark, bound, out)
        return out
    # Python's own lists: an element of an array costs ten times as much there.
    given, wanted, cuts, prices = supply.tolist(), demand.tolist(), offsets.tolist(), costs.tolist()
    plan, found = moved.tolist(), out.tolist()
    work: tuple[list[Any], ...] = (left.tolist(), number.tolist(), mark.tolist(), bound.tolist())
    _distances(
        m, total, bags, smallest, given, wanted, cuts, prices, plan, work[0], work[1], work[2], work[3], found
    )
    moved[:] = plan
    return np.array(found)


@cython.cfunc
def _distances(
    m: cython.Py_ssize_t,
    total: cython.Py_ssize_t,
    bags: cython.Py_ssize_t,
    smallest: cython.bint,
    supply: cython.longlong[::1],
    demand: cython.longlong[::1],
    offsets: cython.longlong[::1],
    cost: cython.double[::1],
    flow: cython.longlong[::1],
    left: cython.longlong[::1],
    number: cython.double[::1],
    mark: cython.longlong[::1],
    bound: cython.double[::1],
    out: cython.double[::1],
) -> cython.void:
    k: cython.Py_ssize_t
    chosen: cython.Py_ssize_t
    best: cython.double = float("inf")
    for k in range(bags):
        bound[k] = 0.0
        bound[bags + k] = 0.0  # not done yet
        if smallest:
            bound[k] = _relaxed(m, total, offsets[k], offsets[k + 1], supply, demand, cost)
    while True:
        chosen = -1
        for k in range(bags):
            if bound[bags + k] == 0.0 and (chosen < 0 or bound[k] < bound[chosen]):
                chosen = k
        # The bounds ascend: once one is no less than the best, all that are left are.
        if chosen < 0 or (smallest and bound[chosen] >= best):
            break
        bound[bags + chosen] = 1.0
        out[chosen] = _solve(
            m, total, offsets[chosen], offsets[chosen + 1], supply, demand, cost, flow, left, number, mark
        )
        if out[chosen] < best:
            best = out[chosen]


@cython.cfunc
def _relaxed(
    m: cython.Py_ssize_t,
    total: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    supply: cython.longlong[::1],
    demand: cython.longlong[::1],
    cost: cython.double[::1],
) -> cython.double:
    """The larger of two bounds from below: all that is supplied, and all that is demanded, goes where it is nearest."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    near: cython.double
    mass: cython.double = 0.0
    rows: cython.double = 0.0
    columns: cython.double = 0.0
    if first == last:
        return float("inf")
    for i in range(m):
        near = cost[i * total + first]
        for j in range(first + 1, last):
            if cost[i * total + j] < near:
                near = cost[i * total + j]
        rows += near * supply[i]
        mass += supply[i]
    rows /= mass
    mass = 0.0
    for j in range(first, last):
        near = cost[j]
        for i in range(1, m):
            if cost[i * total + j] < near:
                near = cost[i * total + j]
        columns += near * demand[j]
        mass += demand[j]
    columns /= mass
    # A hair less: rounding must not raise a bound above the cost it bounds.
    return (rows if rows > columns else columns) * (1.0 - 1e-12)


@cython.cfunc
def _solve(
    m: cython.Py_ssize_t,
    total: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    supply: cython.longlong[::1],
    demand: cython.longlong[::1],
    cost: cython.double[::1],
    flow: cython.longlong[::1],
    left: cython.longlong[::1],
    number: cython.double[::1],
    mark: cython.longlong[::1],
) -> cython.double:
    n: cython.Py_ssize_t = last - first
    # What is left to give (rows, then columns); potentials and distances of rows and columns; in `mark` whether a
    # row or column was reached, and from where.
    wants: cython.Py_ssize_t = m
    u: cython.Py_ssize_t = 0
    v: cython.Py_ssize_t = m
    row_at: cython.Py_ssize_t = m + n
    column_at: cython.Py_ssize_t = 2 * m + n
    from_row: cython.Py_ssize_t = m + n
    from_column: cython.Py_ssize_t = m + 2 * n
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    start: cython.Py_ssize_t
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    amount: cython.longlong
    given: cython.longlong = 0
    wanted: cython.longlong = 0
    at: cython.double
    now: cython.double
    result: cython.double = 0.0
    if n == 0:
        return float("inf")
    for i in range(m):
        given += supply[i]
    for j in range(n):
        wanted += demand[first + j]
    for i in range(m):
        left[i] = supply[i] * wanted
        number[u + i] = 0.0
    for j in range(n):
        left[wants + j] = demand[first + j] * given
        at = cost[first + j]
        for i in range(1, m):
            if cost[i * total + first + j] < at:
                at = cost[i * total + first + j]
        number[v + j] = at
    for k in range(m * n):
        flow[k] = 0

    for start in range(m):
        while left[start] > 0:
            for i in range(m):
                mark[i] = 0
            for j in range(n):
                mark[m + j] = 0
                number[column_at + j] = float("inf")
            mark[start] = 1
            number[row_at + start] = 0.0
            for j in range(n):
                number[column_at + j] = cost[start * total + first + j] - number[u + start] - number[v + j]
                mark[from_row + j] = start
            while True:
                column = -1
                for j in range(n):
                    if not mark[m + j] and (column < 0 or number[column_at + j] < number[column_at + column]):
                        column = j
                at = number[column_at + column]
                mark[m + column] = 1
                if left[wants + column] > 0:
                    break
                for i in range(m):
                    if flow[i * n + column] > 0 and not mark[i]:
                        mark[i] = 1
                        number[row_at + i] = at
                        mark[from_column + i] = column
                        for j in range(n):
                            if not mark[m + j]:
                                now = at + cost[i * total + first + j] - number[u + i] - number[v + j]
                                if now < number[column_at + j]:
                                    number[column_at + j] = now
                                    mark[from_row + j] = i
            # How much the path can take, then take it.
            amount = left[start] if left[start] < left[wants + column] else left[wants + column]
            j = column
            row = mark[from_row + j]
            while row != start:
                j = mark[from_column + row]
                if flow[row * n + j] < amount:
                    amount = flow[row * n + j]
                row = mark[from_row + j]
            left[start] -= amount
            left[wants + column] -= amount
            j = column
            row = mark[from_row + j]
            flow[row * n + j] += amount
            while row != start:
                j = mark[from_column + row]
                flow[row * n + j] -= amount
                row = mark[from_row + j]
                flow[row * n + j] += amount
            for i in range(m):
                if mark[i]:
                    number[u + i] += at - number[row_at + i]
            for j in range(n):
                if mark[m + j]:
                    number[v + j] -= at - number[column_at + j]

    for i in range(m):
        for j in range(n):
            if flow[i * n + j]:
                result += flow[i * n + j] * cost[i * total + first + j]
    return result / (given * wanted)
