"""Correlations against SciPy's, and what holds of every one of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from vericap.errors import InputError
from vericap.stats.correlation import COEFFICIENTS, Paired, kendall_b, kendall_c, pearson, spearman

OURS = {"kendall_b": kendall_b, "kendall_c": kendall_c, "spearman": spearman, "pearson": pearson}
SCIPY = {
    "kendall_b": lambda x, y: stats.kendalltau(x, y).statistic,
    "kendall_c": lambda x, y: stats.kendalltau(x, y, variant="c").statistic,
    "spearman": lambda x, y: stats.spearmanr(x, y).statistic,
    "pearson": lambda x, y: stats.pearsonr(x, y).statistic,
}

# Few distinct values, as people's scores have, or as many as a metric's.
numbers = st.one_of(st.integers(0, 3).map(float), st.floats(-1e6, 1e6).map(lambda x: round(x, 3)))
columns = st.lists(st.tuples(numbers, numbers), min_size=2, max_size=40)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize(("rows", "levels"), [(2, 2), (7, 3), (60, 4), (500, 500), (5000, 17), (17000, 4)])
def test_it_is_scipys_number(name: str, rows: int, levels: int) -> None:
    random = np.random.default_rng([rows, levels])
    human = random.integers(0, levels, rows).astype(float)
    human[:2] = 0, 1
    metric = np.round(human / levels + random.normal(0, 0.5, rows), 2)
    assert OURS[name](metric, human) == pytest.approx(SCIPY[name](metric, human), abs=1e-12)


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(columns)
def test_any_columns_give_scipys_number(name: str, rows: list[tuple[float, float]]) -> None:
    x, y = np.array(rows).T
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    assert OURS[name](x, y) == pytest.approx(SCIPY[name](x, y), abs=1e-12)


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(columns, st.randoms(use_true_random=False))
def test_order_of_rows_and_of_columns_does_not_matter(name: str, rows: list[tuple[float, float]], random) -> None:
    x, y = np.array(rows).T
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    shuffled = random.sample(range(len(rows)), len(rows))
    assert OURS[name](x[shuffled], y[shuffled]) == pytest.approx(OURS[name](x, y), abs=1e-12)
    assert OURS[name](y, x) == pytest.approx(OURS[name](x, y), abs=1e-12)
    assert OURS[name](-x, y) == pytest.approx(-OURS[name](x, y), abs=1e-12)


@given(st.lists(st.tuples(*[st.integers(-50, 50).map(lambda x: x / 8)] * 2), min_size=2, max_size=40), st.data())
def test_a_weighted_sample_is_the_sample_written_down(rows: list[tuple[float, float]], data: st.DataObject) -> None:
    """Weights stand for copies: ties, ranks and numbers of classes are those of the resample itself."""
    x, y = np.array(rows).T
    cluster = np.array(data.draw(st.lists(st.integers(0, 4), min_size=len(x), max_size=len(x))))
    weights = np.array(data.draw(st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=1, max_size=4)))
    found = Paired(x, y, cluster).coefficients(weights)
    for sample, counts in enumerate(weights):
        drawn = np.repeat(np.arange(len(x)), counts[cluster])
        for name in COEFFICIENTS:
            expected = OURS[name](x[drawn], y[drawn])
            assert found[name][sample] == pytest.approx(expected, abs=1e-11, nan_ok=True), name


def test_kendall_counts_pairs() -> None:
    random = np.random.default_rng(3)
    x, y = random.integers(0, 30, 200), random.integers(0, 5, 200)
    sign_x, sign_y = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
    untied = np.sqrt((sign_x**2).sum() * (sign_y**2).sum())
    assert kendall_b(x, y) == pytest.approx((sign_x * sign_y).sum() / untied, abs=1e-14)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([], []),
        ([1.0], [2.0]),
        ([3.0, 3.0, 3.0], [1.0, 2.0, 3.0]),
        ([1.0, 2.0, 3.0], [0.1, 0.1, 0.1]),
        ([1.0, float("nan"), 3.0], [1.0, 2.0, 3.0]),
    ],
)
def test_what_is_undefined_is_not_a_number(name: str, x: list[float], y: list[float]) -> None:
    """A metric that gives every caption the same score has no correlation; 0 would say that it disagrees."""
    assert math.isnan(OURS[name](x, y))


def test_a_resample_without_variation_is_undefined_and_the_others_are_not() -> None:
    found = Paired([0.1, 0.2, 0.3], [1, 2, 2], cluster=[0, 1, 1]).coefficients([[1, 1], [2, 0], [0, 1]])
    for name in COEFFICIENTS:
        assert np.isnan(found[name]).tolist() == [False, True, True], name


def test_pearson_keeps_its_digits_far_from_zero() -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(size=(2, 100))
    assert pearson(x * 1e-170, y * 1e170) == pytest.approx(pearson(x, y), abs=1e-12)
    assert pearson(x + 1e6, y) == pytest.approx(stats.pearsonr(x + 1e6, y).statistic, abs=1e-12)


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(InputError, match="give one per row"):
        kendall_b([1, 2, 3], [1, 2])
    with pytest.raises(InputError, match="one cluster per row"):
        Paired([1, 2, 3], [1, 2, 3], cluster=[0, 1])
    with pytest.raises(InputError, match="3 clusters"):
        Paired([1, 2, 3], [1, 2, 3]).coefficients([[1, 1]])
    with pytest.raises(InputError, match="no coefficient is called 'tau'"):
        Paired([1, 2, 3], [1, 2, 3]).coefficients(names=["tau"])
