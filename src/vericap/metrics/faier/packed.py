"""Graphs and sequences of different sizes, each kind in one array without padding. The arrays of numbers are NumPy's or
torch's; those that say which rows belong together are NumPy's."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from vericap.arrays import Booleans, Integers, Ragged, offsets_of

_SHARED = 4  # first items of sequences that are looked at for equal beginnings


def namespace(x: Any) -> Any:
    """Return the module whose functions take this array: NumPy, or torch for its tensors."""
    return np if isinstance(x, np.ndarray) else sys.modules["torch"]


def take(x: Any, rows: Integers) -> Any:
    """Return rows of an array, in the shape of `rows`."""
    if isinstance(x, np.ndarray):
        return x.take(rows, axis=0)
    chosen = x.index_select(0, namespace(x).from_numpy(rows.reshape(-1)))  # its gradient is faster than that of x[rows]
    return chosen.reshape(*rows.shape, *x.shape[1:])


def alike(x: Any, *counts: Integers) -> list[Integers]:
    """Return the rows that are padded together, given how many nodes each has of one kind or more: in NumPy those that
    are as wide after it, so that little is padding, and how matrices are multiplied depends on no other row; all in
    torch, for which many small arrays are slow.

    >>> [rows.tolist() for rows in alike(np.zeros(0), np.array([11, 10, 3, 0, 3]))]
    [[3], [2, 4], [1, 0]]
    """
    order = np.lexsort(counts)
    if not isinstance(x, np.ndarray):
        return [order]
    widths = np.stack([_rounded(each[order]) for each in counts])
    return np.split(order, np.flatnonzero((widths[:, 1:] != widths[:, :-1]).any(axis=0)) + 1) if len(order) else []


def _rounded(counts: Integers) -> Integers:
    """Return how wide rows with this many nodes are made: up to eight as they are, then a multiple of four."""
    return np.where(counts > 8, -(-counts // 4) * 4, counts)


class GraphLevel(NamedTuple):
    """The nodes [n, d] of graphs at one level (objects or relations), and which rows of them each graph has."""

    nodes: Any
    rows: Ragged

    @classmethod
    def of(cls, nodes: Any, counts: Integers) -> GraphLevel:
        """From the nodes of all graphs, one after the other, and how many each has."""
        return cls(nodes, Ragged(np.arange(len(nodes)), offsets_of(counts)))

    def padded(self) -> tuple[Any, Booleans]:
        """Return nodes as [graphs, most nodes, d], and which there are [graphs, most nodes]; others are any node.

        >>> nodes, mask = GraphLevel.of(np.eye(3, 1), np.array([1, 0, 2])).padded()
        >>> nodes.shape, mask.astype(int).tolist()
        ((3, 2, 1), [[1, 0], [0, 0], [1, 1]])
        """
        counts = self.rows.lengths
        mask = np.arange(max(1, int(_rounded(counts).max(initial=0)))) < counts[:, None]
        place = np.zeros(mask.shape, np.int64)
        place[mask] = self.rows.values
        if len(self.nodes):
            return take(self.nodes, place), mask
        return namespace(self.nodes).zeros((*place.shape, *self.nodes.shape[1:]), dtype=self.nodes.dtype), mask

    def flat(self) -> Any:
        """Return nodes [n, d] graph by graph."""
        return take(self.nodes, self.rows.values)

    def pick(self, graphs: Integers) -> GraphLevel:
        """Return some of the graphs."""
        return GraphLevel(self.nodes, self.rows.take(graphs))


# Scene graphs by level: "objects", and "relations" unless the model has none.
Graphs: TypeAlias = dict[str, GraphLevel]


def pick(graphs: Graphs, rows: Integers) -> Graphs:
    """Return some of the graphs."""
    return {name: level.pick(rows) for name, level in graphs.items()}


class Sequences(NamedTuple):
    """Sequences as a GRU reads them: step by step, equal beginnings once.

    A node is an item behind the items before it. Node n reads item `items[n]` after node `before[n]`; those of step t
    are the nodes from `steps[t]` to `steps[t + 1]`.
    """

    items: Integers
    before: Integers
    steps: list[int]
    place: Integers  # the node of each item of each sequence, one sequence after the other
    last: Integers  # [sequences]: the node of the last item

    @classmethod
    def pack(cls, values: Integers, lengths: Integers) -> Sequences:
        """Sequences given one after the other, none of them empty.

        >>> packed = Sequences.pack(np.array([5, 6, 5, 8, 9]), np.array([2, 3]))
        >>> packed.items.tolist(), packed.before.tolist(), packed.steps, packed.place.tolist()
        ([5, 6, 8, 9], [0, 0, 0, 2], [0, 1, 3, 4], [0, 1, 0, 2, 3])
        """
        step = np.arange(int(lengths.max(initial=0)))
        inside = step < lengths[:, None]
        table = np.full(inside.shape, -1, np.int64)
        table[inside] = values
        order = np.lexsort(table[:, _SHARED - 1 :: -1].T) if len(step) else np.zeros(0, np.int64)
        table = table[order]
        new = inside[order]
        new[1:, :_SHARED] &= np.logical_or.accumulate(table[1:, :_SHARED] != table[:-1, :_SHARED], axis=1)
        steps = offsets_of(new.sum(axis=0))
        node = np.cumsum(new, axis=0) - 1 + steps[:-1]  # numbered step by step: down the columns
        before = np.where(step > 0, np.roll(node, 1, axis=1), 0)
        place = np.empty_like(node)
        place[order] = node
        place = place[inside]
        return cls(table.T[new.T], before.T[new.T], steps.tolist(), place, place[offsets_of(lengths)[1:] - 1])

    @classmethod
    def both_ways(cls, sequences: Ragged) -> tuple[Sequences, Sequences]:
        """Return sequences, and the same from their ends to their beginnings; `place` is in the order of the former."""
        ends = sequences.offsets
        turned = (ends[:-1] + ends[1:] - 1)[sequences.row] - np.arange(ends[-1])
        back = cls.pack(sequences.values[turned], sequences.lengths)
        return cls.pack(sequences.values, sequences.lengths), back._replace(place=back.place[turned])
