"""Agreement of many metrics with people: each correlation with an interval, all metrics on the same resamples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from vericap.engine.local import in_threads
from vericap.stats.correlation import COEFFICIENTS, Paired
from vericap.stats.resampling import Estimate, draw, estimate


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
