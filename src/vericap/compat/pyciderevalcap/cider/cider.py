"""`Cider` with pyciderevalcap's call: plain CIDEr, without clipping and length penalty."""

from __future__ import annotations

from typing import Any

from vericap.compat.pyciderevalcap.cider.cider_scorer import CiderScorer
from vericap.compat.pycocoevalcap.consensus import CORPUS, ConsensusMetric


class Cider(ConsensusMetric):
    """CIDEr with document frequencies of the references in each call, or of the table `df` (see `table_of`).

    >>> gts = {1: ["a dog runs"], 2: ["a red cat"]}
    >>> res = [{"image_id": 1, "caption": ["a dog runs"]}, {"image_id": 2, "caption": ["a cat"]}]
    >>> Cider().compute_score(gts, res)[1].round(4).tolist()
    [7.5, 1.7678]
    """

    names = ("CIDEr", "CIDEr")

    def __init__(self, n: int = 4, df: Any = CORPUS) -> None:
        super().__init__(CiderScorer(df, n=n))
