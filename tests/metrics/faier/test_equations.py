"""The paper's equations (sections 3.1 to 3.4) against slow versions that read like them, and their gradients."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn.functional import softmax

from tests.metrics.faier.slow_graphs import D, level, pack, random_nodes, slow_gru
from vericap.metrics.faier.config import ModelConfig
from vericap.metrics.faier.equations import (
    Fusion,
    GraphEncoder,
    ObjectEncoder,
    TripletEncoder,
    WordEncoder,
    match_all,
    match_pairs,
    triplet_loss,
)
from vericap.metrics.faier.model import Model
from vericap.metrics.faier.packed import GraphLevel, ReferencePairs, grouped

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


def test_word_encoder_is_the_hidden_state_at_each_word() -> None:
    encoder, e, captions = WordEncoder(5, D), torch.randn(9, 5), [[3, 1, 4, 1, 5, 8], [2], [6, 5, 3]]
    packed = pack(captions)
    found = GraphLevel(encoder(e, packed), packed.place, packed.mask).padded()
    for caption, words in enumerate(captions):
        forward, backward = slow_gru(encoder.onward, e[words]), slow_gru(encoder.back, e[words[::-1]])[::-1]
        for k in range(len(words)):
            assert torch.allclose(found[caption, k], torch.cat([forward[k], backward[k]]))


def test_triplet_encoder_is_the_last_hidden_state() -> None:
    encoder, e, triplets = TripletEncoder(5, D), torch.randn(9, 5), [[3, 1, 4], [1, 5, 8, 2]]
    found = encoder(e, pack(triplets))
    for triplet, words in enumerate(triplets):
        forward, backward = slow_gru(encoder.onward, e[words])[-1], slow_gru(encoder.back, e[words[::-1]])[-1]
        assert torch.allclose(found[triplet], torch.cat([forward, backward]))


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
    visual, read, said = (
        {"objects": level(nodes), "relations": level(nodes)} for nodes in (images, captions, candidates)
    )
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
