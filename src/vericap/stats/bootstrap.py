"""Confidence intervals of corpus scores by resampling captions (Koehn 2004)."""

from __future__ import annotations

import numpy as np

from vericap.metrics.base import Floats, Metric


def interval(
    metric: Metric, statistics: Floats, *, resamples: int, seed: int, level: float = 0.95
) -> tuple[float, float]:
    """Percentile interval of the corpus score. Each resample draws as many captions, with replacement.

    A resample is a vector of weights (how often each caption was drawn), so nothing is scored again.

    >>> from vericap.metrics.rouge_l import RougeL
    >>> low, high = interval(RougeL(), np.array([[1.0, 1.0], [0.5, 0.5]] * 50), resamples=200, seed=1)
    >>> 0.68 < low < 0.75 < high < 0.82
    True
    """
    random = np.random.default_rng(seed)
    captions = len(statistics)
    scores = [
        metric.aggregate(
            statistics,
            np.bincount(random.integers(0, captions, captions), minlength=captions).astype(np.float64),
        )
        for _ in range(resamples)
    ]
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
