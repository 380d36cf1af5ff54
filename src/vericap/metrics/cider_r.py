"""CIDEr-R (Oliveira dos Santos et al. 2021): CIDEr that survives long captions and few references."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np

from vericap.arrays import Floats
from vericap.metrics.cider import Cider
from vericap.metrics.cider_d import bigrams
from vericap.options.declared import Between, option
from vericap.views import View, Views

if TYPE_CHECKING:
    from vericap.views.batch import IndexedBatch


@dataclass(frozen=True)
class CiderR(Cider):
    r"""CIDEr-R, on the scale 0–10 (the paper prints it × 100).

    $$ \mathrm{CIDEr\text{-}R}_n(c, S) = \frac{10}{m} \sum_j \mathrm{sim}(c, s_j) \cdot
       \mathrm{Pen}_R^{k_r} \cdot \mathrm{Pen}_L^{1 - k_r} \tag{7} $$

    The exponent of eq. 6 is 1 / number of distinct words of c: that, and not the printed 1 / l(c), gives the
    paper's Table 3. `repetition="length"` is the printed form.

    >>> from vericap.corpus import Corpus
    >>> corpus = Corpus.from_lists(["a dog runs", "a cat cat"], [["a dog runs"], ["a red cat"]])
    >>> CiderR(n=1).statistics(Views(corpus, tokenizer="whitespace")).round(3).tolist()
    [[10.0], [2.679]]
    """

    k_r: Annotated[float, Between(0, 1)] = option(0.8, "Weight of repetition in the penalty.")
    repetition: Literal["distinct", "length"] = option("distinct", "What repetition is measured by.")

    name: ClassVar[str] = "cider-r"
    paper_name: ClassVar[str] = "CIDEr-R"
    summary: ClassVar[str] = "CIDEr for long and for repetitive captions"
    citation: ClassVar[str] = (
        "Oliveira dos Santos, Colombini, Avila. CIDEr-R: robust consensus-based image description evaluation. "
        "W-NUT 2021."
    )
    clipped: ClassVar[bool] = True
    when_asked: ClassVar[str] = ""

    def expected_views(self) -> Iterator[tuple[int, View[Any]]]:
        return chain(super().expected_views(), [(1, RepeatedWords())])

    def penalty(self, views: Views) -> Floats:
        return self.repetition_penalty(views) ** self.k_r * self.length_penalty(views) ** (1 - self.k_r)

    def length_penalty(self, views: Views) -> Floats:
        """Pen_L = exp(−(l(c) − l(s))² / l(s)²), eq. 5. The authors' l is the number of bigrams + 1."""
        pairs, (words, reference_words) = views.pairs, views.word_counts
        length = bigrams(words)[pairs.candidate] + 1
        reference_length = bigrams(reference_words)[pairs.reference] + 1
        return np.exp(-((length - reference_length) ** 2) / reference_length**2)

    def repetition_penalty(self, views: Views) -> Floats:
        """Pen_R = ∏ f(w, c, s)^(1 / exponent) over the distinct words w of c, eq. 6; see `RepeatedWords`."""
        log_f, distinct = views.get(RepeatedWords())
        exponent = distinct if self.repetition == "distinct" else views.word_counts[0]
        return np.exp(log_f / np.maximum(exponent, 1)[views.pairs.candidate])

    def explain_penalty(self, views: Views, pair: int) -> dict[str, float]:
        return {
            "repetition penalty": float(self.repetition_penalty(views)[pair]),
            "length penalty": float(self.length_penalty(views)[pair]),
        }


@dataclass(frozen=True)
class RepeatedWords(View[tuple[Floats, Floats]]):
    """∑ log f(w, c, s) over the distinct words w of each pair's candidate, and how many words that are.

    f = 1 / (1 + |freq(w, c) − freq(w, s)|) where s has w too, else 1 / freq(w, c).
    """

    def compute(self, views: Views) -> tuple[Floats, Floats]:
        words, pairs = views.ngrams(1), views.pairs
        frequency = words.candidates.count.astype(np.float64)
        alone = np.bincount(words.candidates.caption, -np.log(frequency), len(views.corpus)).astype(np.float64)
        log_f = alone[pairs.candidate]
        shared = frequency[words.match_candidate]
        in_reference = words.match_count
        log_f += np.bincount(words.match_pair, np.log(shared) - np.log1p(np.abs(shared - in_reference)), len(pairs))
        distinct = np.bincount(words.candidates.caption, minlength=len(views.corpus))
        return log_f, distinct.astype(np.float64)

    def from_index(self, batch: IndexedBatch, views: Views) -> tuple[Floats, Floats]:
        return (batch.matched["repetition"], batch.matched["distinct"]) if batch.order else self.compute(views)
