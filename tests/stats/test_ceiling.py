"""The human ceiling: what judges say of each other."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.stats.ceiling import one_against_others
from vericap.stats.correlation import kendall_c, pearson


def judges(noise: float, count: int = 3, items: int = 300) -> np.ndarray:
    random = np.random.default_rng(0)
    return random.normal(size=(items, 1)) + random.normal(0, noise, (items, count))


def test_judges_who_agree_are_at_one() -> None:
    ratings = np.repeat(np.arange(20.0)[:, None], 3, axis=1)
    assert one_against_others(ratings).tolist() == pytest.approx([1, 1, 1])


def test_a_judge_who_guesses_stands_out() -> None:
    ratings = judges(0.3)
    ratings[:, 1] = np.random.default_rng(1).normal(size=len(ratings))
    good, guessing, other = one_against_others(ratings, pearson)
    assert abs(guessing) < 0.15 < min(good, other)


def test_expected_correlation_of_a_judge_with_the_mean_of_the_others() -> None:
    """With noise variance s² and k judges: r = 1 / √((1 + s²)(1 + s² / (k - 1)))."""
    found = one_against_others(judges(0.8, count=4, items=20_000), pearson)
    assert found == pytest.approx(1 / np.sqrt((1 + 0.64) * (1 + 0.64 / 3)), abs=0.01)


def test_ratings_that_are_missing_are_left_out() -> None:
    ratings = np.array([[1, 2, np.nan], [2, 3, np.nan], [3, 4, np.nan], [4, np.nan, np.nan], [5, 5, np.nan]])
    first, second, third = one_against_others(ratings, kendall_c)
    assert first == second == pytest.approx(1)
    assert np.isnan(third)
