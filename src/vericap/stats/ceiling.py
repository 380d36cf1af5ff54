"""Agreement of people with each other, which a metric cannot be expected to exceed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

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
        others = mean_rating(np.delete(table, judge, axis=1))
        both = ~np.isnan(table[:, judge]) & ~np.isnan(others)
        found[judge] = coefficient(table[both, judge], others[both])
    return found


def mean_rating(table: Floats) -> Floats:
    """Return the mean of the ratings in each row, [items, judges]; NaN where there are none."""
    rated = np.isfinite(table)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.where(rated, table, 0.0).sum(axis=1) / rated.sum(axis=1)
    return mean
