"""Unigram BLEU without brevity penalty, as Elliott and Keller (2014) and captioning papers before them report it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from vericap.arrays import Floats
from vericap.metrics.base import Metric
from vericap.metrics.bleu import Bleu, ClippedMatches, ngrams_in_candidates
from vericap.results.explanation import Explanation
from vericap.views import Views


@dataclass(frozen=True)
class BleuUnigram(Metric):
    r"""The share of a candidate's words that are in a reference, each at most as often as in the reference with most.

    $$ \mathrm{BLEU}_1 = \frac{\sum_w \min(\mathrm{count}_c(w), \max_j \mathrm{count}_{s_j}(w))}{|c|} $$

    Statistics [captions, 2]: matched words, words. The corpus score sums them first.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["a dog and a dog"], [["a dog", "one dog runs"]]), tokenizer="whitespace")
    >>> BleuUnigram().statistics(views).tolist()
    [[2.0, 5.0]]
    """

    name: ClassVar[str] = "bleu-unigram"
    paper_name: ClassVar[str] = "BLEU-unigram"
    summary: ClassVar[str] = "words that occur in a reference too, short captions not penalised"
    summed: ClassVar[bool] = True
    counts_end: ClassVar[bool] = True
    question: ClassVar = "adequacy"
    citation: ClassVar[str] = (
        "Elliott, Keller. Comparing automatic evaluation measures for image description. ACL 2014."
    )

    def statistics(self, views: Views) -> Floats:
        return np.column_stack([views.get(ClippedMatches(1)), ngrams_in_candidates(views, 1)])

    def score(self, statistics: Floats) -> Floats:
        matches, words = statistics.T
        return np.asarray(matches / np.where(words > 0, words, 1))

    def explain(self, views: Views, i: int) -> Explanation:
        known = Bleu(1).explain(views, i)
        score = float(self.score(self.statistics(views)[i : i + 1])[0])
        return replace(known, metric=self.key, score=score, values={"precision": known.values["precision of order 1"]})
