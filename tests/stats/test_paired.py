"""Paired tests: how often they cry wolf, how often they see a real difference, and what they are by definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from vericap.stats.correlation import Paired, kendall_b, pearson, spearman
from vericap.stats.paired import bootstrap_test, permutation_test, permuted_correlation
from vericap.stats.resampling import draw

NAMES = st.sampled_from(["kendall_b", "pearson"])
IMAGES, ROWS = 60, 2
IMAGE = np.repeat(np.arange(IMAGES), ROWS)


def sample(random: np.random.Generator, advantage: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Two metrics, the human scores and the quality of captions; noise is shared inside an image, and the first metric
    has less of it."""
    quality = random.normal(size=IMAGES * ROWS)
    human = np.digitize(quality + random.normal(0, 0.5, IMAGES * ROWS), [-1.0, 0.0, 1.0]).astype(float)
    noise = random.normal(size=(2, IMAGES))[:, IMAGE] + random.normal(0, 0.5, (2, IMAGES * ROWS))
    return quality + noise[0] * (1 - advantage), quality + noise[1], human, quality


def alarms(advantage: float, samples: int, seed: int) -> dict[str, float]:
    """In which share of the samples each test finds a difference at the level of 5 %."""
    found = dict.fromkeys(["bootstrap of tau", "permutation of tau", "permutation of means"], 0.0)
    random = np.random.default_rng(seed)
    for number in range(samples):
        first, second, human, quality = sample(random, advantage)
        weights = draw(IMAGES, 199, number)
        tau = [Paired(x, human, IMAGE).coefficients(weights, ["kendall_b"])["kendall_b"] for x in (first, second)]
        errors = [np.abs(x - quality) for x in (first, second)]
        p = [
            bootstrap_test(*tau),
            permuted_correlation(first, second, human, IMAGE, resamples=199, seed=number),
            permutation_test(*errors, IMAGE, resamples=199, seed=number),
        ]
        for name, value in zip(found, p, strict=True):
            found[name] += (value <= 0.05) / samples
    return found


def test_false_alarms_are_as_rare_as_promised() -> None:
    """Two metrics that are equally good differ at the level of 5 % in about 5 % of the samples."""
    rates = alarms(0.0, samples=500, seed=1)
    assert all(0.03 <= rate <= 0.07 for rate in rates.values()), rates


def test_a_real_difference_is_seen_and_a_small_one_less_often() -> None:
    large, small = (alarms(advantage, samples=100, seed=2) for advantage in (0.8, 0.2))
    assert all(rate > 0.9 for rate in large.values()), large
    assert all(0.1 < rate < 0.6 for rate in small.values()), small


def test_rows_of_an_image_taken_as_independent_cry_wolf() -> None:
    """Five captions of an image share its noise: a test that does not know so finds differences that are not there."""
    random = np.random.default_rng(6)
    image = np.repeat(np.arange(40), 5)
    rate = {True: 0, False: 0}
    for number in range(300):
        difference = random.normal(size=40)[image] + random.normal(0, 0.2, 200)
        for knows in rate:
            p = permutation_test(difference, np.zeros(200), image if knows else None, resamples=199, seed=number)
            rate[knows] += p < 0.05
    assert rate[True] / 300 < 0.08
    assert rate[False] / 300 > 0.2


@given(st.lists(st.floats(-5, 5).map(lambda x: round(x, 2)), min_size=2, max_size=8))
def test_permutation_test_approaches_the_exact_one(differences: list[float]) -> None:
    observed = abs(sum(differences))
    signs = np.array(list(product([1, -1], repeat=len(differences))))
    exact = (np.abs(signs @ np.array(differences)) >= observed - 1e-9).mean()
    found = permutation_test(differences, np.zeros(len(differences)), resamples=4000)
    assert found == pytest.approx(exact, abs=0.04)


@settings(max_examples=30)
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=4, max_size=20), NAMES)
def test_a_permutation_is_the_mixed_columns_ranked_anew(rows: list[tuple[int, int, int]], name: str) -> None:
    """One exchange at a time, against SciPy on the columns written out: that is what weights of 0 and 1 stand for."""
    first, second, human = np.array(rows, float).T
    coefficient = {"kendall_b": kendall_b, "pearson": pearson}[name]
    if np.isnan([coefficient(first, human), coefficient(second, human)]).any():
        assert np.isnan(permuted_correlation(first, second, human, name=name, resamples=9))
        return
    scale = stats.rankdata if name == "kendall_b" else stats.zscore
    one, two = scale(first), scale(second)
    observed = abs(coefficient(first, human) - coefficient(second, human))
    random = np.random.default_rng(5)
    swaps = random.random((50, len(rows))) < 0.5
    as_far = 0
    for swap in swaps:
        difference = coefficient(np.where(swap, two, one), human) - coefficient(np.where(swap, one, two), human)
        as_far += abs(difference) >= observed - 1e-12
    found = permuted_correlation(first, second, human, name=name, resamples=50, seed=5)
    assert found == pytest.approx((1 + as_far) / 51, abs=0.02)


def test_a_metric_does_not_differ_from_itself() -> None:
    random = np.random.default_rng(0)
    metric, human = random.normal(size=50), random.integers(0, 4, 50)
    assert permuted_correlation(metric, metric, human, resamples=99) == 1
    assert permutation_test(metric, metric, resamples=99) == 1
    assert bootstrap_test(metric, metric) == 1


def test_a_thousand_resamples_never_claim_more_than_two_in_a_thousand() -> None:
    assert bootstrap_test(np.ones(1000), np.zeros(1000)) == pytest.approx(2 / 1001)
    assert permutation_test(np.ones(50), np.zeros(50), resamples=1000) == pytest.approx(1 / 1001)


def test_undefined_values_are_left_out_or_leave_nothing() -> None:
    assert bootstrap_test([np.nan, 1, 1], [0, 0, 0]) == pytest.approx(2 / 3)
    assert np.isnan(bootstrap_test([np.nan], [1.0]))
    assert np.isnan(permutation_test([np.nan], [1.0]))
    assert np.isnan(permuted_correlation([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], [1, 2, 3]))


def test_rank_correlations_do_not_see_the_scale_of_a_metric() -> None:
    first, second, human, _ = sample(np.random.default_rng(9), 0.3)
    for name in ("kendall_b", "spearman"):
        plain = permuted_correlation(first, second, human, IMAGE, name=name, resamples=99)
        assert permuted_correlation(np.exp(first) * 100, second, human, IMAGE, name=name, resamples=99) == plain
    assert spearman(np.exp(first), human) == pytest.approx(spearman(first, human))
