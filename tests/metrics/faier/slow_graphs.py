"""Small graphs, and what their encoders compute written out, for tests of the paper's equations."""

from __future__ import annotations

import numpy as np
import torch

from vericap.metrics.faier.packed import GraphLevel, PackedGRU, Sequences, grouped

D = 8


def level(nodes: list[torch.Tensor]) -> GraphLevel:
    """Graphs with these nodes."""
    return GraphLevel(torch.cat(nodes), *grouped(np.array([len(n) for n in nodes])))


def random_nodes(*counts: int) -> list[torch.Tensor]:
    return [torch.randn(n, D) for n in counts]


def pack(rows: list[list[int]]) -> Sequences:
    return Sequences.pack(np.array([v for row in rows for v in row]), np.array([len(row) for row in rows]))


def slow_gru(gru: PackedGRU, sequence: torch.Tensor) -> list[torch.Tensor]:
    """Cho et al. 2014: reset r, update z, new n."""
    h, states = torch.zeros(gru.hidden.in_features), []
    for x in sequence:
        (i_r, i_z, i_n), (h_r, h_z, h_n) = gru.input(x).chunk(3), gru.hidden(h).chunk(3)
        r, z = torch.sigmoid(i_r + h_r), torch.sigmoid(i_z + h_z)
        n = torch.tanh(i_n + r * h_n)
        h = (1 - z) * n + z * h
        states.append(h)
    return states
