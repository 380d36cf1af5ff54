"""`CiderScorer` under pycocoevalcap's module path."""

from __future__ import annotations

from vericap.compat.pycocoevalcap.consensus import Consensus


class CiderScorer(Consensus):
    """CIDEr-D of captions that are added one after the other.

    >>> scorer = CiderScorer()
    >>> scorer += ("a dog runs", ["a dog runs"])
    >>> scorer += ("a cat", ["a red cat"])
    >>> scorer.compute_score()[1].round(4).tolist()
    [7.5, 1.7434]
    """
