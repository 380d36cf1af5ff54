"""The visual scene graph (section 3.1) against a slow version that reads like it."""

from __future__ import annotations

import pytest
import torch

from tests.metrics.faier.slow_graphs import D, level, random_nodes
from vericap.metrics.faier.visual import GraphEncoder, ObjectEncoder

pytestmark = [pytest.mark.torch, pytest.mark.usefixtures("exact")]


def test_object_encoder() -> None:
    encoder, u = ObjectEncoder(5, D), torch.randn(3, 5)
    for found, u_i in zip(encoder(u), u, strict=True):
        assert torch.allclose(found, encoder.second.weight @ torch.tanh(encoder.first.weight @ u_i))


@pytest.mark.parametrize("boxes", [True, False])
def test_graph_encoder(boxes: bool) -> None:
    encoder, images = GraphEncoder(D, boxes), random_nodes(4, 2, 1)
    frames = [torch.rand(len(v), 4) for v in images]
    found = encoder(level(images), torch.cat(frames) if boxes else None)
    for image, (v, b) in enumerate(zip(images, frames, strict=True)):
        for i in range(len(v)):
            pairs = [b[i] - b_j for b_j in b] if boxes else [v[i] * v_j for v_j in v]
            e = [torch.exp(torch.tanh(encoder.weight.weight[0] @ pair)) for pair in pairs]
            v_r = sum(e_j / sum(e) * (encoder.message.weight @ v_j) for e_j, v_j in zip(e, v, strict=True))
            assert torch.allclose(found.padded()[image, i], v_r)
    # The reason for weights from features: with equal weights these two would be the same.
    assert not torch.allclose(found.padded()[0, 0], found.padded()[0, 1])
