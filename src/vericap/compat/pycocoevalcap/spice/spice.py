"""`Spice` with pycocoevalcap's call (Anderson et al. 2016), without Java."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from vericap.arrays import Floats
from vericap.compat.pycocoevalcap.captions import Captions, Named, measured, tokenized_views
from vericap.metrics.spice import Spice as SpiceMetric
from vericap.metrics.spice import counts_of
from vericap.readers.storage.registered import cache_folder
from vericap.views import Views

CATEGORIES = ("All", "Relation", "Cardinality", "Attribute", "Size", "Color", "Object")


class Spice(Named):
    """SPICE with its sub-scores.

    >>> mean, [scores] = Spice().compute_score({1: ["a girl stands on a court"]}, {1: ["a young girl on a court"]})
    >>> round(float(mean), 4), sorted(scores["Object"])
    (0.5714, ['f', 'fn', 'fp', 'numImages', 'pr', 're', 'tp'])
    """

    names = ("SPICE", "SPICE")

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, list[dict[str, dict[str, float]]]]:
        """Return the mean, and {category: {pr, re, f, tp, fp, fn, numImages}} of each image, sorted by image id."""
        images: list[Any] = sorted(gts)
        return self.score_views(tokenized_views({i: gts[i] for i in images}, res))

    def score_views(self, views: Views) -> tuple[np.float64, list[dict[str, dict[str, float]]]]:
        """Return the same for captions that are views already, in their order."""
        metric = SpiceMetric()
        views.graph_folder, views.workers = cache_folder(), os.cpu_count() or 1
        each = measured(views, metric)[metric.key]
        statistics = each.statistics
        parts = metric.parts(statistics)
        columns = {each: _columns(statistics, each.lower(), parts[each.lower()]) for each in CATEGORIES}
        scores = [
            {category: {name: column[row] for name, column in numbers.items()} for category, numbers in columns.items()}
            for row in range(len(statistics))
        ]
        return np.float64(each.aggregate), scores


def _columns(statistics: Floats, part: str, scores: dict[str, Floats]) -> dict[str, list[float]]:
    hits, given, wanted = counts_of(statistics, part)
    columns = {
        "pr": scores["precision"],
        "re": scores["recall"],
        "f": scores["f"],
        "tp": hits,
        "fp": given - hits,
        "fn": wanted - hits,
        "numImages": np.ones(len(statistics)),
    }
    return {name: column.tolist() for name, column in columns.items()}
