"""Graphs and sequences of different sizes in one array."""

from __future__ import annotations

import numpy as np

from vericap.arrays import Ragged
from vericap.metrics.faier.packed import GraphLevel, Sequences, pick


def test_padded_and_flat_nodes_are_the_same() -> None:
    level = GraphLevel.of(np.arange(6.0).reshape(3, 2), np.array([1, 0, 2]))
    padded, mask = level.padded()
    assert mask.sum(axis=1).tolist() == [1, 0, 2] and np.array_equal(padded[mask], level.flat())
    picked = pick({"objects": level}, np.array([2, 0]))["objects"]
    assert picked.flat().tolist() == [[2, 3], [4, 5], [0, 1]] and picked.rows.row.tolist() == [0, 0, 1]


def test_graphs_without_nodes_are_padded_with_zeros() -> None:
    nodes, mask = GraphLevel.of(np.zeros((0, 4)), np.array([0, 0])).padded()
    assert nodes.shape == (2, 1, 4) and not nodes.any() and not mask.any()


def test_the_nodes_of_sequences_lead_back_to_their_beginnings() -> None:
    rng = np.random.default_rng(0)
    given = [rng.integers(3, size=length).tolist() for length in rng.integers(1, 9, 40)]
    for packed, turned in zip(Sequences.both_ways(Ragged.of(given)), (False, True), strict=True):
        first = 0
        for row, items in enumerate(given):
            node, read = int(packed.last[row]), []
            for _ in items:
                read.append(int(packed.items[node]))
                node = int(packed.before[node])
            assert read == (items if turned else items[::-1])
            assert packed.items[packed.place[first : first + len(items)]].tolist() == items
            first += len(items)
        assert len(packed.items) < sum(map(len, given))  # equal beginnings are one
