"""`Cider` with pycocoevalcap's call: CIDEr-D (Vedantam et al. 2015), which COCO calls CIDEr."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vericap.compat.pycocoevalcap.consensus import CORPUS, Consensus, ConsensusMetric


class Cider(ConsensusMetric):
    """CIDEr-D with document frequencies of the references in `gts`; of the table `df` (see `table_of`), or, as in
    M²'s `Cider(references)`, of the references {id: [caption]} given first.

    >>> gts = {1: ["a dog runs"], 2: ["a red cat"]}
    >>> mean, scores = Cider().compute_score(gts, {1: ["a dog runs"], 2: ["a cat"]})
    >>> scores.round(4).tolist()
    [7.5, 1.7434]
    >>> float(Cider().compute_score({1: ["a dog runs"]}, {1: ["a dog runs"]})[0])
    0.0
    >>> round(float(Cider(gts).compute_score({1: ["a dog runs"]}, {1: ["a dog runs"]})[0]), 4)
    7.5
    """

    names = ("CIDEr", "CIDEr")

    def __init__(self, test: Any = None, refs: Any = None, n: int = 4, sigma: float = 6.0, df: Any = CORPUS) -> None:
        # test and refs are in the original's signature, and unused there; M² gives references in the first place.
        super().__init__(Consensus(n=n, sigma=sigma, df=test if isinstance(test, Mapping) else df))
