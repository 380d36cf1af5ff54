"""Graphs of different size in one tensor."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from vericap.metrics.faier.graphs import GraphBatch, GraphLevel, ReferencePairs
from vericap.metrics.faier.inputs import grouped

pytestmark = pytest.mark.torch


def test_padded_and_flat_nodes_are_the_same() -> None:
    level = GraphLevel(torch.arange(6.0).reshape(3, 2), *grouped(np.array([1, 0, 2])))
    nodes, graph = level.flat()
    assert graph.tolist() == [0, 2, 2] and torch.equal(level.padded()[level.mask], nodes)
    picked = GraphBatch(level, None).pick(torch.tensor([2, 0])).objects
    assert picked.flat()[0].tolist() == [[2, 3], [4, 5], [0, 1]] and picked.flat()[1].tolist() == [0, 0, 1]


def test_graphs_without_nodes_are_padded_with_zeros() -> None:
    level = GraphLevel(torch.zeros(0, 4), *grouped(np.array([0, 0])))
    assert level.padded().shape == (2, 1, 4) and not level.padded().any()


def test_pairs_are_in_the_order_of_their_scenes() -> None:
    pairs = ReferencePairs.of(torch.tensor([5, 6, 7]), torch.tensor([2, 1]))
    assert list(zip(pairs.scene.tolist(), pairs.caption.tolist(), strict=True)) == [(0, 5), (0, 6), (1, 7)]
