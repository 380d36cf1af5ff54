"""Pairs with ties: accuracy counted pair by pair, and the threshold for a tie that suits a metric best."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.stats import pairwise
from vericap.stats.correlation import kendall_b
from vericap.stats.pairwise import calibrate


def counted(metric: list[float], human: list[float], threshold: float) -> float:
    """The definition, pair by pair."""
    right = 0
    pairs = list(combinations(range(len(metric)), 2))
    for i, j in pairs:
        difference = metric[i] - metric[j]
        predicted = 0 if abs(difference) <= threshold else np.sign(difference)
        right += predicted == np.sign(human[i] - human[j])
    return right / len(pairs)


def accuracy(*given: Any, threshold: float = 0.0, seed: int = 0) -> float:
    """The accuracy with a threshold, from the pairs that calibration looks at."""
    scores, human, group = [*given, None][:3]
    apart, tied, agree, weight = pairwise._pairs(scores, human, group, seed)
    return float(weight[np.where(apart > threshold, agree, tied)].sum())


rated = st.lists(st.tuples(st.integers(0, 40).map(lambda x: x / 8), st.integers(1, 4)), min_size=2, max_size=15)


@given(rated, st.sampled_from([0.0, 0.125, 1.0]))
def test_pairwise_accuracy_is_counted_pair_by_pair(rows: list[tuple[float, int]], threshold: float) -> None:
    metric, human = zip(*rows, strict=True)
    assert accuracy(metric, human, threshold=threshold) == pytest.approx(counted(metric, human, threshold))


@given(rated)
def test_calibration_finds_the_best_of_all_thresholds(rows: list[tuple[float, int]]) -> None:
    metric, human = zip(*rows, strict=True)
    found = calibrate(metric, human)
    tried = sorted({0.0, *(abs(a - b) for a, b in combinations(metric, 2))})
    values = [counted(metric, human, threshold) for threshold in tried]
    assert found.accuracy == pytest.approx(max(values))
    assert found.threshold == tried[int(np.argmax(np.array(values) >= max(values) - 1e-12))]
    assert found.accuracy == pytest.approx(accuracy(metric, human, threshold=found.threshold))


def test_images_count_alike_however_many_captions_they_have() -> None:
    metric, human, image = [1, 2, 1, 2, 3], [1, 2, 3, 2, 1], [0, 0, 1, 1, 1]
    assert accuracy(metric, human, image) == pytest.approx((1 + 0) / 2)


def test_without_ties_it_is_kendalls_tau_on_another_scale() -> None:
    metric, human = np.random.default_rng(1).permutation(40), np.arange(40)
    assert accuracy(metric, human) == pytest.approx((kendall_b(metric, human) + 1) / 2)


def test_many_rows_are_judged_by_pairs_drawn_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    human = random.integers(0, 4, 600)
    metric = random.normal(human).round(1)
    whole = accuracy(metric, human, threshold=0.3)
    monkeypatch.setattr(pairwise, "MOST_PAIRS", 20_000)
    assert accuracy(metric, human, threshold=0.3) != whole
    assert accuracy(metric, human, threshold=0.3) == pytest.approx(whole, abs=0.015)
    assert calibrate(metric, human).pairs == 20_000
    again, other = (accuracy(metric, human, threshold=0.3, seed=seed) for seed in (0, 1))
    assert again == accuracy(metric, human, threshold=0.3) != other


def test_pairs_drawn_are_pairs_of_one_image(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside an image the metric is always right, across images never: a pair across would show."""
    image = np.repeat(np.arange(30), 8)
    human = np.tile(np.arange(8), 30)
    monkeypatch.setattr(pairwise, "MOST_PAIRS", 300)
    assert accuracy(human - 100 * image, human, image) == pytest.approx(1)


def test_a_single_row_has_no_pairs() -> None:
    assert calibrate([1.0], [1.0]).pairs == 0
    assert np.isnan(calibrate([1.0, np.nan], [1.0, 2.0]).accuracy)
