"""`Meteor` with pycocoevalcap's call: METEOR 1.5 for English (Denkowski and Lavie 2014), without Java."""

from __future__ import annotations

from vericap.compat.pycocoevalcap.captions import Captions, Named, Results, aligned, measured, views_of
from vericap.metrics.meteor import Meteor as Metric
from vericap.views import Views


class Meteor(Named):
    """METEOR; there is no process to start or to end.

    >>> score, scores = Meteor().compute_score({1: ["a dog runs"], 2: ["a cat"]}, {1: ["the dog ran"], 2: ["a cat"]})
    >>> round(score, 4), [round(each, 4) for each in scores]
    (0.466, [0.3685, 1.0])
    """

    names = ("METEOR", "METEOR")

    def compute_score(self, gts: Captions, res: Results) -> tuple[float, list[float]]:
        """Return the corpus score, and the scores of the captions in the order of `gts`."""
        # The original takes its own separator out of a caption before it sends it.
        captions, references = aligned(gts, res)
        return self.score_views(views_of([caption.replace("|||", "") for caption in captions], references))

    def score_views(self, views: Views) -> tuple[float, list[float]]:
        """Return the same for captions that are views already."""
        metric = Metric()
        each = measured(views, metric)[metric.key]
        return each.aggregate, each.scores.tolist()
