"""CIDEr (Vedantam et al. 2015): cosine similarity of tf-idf vectors of n-grams, and what its variants share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.metrics.base import Metric, Parameter
from vericap.options.declared import Between, option
from vericap.text.ngrams import NGrams
from vericap.views import Facts, View, Views

if TYPE_CHECKING:
    from vericap.results.explanation import Explanation, Part
    from vericap.views.batch import IndexedBatch


@dataclass(frozen=True)
class Cider(Metric):
    r"""CIDEr with n-grams of order 1 … n, on the scale 0–10.

    $$ \mathrm{CIDEr}_n(c, S) = \frac{10}{m} \sum_{j}
       \frac{\mathbf g^n(c) \cdot \mathbf g^n(s_j)}{\|\mathbf g^n(c)\| \, \|\mathbf g^n(s_j)\|}, \qquad
       g_w(s) = \mathrm{tf}_w(s) \, \big(\log N - \log \max(1, \mathrm{df}_w)\big) $$

    and CIDEr is the mean over n. Statistics [captions, n]: CIDEr_n.

    >>> from vericap.corpus import Corpus
    >>> corpus = Corpus.from_lists(["a dog runs", "a cat"], [["a dog runs"], ["a red cat"]])
    >>> Cider(n=2).statistics(Views(corpus, tokenizer="whitespace")).round(3).tolist()
    [[10.0, 10.0], [7.071, 0.0]]
    """

    n: Annotated[int, Between(1, 16)] = option(4, "Length of the longest n-grams.")

    name: ClassVar[str] = "cider"
    paper_name: ClassVar[str] = "CIDEr"
    summary: ClassVar[str] = "n-grams shared with the references, rare ones counting more"
    question: ClassVar = "adequacy"
    served: ClassVar[bool] = True
    range: ClassVar = (0.0, 10.0)
    counts_end: ClassVar[bool] = True
    needs_frequencies: ClassVar[bool] = True
    when_asked: ClassVar[str] = (
        "cider is CIDEr as its paper defines it; what COCO's evaluation prints as CIDEr is cider-d"
    )
    citation: ClassVar[str] = (
        "Vedantam, Zitnick, Parikh. CIDEr: consensus-based image description evaluation. CVPR 2015."
    )

    clipped: ClassVar[bool] = False

    def statistics(self, views: Views) -> Floats:
        penalty = self.penalty(views)
        count = np.maximum(np.diff(views.pairs.offsets), 1)
        return np.column_stack(
            [
                10 * views.pairs.sum_by_candidate(views.get(Similarity(order, self.clipped)) * penalty) / count
                for order in range(1, self.n + 1)
            ]
        )

    def expected_views(self) -> Iterator[tuple[int, View[Any]]]:
        return ((order, Similarity(order, self.clipped)) for order in range(1, self.n + 1))

    def score(self, statistics: Floats) -> Floats:
        return np.asarray(statistics.mean(axis=1))

    def frequency_order(self) -> int:
        return self.n

    def penalty(self, views: Views) -> Floats:
        """Return the factor of the similarity of each (candidate, reference) pair."""
        return np.ones(len(views.pairs))

    def check(self, views: Facts) -> None:
        super().check(views)
        if views.frequencies is not None:
            views.frequencies.require(self.n)
        elif views.corpus.images < 2:
            raise InputError(
                f"{self.key} of one image is undefined: with document frequencies from its own references every "
                "n-gram is in every document and weighs log 1 = 0",
                fix="use --df coco or --df FILE, or score more images at once",
            )

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        own, known = super().signature_parts(views), views.frequencies
        if known is None:
            return {**own, "df": "corpus", "documents": views.corpus.images}
        return {**own, "df": known.source, "documents": known.documents}

    def explain(self, views: Views, i: int) -> Explanation:
        penalty = self.penalty(views)
        statistics = self.statistics(views)[i : i + 1]
        values: dict[str, float | int | str] = {
            f"{self.key}_{order}": float(statistics[0, order - 1]) for order in range(1, self.n + 1)
        }
        pairs = range(views.pairs.offsets[i], views.pairs.offsets[i + 1])
        for number, pair in enumerate(pairs, 1):
            values |= {f"{k}, reference {number}": v for k, v in self.explain_penalty(views, pair).items()}
        share = 10 / len(pairs) / self.n
        sections = {
            f"{order}-grams, what each adds to the score": explain_contributions(
                views, order, i, share * penalty, clipped=self.clipped
            )
            for order in range(1, self.n + 1)
        }
        return self.explanation(views, i, self.score(statistics)[0], values, sections)

    def explain_penalty(self, views: Views, pair: int) -> dict[str, float]:
        """Return the penalties of one pair by name."""
        return {}


@dataclass(frozen=True)
class Similarity(View[Floats]):
    r"""Cosine of the tf-idf vectors of each pair; clipped, the candidate's weight counts at most the reference's.

    $$ \mathrm{sim}(c, s) = \frac{\min(g(c), g(s)) \cdot g(s)}{\|g(c)\| \, \|g(s)\|} $$
    """

    order: int
    clipped: bool

    def compute(self, views: Views) -> Floats:
        ngrams = views.ngrams(self.order)
        dot = np.bincount(ngrams.match_pair, products(ngrams, clipped=self.clipped), len(views.pairs))
        return dot / norms_of_pairs(views, ngrams)

    def from_index(self, batch: IndexedBatch, views: Views) -> Floats:
        if self.order > batch.order:
            return self.compute(views)
        products = batch.matched["clipped" if self.clipped else "dot"]
        return np.asarray(products[:, self.order - 1] / batch.norms[:, self.order - 1])


def products(ngrams: NGrams, *, clipped: bool) -> Floats:
    """g(c) · g(s) of every match, where g = tf × idf."""
    entry = ngrams.match_candidate
    idf = ngrams.inverse_document_frequency(ngrams.candidates.ngram[entry])
    tf, reference_tf = ngrams.candidates.count[entry], ngrams.match_count
    return (np.minimum(tf, reference_tf) if clipped else tf) * idf * (reference_tf * idf)


def norms_of_pairs(views: Views, ngrams: NGrams) -> Floats:
    """‖g(c)‖ ‖g(s)‖ of every pair. A vector without weight has no direction: its products are 0 and stay 0."""
    norm = ngrams.norm[views.pairs.candidate] * ngrams.reference_norm[views.pairs.reference]
    return np.where(norm > 0, norm, 1.0)


def explain_contributions(views: Views, order: int, i: int, pair_weight: Floats, *, clipped: bool) -> list[Part]:
    """Return what each n-gram of candidate i adds to the score, heaviest first, with its idf."""
    from vericap.results.explanation import Part

    ngrams = views.ngrams(order)
    candidates = ngrams.candidates
    share = products(ngrams, clipped=clipped) * (pair_weight / norms_of_pairs(views, ngrams))[ngrams.match_pair]
    adds = np.bincount(ngrams.match_candidate, share, len(candidates.count))
    idf = ngrams.inverse_document_frequency(candidates.ngram)
    entries = np.flatnonzero(candidates.caption == i).tolist()
    return [
        Part(
            views.spell(ngrams, int(candidates.ngram[e])),
            {"count": int(candidates.count[e]), "idf": float(idf[e]), "adds": float(adds[e])},
        )
        for e in sorted(entries, key=lambda e: (-adds[e], candidates.ngram[e]))
    ]
