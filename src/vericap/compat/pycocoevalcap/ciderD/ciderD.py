"""`CiderD` with the call of the code bases that train with it (Rennie et al. 2017): captions are strings of words, or
of word numbers such as "12 4 0", which are taken as they are."""

from __future__ import annotations

from typing import Any

from vericap.compat.pycocoevalcap.ciderD.ciderD_scorer import CiderScorer
from vericap.compat.pycocoevalcap.consensus import CORPUS, ConsensusMetric


class CiderD(ConsensusMetric):
    """CIDEr-D with document frequencies of the references in each call, or of the table `df` (see `table_of`).

    >>> gts = {1: ["3 7 9 0"], 2: ["3 5 4 0"]}
    >>> samples = [{"image_id": 1, "caption": ["3 7 9 0"]}, {"image_id": 1, "caption": ["3 9 0"]},
    ...            {"image_id": 2, "caption": ["3 5 4 0"]}]
    >>> CiderD(df="corpus").compute_score(gts, samples)[1].round(3).tolist()
    [10.0, 2.236, 10.0]
    """

    names = ("CIDEr-D", "CIDEr-D")

    def __init__(self, n: int = 4, sigma: float = 6.0, df: Any = CORPUS) -> None:
        super().__init__(CiderScorer(df, n=n, sigma=sigma))
