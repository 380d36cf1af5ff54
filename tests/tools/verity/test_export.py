"""What is exported is the network: 8 bits change little, and calibration puts z = 0 in the middle."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.metrics.verity.models import CAPTIONS, REFERENCES
from tests.tools.verity.networks import export_small, small_network
from tools.verity.export import count_layers, fit_logistic, head_of, read_state
from vericap.corpus import Corpus
from vericap.metrics.verity import Verity
from vericap.views import Views

pytestmark = pytest.mark.torch


def logits(folder):
    metric = Verity(str(folder), scale="logit")
    return metric.score(metric.statistics(Views(Corpus.from_lists(CAPTIONS, [REFERENCES] * len(CAPTIONS)))))


def test_eight_bits_are_near_the_floats(tmp_path):
    export_small(tmp_path / "exact")
    export_small(tmp_path / "small", exact=False)
    exact, small = logits(tmp_path / "exact"), logits(tmp_path / "small")
    assert not np.array_equal(exact, small)
    assert np.abs(exact - small).max() < 0.1 * np.ptp(exact)


def test_stretched_sums_give_stretched_logits():
    sums = head_of(small_network().state_dict()).sums
    features, alone = np.random.default_rng(0).normal(size=(5, 8)), 0.7
    plain = sums.statistics(features, np.full(5, alone))[:, :4].sum(axis=1)
    changed = sums.stretched(2.0, 3.0).statistics(features, np.full(5, 2 * alone + 3))[:, :4].sum(axis=1)
    assert changed == pytest.approx(2 * plain + 3)


def test_the_middle_is_where_both_are_equally_likely():
    random = np.random.default_rng(0)
    z = np.concatenate([random.normal(4, 1, 4000), random.normal(0, 1, 8000)])
    slope, shift = fit_logistic(z, np.arange(len(z)) < 4000)
    assert -shift / slope == pytest.approx(2, abs=0.1)
    assert slope == pytest.approx(4, abs=0.3)  # of two normal distributions: their distance over the variance


def test_a_checkpoint_and_bare_weights_are_read(tmp_path):
    state = small_network().state_dict()
    torch.save(state, tmp_path / "bare.pt")
    torch.save({"state": state, "step": 3}, tmp_path / "checkpoint.pt")
    for name in ("bare.pt", "checkpoint.pt"):
        assert count_layers(read_state(tmp_path / name)) == 2
