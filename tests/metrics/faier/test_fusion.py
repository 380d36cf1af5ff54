"""Scene graph fusing (section 3.2, equation 2) against a slow version that reads like it."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import softmax

from tests.metrics.faier.slow_graphs import D, level, random_nodes, slow_gru
from vericap.metrics.faier.fusion import Fusion
from vericap.metrics.faier.graphs import ReferencePairs

pytestmark = [pytest.mark.torch, pytest.mark.usefixtures("exact")]


def test_fusion() -> None:
    fusion, images, captions = Fusion(D), random_nodes(3, 1), random_nodes(4, 2, 5, 0)
    of_scene = [[2, 0], [1, 3, 2]]  # caption 3 has no node: a = 0
    references = ReferencePairs.of(torch.tensor([2, 0, 1, 3, 2]), torch.tensor([2, 3]))
    found = fusion(level(images), level(captions), references).padded()
    for s, v in enumerate(images):
        for i in range(len(v)):
            attended = []
            for h_j in (captions[j] for j in of_scene[s]):
                weight = [fusion.attend.weight[0] @ (v[i] * h_jk) for h_jk in h_j]
                alpha = softmax(torch.stack(weight), 0) if weight else []
                attended.append(sum((a * h_jk for a, h_jk in zip(alpha, h_j, strict=True)), torch.zeros(D)))
            m = slow_gru(fusion.gru, torch.stack(attended))[-1]
            assert torch.allclose(found[s, i], fusion.union.weight @ torch.cat([v[i], m]))
