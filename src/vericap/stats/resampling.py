"""The bootstrap over clusters: images are drawn with replacement, and all rows of an image come with it (Efron 1979;
Davison and Hinkley 1997, 3.8). A draw is a table of counts, so nothing is copied or scored again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vericap.arrays import Floats
from vericap.errors import InputError

_BLOCK = 1 << 17  # numbers drawn at a time


@dataclass(frozen=True, eq=False)
class Estimate:
    """A number, its interval (None where none was asked for or it is undefined), and its value in each resample."""

    value: float
    interval: tuple[float, float] | None = None
    replicates: Floats = field(default_factory=lambda: np.zeros(0), repr=False)


def draw(clusters: int, resamples: int, seed: int) -> NDArray[Any]:
    """Return how often each resample holds each cluster, integers [resamples, clusters]; each row sums to `clusters`.

    >>> counts = draw(5, 1000, seed=0)
    >>> counts.shape, set(counts.sum(axis=1).tolist()), bool(abs(counts.mean(axis=0) - 1).max() < 0.15)
    ((1000, 5), {5}, True)
    """
    if clusters < 1 or resamples < 1:
        raise InputError(f"{resamples} resamples of {clusters} images cannot be drawn", fix="use at least one of each")
    random = np.random.default_rng(seed)
    # The smallest type that holds the largest count: a thousand resamples of 48,000 images are 96 MB.
    counts = np.empty((resamples, clusters), np.min_scalar_type(clusters))
    size = max(1, _BLOCK // clusters)
    for start in range(0, resamples, size):
        block = counts[start : start + size]
        drawn = random.integers(0, clusters, block.shape) + clusters * np.arange(len(block))[:, None]
        block[:] = np.bincount(drawn.reshape(-1), minlength=block.size).reshape(block.shape)
    return counts


def estimate(value: float, replicates: Floats, level: float = 0.95) -> Estimate:
    """Return the value with its percentile interval; resamples in which it is undefined are left out.

    >>> estimate(2.0, np.array([1.0, 2.0, 3.0, np.nan]), level=0.5).interval
    (1.5, 2.5)
    """
    defined = replicates[~np.isnan(replicates)]
    if not len(defined) or np.isnan(value):
        return Estimate(value, None, replicates)
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(value, (float(low), float(high)), replicates)


def resampled_means(values: ArrayLike, cluster: ArrayLike, weights: ArrayLike) -> Floats:
    """Mean of the rows in each resample, array [resamples]; a row that is NaN counts for nothing.

    >>> resampled_means([1.0, 2.0, 6.0], [0, 0, 1], [[1, 1], [2, 0], [0, 2]]).tolist()
    [3.0, 1.5, 6.0]
    """
    rows, counts = np.asarray(values, np.float64), np.asarray(weights)
    there = ~np.isnan(rows)
    sums = np.column_stack(
        [
            np.bincount(np.asarray(cluster), each, counts.shape[1])
            for each in (np.where(there, rows, 0.0), there.astype(np.float64))
        ]
    )
    total, size = (counts @ sums).T
    with np.errstate(invalid="ignore"):
        return np.asarray(total / size)
