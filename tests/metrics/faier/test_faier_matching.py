"""Scene graph matching (section 3.3, equation 3) against a slow version that reads like it."""

from __future__ import annotations

import pytest
import torch

from tests.metrics.faier.slow_graphs import D, level, random_nodes
from vericap.metrics.faier.config import ModelConfig
from vericap.metrics.faier.graphs import GraphBatch, ReferencePairs
from vericap.metrics.faier.matching import match_all, match_pairs
from vericap.metrics.faier.model import Model

pytestmark = [pytest.mark.torch, pytest.mark.usefixtures("exact")]


def test_matching() -> None:
    unions, candidates = random_nodes(3, 2, 0), random_nodes(4, 1, 0)
    found = match_all(level(unions), level(candidates))
    for c, h in enumerate(candidates):
        for s, z in enumerate(unions):
            best = [max(z_i @ h_k for z_i in z) for h_k in h] if len(z) else []
            assert torch.allclose(found[c, s], sum(best, torch.tensor(0.0)) / max(len(h), 1))
    for scene in ([0, 1, 1], [2, 0, 2]):
        own = match_pairs(level(unions), level(candidates), torch.tensor(scene))
        assert torch.allclose(own, found[range(3), scene])


def test_variants_are_matched_with_what_they_see_and_merged() -> None:
    """AIEr: the nodes W_u h of all references; FIEr: v; FIEr+AIEr: a layer on both scores."""
    config = ModelConfig("fier+aier", dimension=D, boxes=False)
    model = Model(config, 5, 5, 1)
    torch.nn.init.normal_(model.merge.weight)
    images, captions, candidates = random_nodes(3, 2), random_nodes(4, 0, 2), random_nodes(2, 3)
    of_scene = [[2, 0], [1]]  # the second scene's only reference has no node
    references = ReferencePairs.of(torch.tensor([2, 0, 1]), torch.tensor([2, 1]))
    visual, read, said = (GraphBatch(level(nodes), level(nodes)) for nodes in (images, captions, candidates))
    found = model.score_all(model.scenes(visual, read, references), said)
    a, b = model.merge.weight[0]
    for name in ("objects", "relations"):
        for s, own in enumerate(of_scene):
            h = torch.cat([captions[j] for j in own]) @ model.union[name].weight.T
            for c, h_c in enumerate(candidates):
                fier = sum(max(v_i @ h_k for v_i in images[s]) for h_k in h_c) / len(h_c)
                aier = sum(max(h_i @ h_k for h_i in h) for h_k in h_c) / len(h_c) if len(h) else 0
                assert torch.allclose(getattr(found, name)[c, s], a * fier + b * aier)
    assert torch.equal(found.total, found.objects + found.relations)
