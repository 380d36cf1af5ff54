"""Kendall's tau-b and tau-c, Spearman's rho and Pearson's r, each of one sample or of thousands of resamples at once.

A resample is a vector of weights (how often each cluster of rows was drawn), so columns are sorted once, and ties and
ranks still come out as if the resample had been written down and ranked again. What is undefined is NaN, never 0: a
column that does not vary, fewer than two rows, a score that is NaN.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from vericap.arrays import Floats
from vericap.engine.local import in_threads
from vericap.errors import InputError
from vericap.stats.concordance import Counts, Level, Ranking, dot, levels_of
from vericap.stats.resampling import Estimate, draw, estimate

COEFFICIENTS = ("kendall_b", "kendall_c", "spearman", "pearson")
_BLOCK = 1 << 17  # numbers worked on at a time: they stay in the cache of a core


def kendall_b(x: ArrayLike, y: ArrayLike) -> float:
    r"""Kendall's tau with ties counted out on both sides.

    $$ \tau_b = \frac{C - D}{\sqrt{(n_0 - n_x)(n_0 - n_y)}}, \qquad n_0 = n (n - 1) / 2 $$

    C and D are the concordant and discordant pairs, n_x and n_y the pairs tied in x and in y. O(n log n).

    Kendall. The treatment of ties in ranking problems. Biometrika 1945.

    >>> round(kendall_b([1, 2, 2, 3], [1, 2, 3, 3]), 6)
    0.8
    >>> kendall_b([1, 1, 1], [1, 2, 3])
    nan
    """
    return _one(x, y, "kendall_b")


def kendall_c(x: ArrayLike, y: ArrayLike) -> float:
    r"""Stuart's tau-c, for a table of unequal sides; m is the smaller number of distinct values.

    $$ \tau_c = \frac{2 (C - D)}{n^2 (m - 1) / m} $$

    Stuart. The estimation and comparison of strengths of association in contingency tables. Biometrika 1953.

    >>> round(kendall_c([1, 2, 2, 3], [1, 2, 3, 3]), 6)
    0.75
    """
    return _one(x, y, "kendall_c")


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's rho: Pearson's r of the ranks, where equal values share the mean of their ranks.

    >>> round(spearman([1, 2, 2, 3], [1, 2, 3, 3]), 6)
    0.833333
    """
    return _one(x, y, "spearman")


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    r"""Pearson's correlation.

    $$ r = \frac{\sum (x - \bar x)(y - \bar y)}{\sqrt{\sum (x - \bar x)^2 \sum (y - \bar y)^2}} $$

    >>> round(pearson([1, 2, 3], [2, 4, 7]), 6)
    0.993399
    """
    return _one(x, y, "pearson")


def _one(x: ArrayLike, y: ArrayLike, name: str) -> float:
    return float(Paired(x, y).coefficients(names=[name])[name][0])


