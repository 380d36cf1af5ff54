"""Smoothed BLEU, defined for a single caption: the measure of Elliott and Keller (2014)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

import numpy as np

from vericap.arrays import Floats
from vericap.metrics.base import Metric
from vericap.metrics.bleu import Bleu
from vericap.options.declared import Between, option
from vericap.results.explanation import Explanation
from vericap.views import Views


@dataclass(frozen=True)
class BleuSmoothed(Metric):
    r"""BLEU up to order 4 with one match and one n-gram more in each order above the first (Lin and Och 2004).

    $$ \mathrm{BLEU} = \mathrm{BP} \cdot \Big(\prod_{k=1}^{n} p_k\Big)^{1/n}, \qquad p_1 = \frac{m_1}{g_1}, \quad
       p_k = \frac{m_k + 1}{g_k + 1}, \qquad \mathrm{BP} = \min\big(1, e^{1 - r/|c|}\big) $$

    m are matches clipped by the reference with most, g the candidate's n-grams, r is the length of the reference
    closest in length, of two the shorter.

    `smoothing="halving"` is that of jBLEU, the implementation of Clark et al. (2011) the study ran, and of NIST's
    mteval: the k-th order without matches counts 1 / 2^k of a match, and an order without n-grams counts as 1.

    Statistics [captions, 2 + 2n]: candidate length, closest reference length, clipped matches of each order,
    n-grams of each order. The corpus score sums them first.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["a dog runs"], [["a dog sits still"]]), tokenizer="whitespace")
    >>> score = (2/3 * 2/3 * 1/2 * 1/1) ** (1/4) * np.exp(1 - 4/3)
    >>> bool(np.isclose(BleuSmoothed().score(BleuSmoothed().statistics(views)), score)[0])
    True
    """

    n: Annotated[int, Between(1, 16)] = option(4, "Length of the longest n-grams.")
    smoothing: Literal["add-one", "halving"] = option("add-one", "How counts of 0 are smoothed.")

    name: ClassVar[str] = "bleu-smoothed"
    paper_name: ClassVar[str] = "BLEU-smoothed"
    summary: ClassVar[str] = "BLEU-4 of a single caption, never 0 for want of one match"
    summed: ClassVar[bool] = True
    counts_end: ClassVar[bool] = True
    question: ClassVar = "adequacy"
    citation: ClassVar[str] = (
        "Elliott, Keller. Comparing automatic evaluation measures for image description. ACL 2014."
    )

    def statistics(self, views: Views) -> Floats:
        found = Bleu(self.n).statistics(views)
        if self.smoothing == "halving":
            # Half a match is credit for a comparison; without references there was none. No length scores 0.
            found[np.diff(views.pairs.offsets) == 0, :2] = 0
        return found

    def score(self, statistics: Floats) -> Floats:
        length, reference_length = statistics[:, 0], statistics[:, 1]
        shortfall = np.maximum(reference_length / np.where(length > 0, length, 1) - 1, 0)
        scores: Floats = np.exp(-shortfall) * np.prod(self.precisions(statistics), axis=1) ** (1 / self.n)
        return np.where(length > 0, scores, 0.0)

    def precisions(self, statistics: Floats) -> Floats:
        """Smoothed precision of each order, array [captions, n]."""
        matches, guesses = statistics[:, 2 : 2 + self.n], statistics[:, 2 + self.n :]
        if self.smoothing == "add-one":
            more = np.arange(self.n) > 0
            return np.asarray((matches + more) / np.maximum(guesses + more, 1))
        empty_handed = (matches == 0) & (guesses > 0)
        credit = np.where(empty_handed, 0.5 ** np.cumsum(empty_handed, axis=1), matches)
        return np.where(guesses > 0, credit / np.maximum(guesses, 1), 1.0)

    def explain(self, views: Views, i: int) -> Explanation:
        statistics = self.statistics(views)[i : i + 1]
        smoothed = {
            f"smoothed precision of order {k}": precision
            for k, precision in enumerate(self.precisions(statistics)[0].tolist(), 1)
        }
        known = Bleu(self.n).explain(views, i)
        return replace(
            known, metric=self.key, score=float(self.score(statistics)[0]), values={**known.values, **smoothed}
        )
