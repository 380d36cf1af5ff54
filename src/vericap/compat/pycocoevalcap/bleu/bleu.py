"""`Bleu` with pycocoevalcap's call (Papineni et al. 2002, as COCO computes it)."""

from __future__ import annotations

from typing import Any

from vericap.compat.pycocoevalcap.bleu.bleu_scorer import BleuScorer, Scores, bleu_of
from vericap.compat.pycocoevalcap.captions import Captions, Named, Results, tokenized_views
from vericap.views import Views

__all__ = ["Bleu", "BleuScorer"]


class Bleu(Named):
    """BLEU of orders 1 … n.

    >>> score, scores = Bleu(2).compute_score({1: ["a dog runs", "the dog"]}, {1: ["a dog sits"]})
    >>> [round(s, 6) for s in score], [[round(s, 6) for s in order] for order in scores]
    ([0.666667, 0.57735], [[0.666667], [0.57735]])
    """

    names = ("Bleu", "BLEU")

    def __init__(self, n: int = 4) -> None:
        self._n = n

    def compute_score(self, gts: Captions, res: Results, verbose: Any = 1) -> Scores:
        """Return the n corpus scores, and for each order the scores of the captions in the order of `gts`.

        `verbose` is accepted and ignored: the original prints its counts with it.
        """
        return self.score_views(tokenized_views(gts, res))

    def score_views(self, views: Views) -> Scores:
        """Return the same for captions that are views already."""
        return bleu_of(views, self._n)
