"""`Rouge` with pycocoevalcap's call: ROUGE-L (Lin 2004, as COCO computes it)."""

from __future__ import annotations

import numpy as np

from vericap.arrays import Floats
from vericap.compat.pycocoevalcap.captions import Captions, Named, Results, measured, tokenized_views
from vericap.metrics.rouge_l import RougeL
from vericap.views import Views


class Rouge(Named):
    """ROUGE-L; `beta` may be set, as in the original.

    >>> mean, scores = Rouge().compute_score({1: ["a dog runs"], 2: ["a cat"]}, {1: ["a dog"], 2: ["a cat"]})
    >>> scores.round(4).tolist(), float(mean.round(4))
    ([0.7722, 1.0], 0.8861)
    """

    names = ("Rouge", "ROUGE")
    beta = 1.2

    def calc_score(self, candidate: list[str], refs: list[str]) -> float:
        """Return the score of one caption, given as a list of one.

        >>> round(Rouge().calc_score(["a dog"], ["a dog runs", "one dog"]), 4)
        0.7722
        """
        return float(self.compute_score({0: refs}, {0: candidate})[1][0])

    def compute_score(self, gts: Captions, res: Results) -> tuple[np.float64, Floats]:
        """Return the mean, and the scores of the captions in the order of `gts`."""
        return self.score_views(tokenized_views(gts, res))

    def score_views(self, views: Views) -> tuple[np.float64, Floats]:
        """Return the same for captions that are views already."""
        metric = RougeL(beta=self.beta)
        scores = measured(views, metric)[metric.key].scores
        return np.float64(np.mean(scores)), scores
