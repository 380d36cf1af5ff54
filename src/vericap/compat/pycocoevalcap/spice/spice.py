"""`Spice` with pycocoevalcap's call (Anderson et al. 2016), without Java."""

from __future__ import annotations

from typing import Any

import numpy as np

from vericap.compat.pycocoevalcap.captions import Captions, measured, tokenized_views
from vericap.metrics.spice import Spice as SpiceMetric
from vericap.metrics.spice import counts_of, f_score, precision, recall
from vericap.views import Views

CATEGORIES = {
    "All": "all",
    "Relation": "relation",
    "Cardinality": "cardinality",
    "Attribute": "attribute",
    "Size": "size",
    "Color": "color",
    "Object": "object",
}


class Spice:
    """SPICE with its sub-scores.

    >>> mean, [scores] = Spice().compute_score({1: ["a girl stands on a court"]}, {1: ["a young girl on a court"]})
    >>> round(float(mean), 4), sorted(scores["Object"])
    (0.5714, ['f', 'fn', 'fp', 'numImages', 'pr', 're', 'tp'])
    """

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, list[dict[str, dict[str, float]]]]:
        """Return the mean, and {category: {pr, re, f, tp, fp, fn, numImages}} of each image, sorted by image id."""
        images: list[Any] = sorted(gts)
        return self.score_views(tokenized_views({i: gts[i] for i in images}, res))

    def score_views(self, views: Views) -> tuple[np.float64, list[dict[str, dict[str, float]]]]:
        """Return the same for captions that are views already, in their order."""
        metric = SpiceMetric()
        each = measured(views, metric)[metric.key]
        statistics = each.statistics
        columns = {
            category: {
                "pr": precision(statistics, part).tolist(),
                "re": recall(statistics, part).tolist(),
                "f": f_score(statistics, part).tolist(),
                **_counts(statistics, part),
            }
            for category, part in CATEGORIES.items()
        }
        scores = [
            {category: {name: column[row] for name, column in numbers.items()} for category, numbers in columns.items()}
            for row in range(len(statistics))
        ]
        return np.float64(each.aggregate), scores

    def method(self) -> str:
        return "SPICE"

    def __str__(self) -> str:
        return "SPICE"


def _counts(statistics: np.ndarray[Any, np.dtype[np.float64]], part: str) -> dict[str, list[float]]:
    hits, given, wanted = counts_of(statistics, part)
    return {
        "tp": hits.tolist(),
        "fp": (given - hits).tolist(),
        "fn": (wanted - hits).tolist(),
        "numImages": [1.0] * len(statistics),
    }
