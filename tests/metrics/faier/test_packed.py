"""Graphs and sequences of different sizes in one tensor, and a GRU without padding, which is torch's."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.metrics.faier.slow_graphs import pack
from vericap.metrics.faier.packed import GraphLevel, PackedGRU, ReferencePairs, grouped, pick

pytestmark = [pytest.mark.torch, pytest.mark.usefixtures("exact")]


def test_padded_and_flat_nodes_are_the_same() -> None:
    level = GraphLevel(torch.arange(6.0).reshape(3, 2), *grouped(np.array([1, 0, 2])))
    nodes, graph = level.flat()
    assert graph.tolist() == [0, 2, 2] and torch.equal(level.padded()[level.mask], nodes)
    picked = pick({"objects": level}, torch.tensor([2, 0]))["objects"]
    assert picked.flat()[0].tolist() == [[2, 3], [4, 5], [0, 1]] and picked.flat()[1].tolist() == [0, 0, 1]


def test_graphs_without_nodes_are_padded_with_zeros() -> None:
    level = GraphLevel(torch.zeros(0, 4), *grouped(np.array([0, 0])))
    assert level.padded().shape == (2, 1, 4) and not level.padded().any()


def test_pairs_are_in_the_order_of_their_scenes() -> None:
    pairs = ReferencePairs.of(torch.tensor([5, 6, 7]), torch.tensor([2, 1]))
    assert list(zip(pairs.scene.tolist(), pairs.caption.tolist(), strict=True)) == [(0, 5), (0, 6), (1, 7)]


def test_recurrence_is_torch_s_gru() -> None:
    ours, rows = PackedGRU(3, 2), [[0, 1], [2, 3, 4, 5], [6]]
    theirs = torch.nn.GRU(3, 2)
    weights = (ours.input.weight, ours.hidden.weight, ours.input.bias, ours.hidden.bias)
    with torch.no_grad():
        for own, other in zip(weights, theirs.parameters(), strict=True):
            other.copy_(own)
    x, packed = torch.randn(7, 3, requires_grad=True), pack(rows)
    found = ours(ours.input(x[packed.items]), packed.running)
    given = torch.nn.utils.rnn.pack_sequence([x[row] for row in rows], enforce_sorted=False)
    states, last = theirs(given)
    assert torch.allclose(found, states.data)
    assert torch.allclose(found[packed.last], last[0])
    assert torch.autograd.gradcheck(lambda x, *_: ours(ours.input(x[packed.items]), packed.running), (x, *weights))
