"""Exact optimal transport between small bags: successive shortest paths with potentials (Edmonds and Karp 1972).

Masses are counts, so the flow is a flow of whole numbers: no rounding decides where anything goes, and the cost is
exact up to the sum that gives it.
"""

from __future__ import annotations

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)
INFINITE = cython.declare(cython.double, float("inf"))

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


def transport(supply: Counts, demand: Counts, cost: Floats) -> tuple[float, Floats]:
    """Return the least cost of moving one bag into another, each of mass 1, and the flow, array [m, n].

    $$ \\min_{T \\ge 0} \\sum_{ij} T_{ij} c_{ij}, \\quad \\sum_j T_{ij} = a_i / \\sum a, \\quad
       \\sum_i T_{ij} = b_j / \\sum b $$

    >>> cost, plan = transport(np.array([1, 1]), np.array([3, 1]), np.array([[0.0, 1.0], [1.0, 2.0]]))
    >>> cost, plan.tolist()
    (0.75, [[0.5, 0.0], [0.25, 0.25]])
    """
    m, n = cost.shape
    if not m or not n:
        return float("inf"), np.zeros((m, n))
    mover = Mover(supply, demand, np.array([0, n], dtype=np.int64), cost)
    found = mover.costs(False)
    return float(found[0]), mover.moved().reshape(m, n) / float(supply.sum() * demand.sum())


