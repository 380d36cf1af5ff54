"""`BleuScorer` with pycocoevalcap's call, and BLEU of views, which `Bleu` reads too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from vericap.arrays import Floats
from vericap.compat.pycocoevalcap.captions import CaptionsError, Rows, measured
from vericap.metrics.bleu import Bleu
from vericap.views import Views

Option: TypeAlias = Literal["closest", "shortest", "average"]
Scores: TypeAlias = tuple[list[float], list[list[float]]]
REFERENCE_LENGTH = 1  # the column of BLEU's statistics


class BleuScorer(Rows):
    """BLEU of orders 1 … n of captions that are added one after the other.

    >>> scorer = BleuScorer(n=2)
    >>> scorer += ("a dog sits", ["a dog runs", "the dog"])
    >>> [round(score, 6) for score in scorer.compute_score(option="closest")[0]]
    [0.666667, 0.57735]
    """

    def __init__(self, test: str | None = None, refs: Sequence[str] | None = None, n: int = 4) -> None:
        super().__init__(test, refs)
        self.n = n

    def compute_score(self, option: Option | None = None, verbose: Any = 0) -> Scores:
        """Return the n corpus scores, and for each order the scores of the rows.

        `option` says which reference length the brevity penalty takes; without it, as in the original, "closest", but
        "average" for a single row. `verbose` is accepted and ignored: the original prints its counts with it.
        """
        return bleu_of(self.views(), self.n, option or ("average" if self.size() == 1 else "closest"))


def bleu_of(views: Views, orders: int, option: Option = "closest") -> Scores:
    """Return the corpus score of each order, and for each order the scores of the captions."""
    longest = Bleu(orders)
    statistics = measured(views, longest)[longest.key].statistics.copy()
    if option != "closest":
        statistics[:, REFERENCE_LENGTH] = _reference_lengths(views, option)
    score, scores = [], []
    for metric in map(Bleu, range(1, orders + 1)):
        # Lengths, then matches and n-grams of the orders up to n.
        columns = statistics[:, [0, 1, *range(2, 2 + metric.n), *range(2 + orders, 2 + orders + metric.n)]]
        score.append(metric.aggregate(columns))
        scores.append(metric.score(columns).tolist())
    return score, scores


def _reference_lengths(views: Views, option: str) -> Floats:
    """Return the reference length of each caption, as BLEU's variants take it."""
    pairs = views.pairs
    lengths = views.words.references.lengths[pairs.reference].astype(np.float64)
    if option == "shortest":
        return pairs.min_by_candidate(lengths)
    if option == "average":
        return pairs.sum_by_candidate(lengths) / np.diff(pairs.offsets)
    raise CaptionsError(f"`{option}` is not a reference length", fix="choose closest, shortest or average")
