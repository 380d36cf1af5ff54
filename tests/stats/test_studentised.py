"""Student's t with the bootstrap's standard error: SciPy's paired test for means, honest for correlations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_rel

from vericap.stats.correlation import Paired
from vericap.stats.paired import bootstrap_test, studentised_test
from vericap.stats.resampling import draw
from vericap.stats.significance import holm

IMAGES, ROWS = 60, 2
IMAGE = np.repeat(np.arange(IMAGES), ROWS)


@pytest.mark.parametrize("units", [8, 40, 300])
def test_for_means_it_is_students_paired_test(units):
    random = np.random.default_rng(units)
    first, second = random.normal(0.3, 1, units), random.normal(0, 1, units)
    apart = first - second
    replicates = draw(units, 20_000, seed=1) @ apart / units
    ours = studentised_test(float(apart.mean()), replicates, units)
    assert ours == pytest.approx(ttest_rel(first, second).pvalue, rel=0.06)


def test_neither_scale_nor_order_matters():
    replicates = np.random.default_rng(0).normal(0.1, 0.05, 500)
    p = studentised_test(0.1, replicates, 30)
    assert studentised_test(-0.1, -replicates, 30) == pytest.approx(p)
    assert studentised_test(100.0, 1000 * replicates, 30) == pytest.approx(p)


def test_the_number_of_resamples_is_no_floor():
    replicates = np.random.default_rng(0).normal(1.0, 0.1, 200)
    assert studentised_test(1.0, replicates, 500) < 1e-15
    assert bootstrap_test(replicates, np.zeros(200)) == 2 / 201


def test_what_never_varies_has_the_p_of_exchanging_every_unit():
    assert studentised_test(0.5, np.full(100, 0.5), 10) == 2 / 2**10
    assert studentised_test(0.0, np.zeros(100), 10) == 1.0


@pytest.mark.parametrize(
    ("difference", "replicates", "units"),
    [(np.nan, [0.1, 0.2], 9), (0.1, [0.1, np.nan], 9), (0.1, [], 9), (0.1, [0.1, 0.2], 1)],
)
def test_what_cannot_be_tested_is_undefined(difference, replicates, units):
    assert np.isnan(studentised_test(difference, replicates, units))


def test_undefined_resamples_are_left_out():
    replicates = np.random.default_rng(0).normal(0.1, 0.1, 300)
    assert studentised_test(0.1, [*replicates, np.nan, np.nan], 30) == studentised_test(0.1, replicates, 30)


def taus(random, advantages, resamples, seed):
    """tau-b with people of metrics whose noise is shared by the captions of an image, in the data and in resamples."""
    quality = random.normal(size=IMAGES)[IMAGE] + random.normal(0, 0.5, len(IMAGE))
    human = np.digitize(quality + random.normal(0, 0.5, len(IMAGE)), [-1.0, 0.0, 1.0]).astype(float)
    counts = draw(IMAGES, resamples, seed)
    found = []
    for advantage in advantages:
        noise = random.normal(size=IMAGES)[IMAGE] + random.normal(0, 0.5, len(IMAGE))
        pair = Paired(quality + noise * (1 - advantage), human, IMAGE)
        found.append([pair.coefficients(each, ["kendall_b"])["kendall_b"] for each in (None, counts)])
    return found


def p_of(first, second):
    return studentised_test(float(first[0][0] - second[0][0]), first[1] - second[1], IMAGES)


def test_false_alarms_are_near_five_percent_and_differences_are_found():
    rates = {}
    for advantage in (0.0, 0.8):
        random = np.random.default_rng(5)
        found = [p_of(*taus(random, (advantage, 0.0), 99, seed)) for seed in range(400)]
        rates[advantage] = np.mean(np.array(found) <= 0.05)
    assert 0.03 <= rates[0.0] <= 0.08  # 5 % ± 3 standard errors of 400 samples
    assert rates[0.8] > 0.95


def test_among_36_pairs_the_one_better_metric_is_found_and_the_percentile_test_cannot():
    random = np.random.default_rng(7)
    nine = taus(random, (0.9, *[0.0] * 8), 999, seed=7)
    pairs = [(i, j) for i in range(9) for j in range(i)]
    ours = holm([p_of(nine[i], nine[j]) for i, j in pairs])
    shares = holm([bootstrap_test(nine[i][1], nine[j][1]) for i, j in pairs])
    with_best = np.array([0 in pair for pair in pairs])
    assert (ours[with_best] < 0.05).all() and (ours[~with_best] >= 0.05).all()
    assert (shares >= 0.05).all()