def distances(supply: Counts, demand: Counts, offsets: Counts, cost: Floats, smallest: bool = False) -> Floats:
    """Return the least cost of moving one bag into each of several, side by side: bag k has the counts
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
    m, total = cost.shape
    if not m or not total:
        return np.full(len(offsets) - 1, np.inf)
    found: Floats = Mover(supply, demand, offsets, cost).costs(smallest)
    return found


@cython.final
@cython.cclass
class Mover:
    """Moves one bag into each of several, in memory taken once. Words of the bag that is moved are rows, words of the
    bag that it becomes are columns."""

    supply: cython.const[cython.longlong][::1]
    demand: cython.const[cython.longlong][::1]
    offsets: cython.const[cython.longlong][::1]
    cost: cython.const[cython.double][::1]  # of each row all columns of all bags
    m: cython.Py_ssize_t
    total: cython.Py_ssize_t
    bags: cython.Py_ssize_t

    # The bag at hand: its columns are first … first + n - 1.
    first: cython.Py_ssize_t
    n: cython.Py_ssize_t
    flow: cython.longlong[::1]  # from row i to column j: i * n + j

    # Of each row and of each column: what is left to give or take, its potential, how far the search found it, whether
    # the search is done with it, and whence it was reached.
    row_left: cython.longlong[::1]
    column_left: cython.longlong[::1]
    row_price: cython.double[::1]
    column_price: cython.double[::1]
    row_distance: cython.double[::1]
    column_distance: cython.double[::1]
    row_done: cython.longlong[::1]
    column_done: cython.longlong[::1]
    row_before: cython.longlong[::1]  # of a column
    column_before: cython.longlong[::1]  # of a row

    bound: cython.double[::1]  # of each bag: it costs no less
    solved: cython.longlong[::1]

    def __init__(self, supply: Counts, demand: Counts, offsets: Counts, cost: Floats) -> None:
        m: cython.Py_ssize_t = cost.shape[0]
        n: cython.Py_ssize_t = np.diff(offsets).max()
        self.m = m
        self.total = cost.shape[1]
        self.bags = len(offsets) - 1
        self.supply, self.demand = ROWS.copy(supply, np.int64), ROWS.copy(demand, np.int64)
        self.offsets, self.cost = ROWS.copy(offsets, np.int64), ROWS.copy(cost.reshape(-1), np.float64)
        self.flow = ROWS.zeros(m * n, np.int64)
        # Rows are cut from two blocks: making an array takes longer than to fill a short one.
        whole: cython.longlong[::1] = ROWS.zeros(3 * (m + n) + self.bags, np.int64)
        self.row_left, self.row_done, self.column_before = whole[:m], whole[m : 2 * m], whole[2 * m : 3 * m]
        whole = whole[3 * m :]
        self.column_left, self.column_done, self.row_before = whole[:n], whole[n : 2 * n], whole[2 * n : 3 * n]
        self.solved = whole[3 * n :]
        real: cython.double[::1] = ROWS.zeros(2 * (m + n) + self.bags, np.float64)
        self.row_price, self.row_distance = real[:m], real[m : 2 * m]
        real = real[2 * m :]
        self.column_price, self.column_distance, self.bound = real[:n], real[n : 2 * n], real[2 * n :]

    def costs(self, smallest: cython.bint) -> Floats:
        """Return the cost of each bag; with `smallest`, NaN for those that cannot be it."""
        k: cython.Py_ssize_t
        chosen: cython.Py_ssize_t
        found = np.full(self.bags, np.nan)
        out: cython.double[::1] = ROWS.view(found)
        best: cython.double = INFINITE
        with cython.nogil:
            if smallest:
                for k in range(self.bags):
                    self.bound[k] = self._relaxed(self.offsets[k], self.offsets[k + 1])
            while True:
                chosen = -1
                for k in range(self.bags):
                    if not self.solved[k] and (chosen < 0 or self.bound[k] < self.bound[chosen]):
                        chosen = k
                # The bounds ascend: once one is no less than the best, all that are left are.
                if chosen < 0 or (smallest and self.bound[chosen] >= best):
                    break
                self.solved[chosen] = 1
                out[chosen] = self._move(self.offsets[chosen], self.offsets[chosen + 1])
                best = min(best, out[chosen])
        return found

    def moved(self) -> Counts:
        """Return the flow to the last bag solved."""
        return np.asarray(self.flow, np.int64)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, near=cython.double)
    def _relaxed(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.double:
        """Return the larger of two lower bounds: all that is supplied, and all that is demanded, goes where it is
        nearest."""
        mass: cython.double = 0.0
        rows: cython.double = 0.0
        columns: cython.double = 0.0
        if first == last:
            return INFINITE
        for i in range(self.m):
            near = self.cost[i * self.total + first]
            for j in range(first + 1, last):
                near = min(near, self.cost[i * self.total + j])
            rows += near * self.supply[i]
            mass += self.supply[i]
        rows /= mass
        mass = 0.0
        for j in range(first, last):
            columns += self._nearest(j) * self.demand[j]
            mass += self.demand[j]
        columns /= mass
        # A hair less: rounding must not raise a bound above the cost it bounds.
        return max(rows, columns) * (1.0 - 1e-12)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _nearest(self, column: cython.Py_ssize_t) -> cython.double:
        """Return the least cost in a column."""
        i: cython.Py_ssize_t
        near: cython.double = self.cost[column]
        for i in range(1, self.m):
            near = min(near, self.cost[i * self.total + column])
        return near

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _move(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.double:
        """Return the least cost of moving the bag into the one of these columns; leaves the plan in `flow`."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        given: cython.longlong = 0
        wanted: cython.longlong = 0
        result: cython.double = 0.0
        if first == last:
            return INFINITE
        self.first = first
        self.n = last - first
        for i in range(self.m):
            given += self.supply[i]
        for j in range(first, last):
            wanted += self.demand[j]
        for i in range(self.m):
            self.row_left[i] = self.supply[i] * wanted
            self.row_price[i] = 0.0
        for j in range(self.n):
            self.column_left[j] = self.demand[first + j] * given
            self.column_price[j] = self._nearest(first + j)
        for i in range(self.m * self.n):
            self.flow[i] = 0
        for i in range(self.m):
            while self.row_left[i] > 0:
                self._send(i, self._find_column(i))
        for i in range(self.m):
            for j in range(self.n):
                if self.flow[i * self.n + j]:
                    result += self.flow[i * self.n + j] * self.cost[i * self.total + first + j]
        return result / (given * wanted)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, column=cython.Py_ssize_t, distance=cython.double)
    def _find_column(self, start: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the column nearest to a row, along paths that undo flow, that still takes something (Dijkstra)."""
        n: cython.Py_ssize_t = self.n
        for i in range(self.m):
            self.row_done[i] = 0
        for j in range(n):
            self.column_done[j] = 0
            self.column_distance[j] = INFINITE
            self.row_before[j] = start
        self._reach_from(start, 0.0, self.column_done, self.column_distance, self.column_price)
        while True:
            column = -1
            for j in range(n):
                if not self.column_done[j] and (column < 0 or self.column_distance[j] < self.column_distance[column]):
                    column = j
            self.column_done[column] = 1
            if self.column_left[column] > 0:
                return column
            for i in range(self.m):
                if self.flow[i * n + column] > 0 and not self.row_done[i]:
                    self.column_before[i] = column
                    distance = self.column_distance[column]
                    self._reach_from(i, distance, self.column_done, self.column_distance, self.column_price)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _reach_from(
        self,
        row: cython.Py_ssize_t,
        distance: cython.double,
        done: cython.longlong[::1],
        nearest: cython.double[::1],
        price: cython.double[::1],
    ) -> cython.void:
        """Note which columns are nearer by way of a row, which is this far away. (Rows of columns are handed over:
        those of an object are looked up again after each write.)"""
        j: cython.Py_ssize_t
        now: cython.double
        at: cython.Py_ssize_t = row * self.total + self.first
        own: cython.double = self.row_price[row]
        self.row_done[row] = 1
        self.row_distance[row] = distance
        for j in range(self.n):
            if not done[j]:
                now = distance + self.cost[at + j] - own - price[j]
                if now < nearest[j]:
                    nearest[j] = now
                    self.row_before[j] = row

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _send(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """Send from a row to a column as much as the path between them can take, and brings potentials up to date."""
        n: cython.Py_ssize_t = self.n
        row: cython.Py_ssize_t = self.row_before[end]
        column: cython.Py_ssize_t
        amount: cython.longlong = min(self.row_left[start], self.column_left[end])
        distance: cython.double = self.column_distance[end]
        while row != start:
            column = self.column_before[row]
            amount = min(amount, self.flow[row * n + column])
            row = self.row_before[column]
        self.row_left[start] -= amount
        self.column_left[end] -= amount
        row = self.row_before[end]
        self.flow[row * n + end] += amount
        while row != start:
            column = self.column_before[row]
            self.flow[row * n + column] -= amount
            row = self.row_before[column]
            self.flow[row * n + column] += amount
        for row in range(self.m):
            if self.row_done[row]:
                self.row_price[row] += distance - self.row_distance[row]
        for column in range(n):
            if self.column_done[column]:
                self.column_price[column] -= distance - self.column_distance[column]