class Paired:
    """Two columns over the same rows, made ready for any number of weighted samples.

    `cluster[row]` is the cluster a row belongs to (an image: all its rows are drawn together); without it each row is
    a cluster of its own. `weights` [samples, clusters] says how often a sample holds each cluster.

    >>> pair = Paired([1, 2, 3, 4], [1, 3, 2, 2], cluster=[0, 0, 1, 1])
    >>> pair.coefficients(np.array([[1, 1], [2, 0]]))["kendall_b"].round(4).tolist()
    [0.1826, 1.0]
    """

    def __init__(self, x: ArrayLike, y: ArrayLike, cluster: ArrayLike | None = None) -> None:
        first, second = np.asarray(x, np.float64), np.asarray(y, np.float64)
        if first.ndim != 1 or first.shape != second.shape:
            raise InputError(f"the columns have {first.shape} and {second.shape} numbers", fix="give one per row")
        self.columns = first, second
        self.cluster = np.arange(len(first)) if cluster is None else np.asarray(cluster, np.int64)
        if self.cluster.shape != first.shape:
            raise InputError(f"{len(first)} rows but {self.cluster.shape} clusters", fix="give one cluster per row")
        self.clusters = int(self.cluster.max(initial=-1)) + 1
        self.defined = not (np.isnan(first).any() or np.isnan(second).any())
        # Kendall's tau is the same with the columns exchanged; the one with fewer distinct values is the cheaper `few`.
        many, few = Ranking.of(first), Ranking.of(second)
        self.many, self.few = (many, few) if many.groups >= few.groups else (few, many)

    def coefficients(self, weights: ArrayLike | None = None, names: Sequence[str] = COEFFICIENTS) -> dict[str, Floats]:
        """Return each coefficient in each sample, arrays [samples]; without weights, of the rows as they are."""
        counts = np.ones((1, self.clusters)) if weights is None else np.asarray(weights)
        if counts.ndim != 2 or counts.shape[1] < self.clusters:
            raise InputError(f"weights of {counts.shape}", fix=f"give an array [samples, {self.clusters} clusters]")
        if unknown := set(names) - set(COEFFICIENTS):
            raise InputError(f"no coefficient is called {unknown.pop()!r}", fix=f"use one of {', '.join(COEFFICIENTS)}")
        found = {name: np.full(len(counts), np.nan) for name in names}
        if not self.defined or len(self.cluster) < 2:
            return found
        with np.errstate(divide="ignore", invalid="ignore"):
            for rows in _blocks(len(counts), len(self.cluster)):
                weights_here = counts[rows].astype(np.int32)
                here = self._ranked(weights_here, names)
                if "pearson" in names:
                    here["pearson"] = self._pearson(weights_here)
                for name in names:
                    found[name][rows] = here[name]
        return found

    def _ranked(self, weights: Counts, names: Sequence[str]) -> dict[str, Floats]:
        """Return the coefficients that look at order alone."""
        if not {"kendall_b", "kendall_c", "spearman"} & set(names):
            return {}
        many = self.many.weigh(weights, self.cluster)
        few = self.few.weigh(weights, self.cluster)
        total = few.sum(axis=1)
        found: dict[str, Floats] = {}
        if "kendall_b" in names or "kendall_c" in names:
            difference = sum((level.difference(weights) for level in self._levels), np.zeros(len(weights)))  # C - D
            # n_0 - n_x, the pairs that are not tied in x: (n² - Σ t²) / 2.
            untied = [(total**2 - dot(t, t)) / 2 for t in (many, few)]
            # sqrt by sqrt, as SciPy does: the product of two pair counts leaves the exact integers.
            found["kendall_b"] = np.clip(difference / np.sqrt(untied[0]) / np.sqrt(untied[1]), -1, 1)
            classes = np.minimum(np.count_nonzero(many, axis=1), np.count_nonzero(few, axis=1))  # m
            found["kendall_c"] = np.where(
                classes > 1, np.clip(2 * difference / (total**2 * (classes - 1) / classes), -1, 1), np.nan
            )
        if "spearman" in names:
            # Twice the mean rank of a group, less twice the mean of all ranks.
            rank_many, rank_few = (2 * np.cumsum(t, axis=1) - t - total[:, None] for t in (many, few))
            product = weights.take(self.cluster, axis=1) * rank_many.take(self.many.group, axis=1)
            covariance = dot(product, rank_few.take(self.few.group, axis=1))
            variance = [dot(t * r, r) for t, r in ((many, rank_many), (few, rank_few))]
            found["spearman"] = np.clip(covariance / np.sqrt(variance[0]) / np.sqrt(variance[1]), -1, 1)
        return found

    def _pearson(self, weights: Counts) -> Floats:
        total, sum_x, sum_y, sum_xx, sum_yy, sum_xy = (weights[:, : self.clusters] @ self._moments).T
        variance_x, variance_y = sum_xx - sum_x**2 / total, sum_yy - sum_y**2 / total
        r = (sum_xy - sum_x * sum_y / total) / np.sqrt(variance_x) / np.sqrt(variance_y)
        dust = 1e-14  # what rounding leaves of a variance that is 0, relative to the sum it was taken from
        vanishing = (variance_x <= dust * sum_xx) | (variance_y <= dust * sum_yy)
        return np.where(vanishing, np.nan, np.clip(r, -1, 1))

    @cached_property
    def _moments(self) -> Floats:
        """Sums of 1, x, y, x², y², xy over each cluster, with both columns centred and scaled to keep the digits."""
        x, y = map(_standard, self.columns)
        products = (np.ones(len(x)), x, y, x * x, y * y, x * y)
        return np.column_stack([np.bincount(self.cluster, each, self.clusters) for each in products])

    @cached_property
    def _levels(self) -> list[Level]:
        return levels_of(self.many, self.few, self.cluster)


def _standard(column: Floats) -> Floats:
    """Centred, with 1 as the largest distance from the mean; zeros where nothing varies."""
    if np.ptp(column) == 0:
        return np.zeros(len(column))
    centred: Floats = column - column.mean()
    return centred / float(np.abs(centred).max())


def _blocks(samples: int, rows: int) -> Iterator[slice]:
    size = max(1, _BLOCK // max(rows, 1))
    return (slice(start, start + size) for start in range(0, samples, size))


def correlate(
    scores: Mapping[str, ArrayLike],
    human: ArrayLike,
    cluster: ArrayLike | None = None,
    *,
    resamples: int = 1000,
    seed: int = 0,
    names: Sequence[str] = COEFFICIENTS,
    workers: int = 1,
) -> dict[str, dict[str, Estimate]]:
    """Return each coefficient of each metric with the human scores, with its interval over resampled clusters.

    `cluster[row]` is the image of a row, 0 … images - 1; without it every row is drawn by itself. All metrics see the
    same resamples, so that two metrics' replicates are paired. `resamples` 0 leaves the intervals out.

    >>> found = correlate({"mine": [0.1, 0.4, 0.3, 0.9]}, [1, 2, 3, 4], resamples=0)
    >>> round(found["mine"]["kendall_b"].value, 4), found["mine"]["kendall_b"].interval
    (0.6667, None)
    """
    rows = len(np.asarray(human))
    groups = np.arange(rows) if cluster is None else np.asarray(cluster)
    weights = draw(int(groups.max(initial=-1)) + 1, resamples, seed) if resamples and rows else None

    def one(column: ArrayLike) -> dict[str, Estimate]:
        pair = Paired(column, human, groups)
        found = {name: float(value[0]) for name, value in pair.coefficients(names=names).items()}
        if weights is None:
            return {name: Estimate(value) for name, value in found.items()}
        replicates = pair.coefficients(weights, names)
        return {name: estimate(value, replicates[name]) for name, value in found.items()}

    return dict(zip(scores, in_threads(one, scores.values(), workers=workers), strict=True))
