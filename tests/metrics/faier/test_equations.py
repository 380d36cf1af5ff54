"""The paper's equations (sections 3.1 to 3.4) against slow versions that read like them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from tests.metrics.faier.slow_graphs import Array, D, graphs, gru_of, level, numbers, slow_gru
from vericap.arrays import Ragged
from vericap.metrics.faier.config import ModelConfig
from vericap.metrics.faier.equations import (
    encode_objects,
    encode_triplets,
    encode_words,
    fuse,
    match_all,
    match_pairs,
    relate_objects,
    triplet_loss,
)
from vericap.metrics.faier.layers import Layers, NumpyLinear
from vericap.metrics.faier.model import Model, random_weights, weight_shapes
from vericap.metrics.faier.packed import Sequences

close = partial(np.allclose, atol=2e-5)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def nodes(rng: np.random.Generator, *counts: int) -> list[Array]:
    return [numbers(rng, count, D) for count in counts]


def softmax(weight: list[float]) -> Array:
    return np.exp(weight) / np.exp(weight).sum()


def test_objects(rng: np.random.Generator) -> None:
    u, first, second = numbers(rng, 3, 5), numbers(rng, D, 5), numbers(rng, D, D)
    for found, u_i in zip(encode_objects(u, NumpyLinear(first), NumpyLinear(second)), u, strict=True):
        assert close(found, second @ np.tanh(first @ u_i))


@pytest.mark.parametrize("boxes", [True, False])
def test_relations_of_objects(boxes: bool, rng: np.random.Generator) -> None:
    images, w, message = nodes(rng, 4, 2, 1), numbers(rng, 4 if boxes else D), numbers(rng, D, D)
    frames = [rng.random((len(v), 4), np.float32) for v in images]
    found = graphs(relate_objects(level(images), np.concatenate(frames) if boxes else None, w, NumpyLinear(message)))
    for image, (v, b) in enumerate(zip(images, frames, strict=True)):
        for i in range(len(v)):
            pairs = [b[i] - b_j for b_j in b] if boxes else [v[i] * v_j for v_j in v]
            gamma = softmax([np.tanh(w @ pair) for pair in pairs])
            assert close(found[image][i], sum(g * (message @ v_j) for g, v_j in zip(gamma, v, strict=True)))
    # The reason for weights from features: with equal weights these two would be the same.
    assert not np.allclose(found[0][0], found[0][1])


def test_a_word_is_the_hidden_state_at_it(rng: np.random.Generator) -> None:
    # Beginnings and ends that are equal are read once.
    e, captions = numbers(rng, 9, 5), [[3, 1, 4, 1, 5, 8], [2], [3, 1, 4, 1, 8], [6, 5, 8]]
    (onward, there), (back, again) = gru_of(rng, 5, D // 2), gru_of(rng, 5, D // 2)
    found = iter(encode_words(e, Sequences.both_ways(Ragged.of(captions)), onward, back))
    for words in captions:
        states = zip(slow_gru(there, e[words]), slow_gru(again, e[words[::-1]])[::-1], strict=True)
        for forward, backward in states:
            assert close(next(found), np.concatenate([forward, backward]))


def test_a_triplet_is_the_last_hidden_state(rng: np.random.Generator) -> None:
    e, triplets = numbers(rng, 9, 5), [[3, 1, 4], [1, 5, 8, 2], [3, 1, 4]]
    (onward, there), (back, again) = gru_of(rng, 5, D // 2), gru_of(rng, 5, D // 2)
    found = encode_triplets(e, Sequences.both_ways(Ragged.of(triplets)), onward, back)
    for triplet, words in enumerate(triplets):
        assert close(
            found[triplet], np.concatenate([slow_gru(there, e[words])[-1], slow_gru(again, e[words[::-1]])[-1]])
        )


def test_fusion(rng: np.random.Generator) -> None:
    images, captions, attend, union = (
        nodes(rng, 3, 1),
        nodes(rng, 4, 2, 5, 0, 1),
        numbers(rng, D),
        numbers(rng, D, 2 * D),
    )
    of_scene = [[2, 0], [1, 3, 2, 4]]  # caption 3 has no node: a = 0
    gru, weights = gru_of(rng, D, D)
    found = graphs(fuse(level(images), level(captions), Ragged.of(of_scene), attend, gru, NumpyLinear(union)))
    for s, v in enumerate(images):
        for i in range(len(v)):
            attended = []
            for h_j in (captions[j] for j in of_scene[s]):
                alpha = softmax([attend @ (v[i] * h_jk) for h_jk in h_j]) if len(h_j) else []
                attended.append(sum((a * h_jk for a, h_jk in zip(alpha, h_j, strict=True)), np.zeros(D)))
            m = slow_gru(weights, np.stack(attended))[-1]
            assert close(found[s][i], union @ np.concatenate([v[i], m]))


def test_matching(rng: np.random.Generator) -> None:
    unions, candidates = nodes(rng, 3, 2, 0), nodes(rng, 4, 1, 0)
    found = match_all(level(unions), level(candidates))
    for c, h in enumerate(candidates):
        for s, z in enumerate(unions):
            best = [max(z_i @ h_k for z_i in z) for h_k in h] if len(z) else []
            assert close(found[c, s], sum(best) / max(len(h), 1))
    for scene in ([0, 1, 1], [2, 0, 2]):
        assert close(match_pairs(level(unions).pick(np.array(scene)), level(candidates)), found[range(3), scene])


def test_variants_are_matched_with_what_they_see_and_merged(rng: np.random.Generator) -> None:
    """AIEr: the nodes W_u h of all references; FIEr: v; FIEr+AIEr: a layer on both scores."""
    config = ModelConfig("fier+aier", dimension=D, boxes=False)
    weights = random_weights(weight_shapes(config, 5, 5, 1), 0)
    a, b = weights["merge.weight"][0] = numbers(rng, 2)
    model = Model(config, Layers(weights))
    images, captions, candidates = nodes(rng, 3, 2), nodes(rng, 4, 0, 2), nodes(rng, 2, 3)
    of_scene = [[2, 0], [1]]  # the second scene's only reference has no node
    visual, read, said = (
        {"objects": level(given), "relations": level(given)} for given in (images, captions, candidates)
    )
    found = model.score_all(model.scenes(visual, read, Ragged.of(of_scene)), said)
    for name in ("objects", "relations"):
        for s, own in enumerate(of_scene):
            h = np.concatenate([captions[j] for j in own]) @ weights[f"union.{name}.weight"].T
            for c, h_c in enumerate(candidates):
                fier = sum(max(v_i @ h_k for v_i in images[s]) for h_k in h_c) / len(h_c)
                aier = sum(max(h_i @ h_k for h_i in h) for h_k in h_c) / len(h_c) if len(h) else 0
                assert close(getattr(found, name)[c, s], a * fier + b * aier)
    assert np.array_equal(found.total, found.objects + found.relations)


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
    assert float(triplet_loss(S, m, hardest)) == pytest.approx(total, abs=1e-12)
