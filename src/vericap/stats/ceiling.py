"""Agreement of people with each other, which a metric cannot be expected to exceed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vericap.arrays import Floats
from vericap.stats.correlation import kendall_b

Coefficient: TypeAlias = Callable[[ArrayLike, ArrayLike], float]


def one_against_others(ratings: ArrayLike, coefficient: Coefficient = kendall_b) -> Floats:
    """Agreement of each judge with the mean of the others, array [judges].

    `ratings` [items, judges] is NaN where a judge did not rate; an item counts for a judge when another rated it too.

    >>> one_against_others([[1, 1, 2], [2, 3, 3], [4, 4, 3], [3, 3, 4]]).round(3).tolist()
    [0.913, 0.8, 0.548]
    """
    table = np.asarray(ratings, np.float64)
    found = np.full(table.shape[1], np.nan)
    for judge in range(table.shape[1]):
        others = _mean_of(np.delete(table, judge, axis=1))
        both = ~np.isnan(table[:, judge]) & ~np.isnan(others)
        found[judge] = coefficient(table[both, judge], others[both])
    return found


def split_half(ratings: ArrayLike, coefficient: Coefficient = kendall_b, *, splits: int = 100, seed: int = 0) -> Floats:
    """Agreement of the means of two halves of the judges, array [splits].

    Each split deals the judges of each item out at random, half to each side; of an odd number one more goes to the
    second. Items with one rating have no halves and are left out.

    >>> two = [[1, 2], [2, 2], [3, 4], [4, 4]]
    >>> sorted(set(split_half(two, splits=20).round(4).tolist()))[0] > 0.5
    True
    """
    table = np.asarray(ratings, np.float64)
    random = np.random.default_rng(seed)
    rated = ~np.isnan(table)
    halves = rated.sum(axis=1) // 2
    found = np.full(splits, np.nan)
    for split in range(splits):
        # Unrated places draw a number above all others, and are dealt to neither side.
        place = np.argsort(np.argsort(random.random(table.shape) + 2.0 * ~rated, axis=1), axis=1)
        first = _mean_of(np.where(place < halves[:, None], table, np.nan))
        second = _mean_of(np.where(place >= halves[:, None], table, np.nan))
        both = ~np.isnan(first) & ~np.isnan(second)
        found[split] = coefficient(first[both], second[both])
    return found


def _mean_of(table: NDArray[np.float64]) -> Floats:
    """Mean of the ratings there are in each row; NaN where there are none."""
    rated = ~np.isnan(table)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.where(rated, table, 0.0).sum(axis=1) / rated.sum(axis=1)
    return mean
