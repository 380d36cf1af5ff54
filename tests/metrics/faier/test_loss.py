"""The triplet loss (section 3.4) against a slow version, and the gradients of all that it depends on."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.metrics.faier.slow_graphs import D
from vericap.metrics.faier.fusion import Fusion
from vericap.metrics.faier.graphs import GraphLevel, ReferencePairs
from vericap.metrics.faier.inputs import grouped
from vericap.metrics.faier.loss import triplet_loss
from vericap.metrics.faier.matching import match_all
from vericap.metrics.faier.visual import GraphEncoder

pytestmark = [pytest.mark.torch, pytest.mark.usefixtures("exact")]


@pytest.mark.parametrize("hardest", [False, True])
def test_loss(hardest: bool) -> None:
    S, m, total = np.random.default_rng(1).normal(size=(6, 6)), 0.2, 0.0
    for k in range(6):
        others = [t for t in range(6) if t != k]
        if hardest:
            p, q = max(others, key=lambda t: S[k, t]), max(others, key=lambda t: S[t, k])
            total += max(0, m - S[k, k] + S[k, p]) + max(0, m - S[k, k] + S[q, k])
        else:
            total += sum(max(0, m - S[k, k] + S[k, t]) + max(0, m - S[k, k] + S[t, k]) for t in others)
    assert float(triplet_loss(torch.tensor(S), m, hardest)) == pytest.approx(total, abs=1e-12)


def test_gradients() -> None:
    check, (v, z) = torch.autograd.gradcheck, [torch.randn(5, D, requires_grad=True) for _ in range(2)]
    boxes, h = torch.rand(5, 4, requires_grad=True), torch.randn(6, D, requires_grad=True)
    images, captions = grouped(np.array([3, 2])), grouped(np.array([4, 2]))
    references = ReferencePairs.of(torch.tensor([0, 1, 1]), torch.tensor([2, 1]))
    by_boxes, by_features, fusion = GraphEncoder(D, boxes=True), GraphEncoder(D, boxes=False), Fusion(D)
    assert check(lambda v, b: by_boxes(GraphLevel(v, *images), b).flat()[0], (v, boxes))
    assert check(lambda v: by_features(GraphLevel(v, *images), None).flat()[0], (v,))
    assert check(lambda v, h: fusion(GraphLevel(v, *images), GraphLevel(h, *captions), references).nodes, (v, h))
    assert check(lambda z, h: match_all(GraphLevel(z, *images), GraphLevel(h, *captions)), (z, h))
    assert check(lambda z, h: triplet_loss(match_all(GraphLevel(z, *images), GraphLevel(h, *captions))), (z, h))
