"""Confidence intervals of corpus scores by resampling images (Koehn 2004)."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vericap.arrays import Floats
from vericap.stats.resampling import draw, estimate

_BLOCK = 1 << 20  # weights made at a time


class CorpusScore(Protocol):
    """A metric, as resampling sees it; every `vericap.Metric` is one."""

    @property
    def higher_is_better(self) -> bool: ...

    def aggregate(self, statistics: Floats, weights: Floats | None = None) -> float:
        """Return the corpus score of statistics [captions, k]; weight w counts a caption w times."""
        ...

    def aggregates(self, statistics: Floats, weights: Floats) -> Floats:
        """Return the corpus score under each row of weights [resamples, captions]."""
        ...


def interval(
    metric: CorpusScore,
    statistics: Floats,
    cluster: ArrayLike | None = None,
    *,
    resamples: int,
    seed: int,
    level: float = 0.95,
) -> tuple[float, float] | None:
    """Percentile interval of the corpus score; None where the score is undefined.

    Each resample draws as many images, with replacement, and takes all captions of an image; `cluster` holds the image
    of each caption (0 …), and without it each caption has an image of its own.

    >>> from vericap.metrics.rouge_l import RougeL
    >>> low, high = interval(RougeL(), np.array([[1.0, 1.0], [0.5, 0.5]] * 50), resamples=200, seed=1)
    >>> 0.68 < low < 0.75 < high < 0.82
    True
    """
    if not len(statistics):
        return None
    images = np.arange(len(statistics)) if cluster is None else np.unique(cluster, return_inverse=True)[1]
    scores = replicates(metric, statistics, images, draw(int(images.max()) + 1, resamples, seed))
    return estimate(metric.aggregate(statistics), scores, level).interval


def replicates(metric: CorpusScore, statistics: Floats, cluster: NDArray[np.int64], counts: NDArray[Any]) -> Floats:
    """Return the corpus score in each resample, from how often it holds each image, `counts` [resamples, images].

    A resample is a vector of weights, so nothing is scored again: CIDEr's document frequencies and the lengths that
    BLEU sums stay those of each caption.
    """
    size = max(1, _BLOCK // max(len(cluster), 1))
    return np.concatenate(
        [
            metric.aggregates(statistics, counts[start : start + size].take(cluster, axis=1).astype(np.float64))
            for start in range(0, len(counts), size)
        ]
    )
