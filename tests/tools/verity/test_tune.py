"""Weights fitted to judgements: what people look at weighs, nothing weighs less than nothing."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.metrics.verity.models import CAPTIONS, REFERENCES, write_small
from tools.verity.tune import Told, fit, known_of, told
from vericap.metrics.verity.matching import FEATURES
from vericap.metrics.verity.model import Model

pytestmark = pytest.mark.torch


def ratings(weights, seed=0, rows=500):
    known = np.random.default_rng(seed).normal(size=(rows, 2 * len(FEATURES)))
    return Told(known, known @ weights)


def test_what_people_look_at_is_found():
    weights = np.zeros(2 * len(FEATURES))
    weights[[0, 6, 10]] = 1.0, 2.0, -1.0
    features, yardstick = fit([ratings(weights), ratings(weights, 1)], penalty=1e-9)
    assert np.append(features, yardstick) == pytest.approx(weights, abs=1e-3)


def test_a_feature_that_people_would_count_against_a_caption_does_not_count():
    weights = np.zeros(2 * len(FEATURES))
    weights[0], weights[1] = 1.0, -1.0
    features, _ = fit([ratings(weights)], penalty=1e-9)
    assert features[1] == pytest.approx(0, abs=1e-6)
    assert features[0] > 0.9


def test_each_benchmark_weighs_the_same_however_large():
    one, other = np.eye(2 * len(FEATURES))[[0, 1]]
    features, _ = fit([ratings(one, rows=200), ratings(other, 1, rows=20_000)], penalty=1e-9)
    assert features[0] == pytest.approx(features[1], abs=0.15)


def test_features_and_yardstick_stand_beside_each_other(tmp_path):
    write_small(tmp_path)
    known = known_of(Model(tmp_path), CAPTIONS, [REFERENCES] * len(CAPTIONS))
    assert known.shape == (len(CAPTIONS), 2 * len(FEATURES))
    assert np.ptp(known[:, len(FEATURES) :], axis=0) == pytest.approx(0)  # the references are the same


def test_ratings_have_mean_0_and_deviation_1_in_their_benchmark(tmp_path):
    write_small(tmp_path / "model")
    (tmp_path / "composite").mkdir()
    row = {"dataset": "coco", "references": REFERENCES}
    rows = [
        {**row, "image_id": "1", "cand_index": place, "caption": caption, "correctness": place + 1}
        for place, caption in enumerate(CAPTIONS[:3])
    ]
    (tmp_path / "composite" / "composite_joined.json").write_text(json.dumps(rows), "utf-8")
    found = told("composite", tmp_path, Model(tmp_path / "model"))
    assert found.said == pytest.approx([-np.sqrt(1.5), 0, np.sqrt(1.5)])
    assert found.known.mean(axis=0) == pytest.approx(0, abs=1e-6)
