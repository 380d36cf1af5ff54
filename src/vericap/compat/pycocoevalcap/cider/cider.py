"""`Cider` with pycocoevalcap's call: CIDEr-D (Vedantam et al. 2015), which COCO calls CIDEr."""

from __future__ import annotations

from typing import Any

import numpy as np

from vericap.arrays import Floats
from vericap.compat.pycocoevalcap.captions import Captions, tokenized_views
from vericap.metrics.cider_d import CiderD
from vericap.views import Views

COUNTED = 4  # the original counts n-grams up to this order whatever n is


class Cider:
    """CIDEr-D with document frequencies of the references in `gts`.

    Two values of the original are kept because scripts see them, though they mislead. With one image every
    n-gram is in every document, and the score is 0; `vericap.evaluate` says that it is undefined. With n > 4
    the orders above 4 count as 0. (With n < 4 the original fails on captions of more than n words.)

    >>> gts = {1: ["a dog runs"], 2: ["a red cat"]}
    >>> mean, scores = Cider().compute_score(gts, {1: ["a dog runs"], 2: ["a cat"]})
    >>> scores.round(4).tolist()
    [7.5, 1.7434]
    >>> float(Cider().compute_score({1: ["a dog runs"]}, {1: ["a dog runs"]})[0])
    0.0
    """

    def __init__(self, test: Any = None, refs: Any = None, n: int = 4, sigma: float = 6.0) -> None:
        # test and refs are in the original's signature, and unused there as well.
        self._n = n
        self._sigma = sigma

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, Floats]:
        """The mean, and the scores of the captions in the order of `gts`."""
        return self.score_views(tokenized_views(gts, res))

    def score_views(self, views: Views) -> tuple[np.float64, Floats]:
        """The same for captions that are views already."""
        orders = CiderD(n=min(self._n, COUNTED), sigma=self._sigma).statistics(views)
        scores = orders.sum(axis=1) / self._n
        return np.float64(np.mean(scores)), scores

    def method(self) -> str:
        return "CIDEr"
