"""Paired tests: how often they cry wolf, how often they see a real difference, and what they are by definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from vericap.stats.correlation import Paired, kendall_b, pearson, spearman
from vericap.stats.holm import holm
from vericap.stats.paired import bootstrap_test, permutation_test, permuted_correlation
from vericap.stats.resampling import draw
from vericap.stats.significance import all_pairs, beaten, letters, marks
from vericap.stats.williams import williams

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


def test_williams_on_steigers_example() -> None:
    """Steiger (1980), case A: .5 and .4 with .1 between them, 103 people: t = .89, p = .37 (psych's r.test)."""
    t, p = williams(0.5, 0.4, 0.1, 103)
    assert (round(t, 2), round(p, 2)) == (0.89, 0.37)


@given(*[st.floats(-0.95, 0.95)] * 3, st.integers(4, 500))
def test_williams_is_antisymmetric_and_its_k_a_determinant(r12: float, r13: float, r23: float, n: int) -> None:
    matrix = np.array([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    determinant = np.linalg.det(matrix)
    if determinant < 1e-9 or r12 == r13:
        return
    t, p = williams(r12, r13, r23, n)
    below = 2 * determinant * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    assert t == pytest.approx((r12 - r13) * np.sqrt((n - 1) * (1 + r23) / below), rel=1e-9)
    assert p == pytest.approx(2 * stats.t.sf(abs(t), n - 3), abs=1e-12)
    assert williams(r13, r12, r23, n) == pytest.approx((-t, p))


def test_williams_keeps_its_level_on_independent_rows_only() -> None:
    random = np.random.default_rng(4)
    alarms = {"independent": 0, "clustered": 0}
    for _ in range(1000):
        for kind in alarms:
            common = random.normal(size=(3, 30)) if kind == "clustered" else np.zeros((3, 30))
            human, *noise = np.repeat(common, 4, axis=1) + random.normal(0, 0.5, (3, 120))
            first, second = human + noise[0], human + noise[1]
            _, p = williams(pearson(first, human), pearson(second, human), pearson(first, second), 120)
            alarms[kind] += p < 0.05
    assert 0.03 <= alarms["independent"] / 1000 <= 0.07
    assert alarms["clustered"] / 1000 > 0.15


def test_williams_of_too_few_rows_is_undefined() -> None:
    assert np.isnan(williams(0.5, 0.4, 0.3, 3)).all()
    assert williams(0.5, 0.5, 1.0, 50) == (0.0, 1.0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.sampled_from([0.01, 0.05, 0.2]))
def test_holm_rejects_what_the_step_down_procedure_rejects(p: list[float], alpha: float) -> None:
    corrected = holm(p)
    rejected = set()
    for step, test in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        if (len(p) - step) * p[test] > alpha:
            break
        rejected.add(test)
    assert {test for test in range(len(p)) if corrected[test] <= alpha} == rejected
    assert (corrected >= np.array(p)).all()


def test_holm_is_milder_than_bonferroni_and_harder_than_nothing() -> None:
    assert holm([0.01, 0.02, 0.03]).tolist() == pytest.approx([0.03, 0.04, 0.04])
    assert holm([]).tolist() == []


def test_a_test_that_was_not_made_costs_nothing() -> None:
    assert holm([0.01, np.nan, 0.04]).tolist()[::2] == pytest.approx([0.02, 0.04])


def test_superscripts_name_the_rows_that_are_beaten() -> None:
    random = np.random.default_rng(0)
    replicates = {name: mean + random.normal(0, 0.01, 1000) for name, mean in [("a", 0.3), ("b", 0.5), ("c", 0.501)]}
    p = all_pairs(replicates)
    assert np.isnan(np.diag(p)).all()
    assert np.array_equal(p, p.T, equal_nan=True)
    assert [marks(rows) for rows in beaten([0.3, 0.5, 0.501], p)] == ["", "a", "a"]
    assert [marks(rows) for rows in beaten([0.3, 0.5, 0.501], p, higher_is_better=False)] == ["bc", "", ""]


def test_every_row_has_a_letter_of_its_own() -> None:
    assert len({letters(row) for row in range(700)}) == 700
    assert "q" not in {letters(row) for row in range(25)}


def test_rank_correlations_do_not_see_the_scale_of_a_metric() -> None:
    first, second, human, _ = sample(np.random.default_rng(9), 0.3)
    for name in ("kendall_b", "spearman"):
        plain = permuted_correlation(first, second, human, IMAGE, name=name, resamples=99)
        assert permuted_correlation(np.exp(first) * 100, second, human, IMAGE, name=name, resamples=99) == plain
    assert spearman(np.exp(first), human) == pytest.approx(spearman(first, human))
