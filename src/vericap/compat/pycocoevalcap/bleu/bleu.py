"""`Bleu` with pycocoevalcap's call (Papineni et al. 2002, as COCO computes it)."""

from __future__ import annotations

from typing import Any

from vericap.compat.pycocoevalcap.captions import Captions, tokenized_views
from vericap.metrics import bleu
from vericap.views import Views


class Bleu:
    """BLEU of orders 1 … n.

    >>> score, scores = Bleu(2).compute_score({1: ["a dog runs", "the dog"]}, {1: ["a dog sits"]})
    >>> [round(s, 6) for s in score], [[round(s, 6) for s in order] for order in scores]
    ([0.666667, 0.57735], [[0.666667], [0.57735]])
    """

    def __init__(self, n: int = 4) -> None:
        self._n = n

    def compute_score(self, gts: Captions, res: Captions, verbose: Any = 1) -> tuple[list[float], list[list[float]]]:
        """The n corpus scores, and for each order the scores of the captions in the order of `gts`.

        `verbose` is taken and left alone: the original prints its counts with it.
        """
        return self.score_views(tokenized_views(gts, res))

    def score_views(self, views: Views) -> tuple[list[float], list[list[float]]]:
        """The same for captions that are views already."""
        orders = self._n
        statistics = bleu.Bleu(orders).statistics(views)
        score, scores = [], []
        for n in range(1, orders + 1):
            # lengths, then matches and n-grams of the orders up to n
            columns = [0, 1, *range(2, 2 + n), *range(2 + orders, 2 + orders + n)]
            metric = bleu.Bleu(n)
            score.append(metric.aggregate(statistics[:, columns]))
            scores.append(metric.score(statistics[:, columns]).tolist())
        return score, scores

    def method(self) -> str:
        return "Bleu"
