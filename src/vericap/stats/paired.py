"""Paired tests: is the difference between two metrics, or two captioners, more than chance? Two-sided p-values.

Images are the units: all rows of an image are drawn, or exchanged, together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vericap.arrays import Floats
from vericap.stats.concordance import Ranking
from vericap.stats.correlation import Paired

_BLOCK = 1 << 20
_ROUNDING = 1e-12


def bootstrap_test(first: ArrayLike, second: ArrayLike) -> float:
    r"""p from the values of two quantities in the same resamples.

    $$ p = 2 \min\left( \frac{1 + \#\{d \le 0\}}{R + 1}, \frac{1 + \#\{d \ge 0\}}{R + 1} \right), \qquad d = a - b $$

    The counts have 1 added, so that R resamples never claim more than 1 / R. Resamples in which one of the two is
    undefined are left out.

    Koehn. Statistical significance tests for machine translation evaluation. EMNLP 2004. Efron and Tibshirani 1993.

    >>> bootstrap_test([0.5, 0.6, 0.7] * 33, [0.4, 0.5, 0.8] * 33)
    0.68
    """
    difference = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    difference = difference[~np.isnan(difference)]
    if not len(difference):
        return float("nan")
    tail = int(min(np.count_nonzero(difference <= 0), np.count_nonzero(difference >= 0)))
    return min(1.0, 2 * (1 + tail) / (len(difference) + 1))


def permutation_test(
    first: ArrayLike, second: ArrayLike, cluster: ArrayLike | None = None, *, resamples: int = 1000, seed: int = 0
) -> float:
    r"""p of the difference between two means over the same rows, when the two change places at random.

    $$ p = \frac{1 + \#\{ |\sum_c s_c d_c| \ge |\sum_c d_c| \}}{R + 1}, \qquad s_c = \pm 1 $$

    d_c sums the differences of cluster c. Rows in which one of the two is NaN are left out.

    Fisher. The design of experiments. 1935. Good. Permutation, parametric and bootstrap tests of hypotheses. 2005.

    >>> permutation_test([3.0, 4.0, 5.0, 6.0, 7.0] * 4, [1.0] * 20, resamples=999)
    0.001
    """
    difference = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    groups = np.arange(len(difference)) if cluster is None else np.asarray(cluster)
    there = ~np.isnan(difference)
    if not there.any():
        return float("nan")
    sums = np.bincount(groups[there], difference[there])
    rounding = _ROUNDING * float(np.abs(sums).sum())
    return exchanged(lambda swap: np.abs((1.0 - 2.0 * swap) @ sums), len(sums), resamples, seed, rounding)


def permuted_correlation(
    first: ArrayLike,
    second: ArrayLike,
    human: ArrayLike,
    cluster: ArrayLike | None = None,
    *,
    name: str = "kendall_b",
    resamples: int = 1000,
    seed: int = 0,
) -> float:
    """p of the difference between two metrics' correlations with people, when they change places image by image.

    Both columns are brought to one scale first: ranks, or for Pearson's r standard scores. A permutation is a
    weight of 0 or 1 for each metric's row, so the ranks of the mixed columns come from one sorting of both.

    Deutsch, Dror, Roth. A statistical analysis of summarization evaluation metrics using resampling methods. TACL 2021.

    >>> human = np.arange(40.0)
    >>> permuted_correlation(human, np.cos(human), human, resamples=199)
    0.005
    """
    columns = [np.asarray(column, np.float64) for column in (first, second)]
    groups = np.arange(len(columns[0])) if cluster is None else np.asarray(cluster, np.int64)
    clusters = int(groups.max(initial=-1)) + 1
    scale = _standard_scores if name == "pearson" else _ranks
    both = Paired(
        np.concatenate([scale(column) for column in columns]),
        np.concatenate([human, human]),
        np.concatenate([groups, groups + clusters]),
    )

    def differences(swap: NDArray[np.bool_]) -> Floats:
        mine = both.coefficients(np.hstack([~swap, swap]), [name])[name]
        theirs = both.coefficients(np.hstack([swap, ~swap]), [name])[name]
        return np.abs(mine - theirs)

    return exchanged(differences, clusters, resamples, seed)


def exchanged(
    differences: Callable[[NDArray[np.bool_]], Floats],
    clusters: int,
    resamples: int,
    seed: int,
    rounding: float = _ROUNDING,
) -> float:
    """p of a difference, where `differences` gives its size when some clusters change places, [resamples, clusters].

    Differences that are smaller by less than `rounding` count as just as large: an exchange of equal things changes
    nothing, but sums taken in another order may.

    >>> exchanged(lambda swap: np.zeros(len(swap)), clusters=5, resamples=99, seed=0)
    1.0
    """
    observed = float(differences(np.zeros((1, clusters), bool))[0])
    if np.isnan(observed):
        return float("nan")
    least = observed - max(rounding, _ROUNDING * observed)
    as_far = sum(int(np.count_nonzero(differences(swap) >= least)) for swap in swaps(clusters, resamples, seed))
    return (1 + as_far) / (resamples + 1)


def swaps(clusters: int, resamples: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """Yield the clusters that change places, blocks [some resamples, clusters]."""
    random = np.random.default_rng(seed)
    size = max(1, _BLOCK // max(clusters, 1))
    for start in range(0, resamples, size):
        yield random.random((min(size, resamples - start), clusters)) < 0.5


def _ranks(column: Floats) -> Floats:
    """Middle of the ranks of each value's equals."""
    ranking = Ranking.of(column)
    ranks: Floats = (ranking.bounds[:-1] + ranking.bounds[1:])[ranking.group].astype(np.float64)
    return np.where(np.isnan(column), np.nan, ranks)


def _standard_scores(column: Floats) -> Floats:
    centred: Floats = column - column.mean()
    spread = float(centred.std())
    return centred / spread if spread > 0 else centred
