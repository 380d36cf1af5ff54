"""CIDEr (Vedantam et al. 2015): cosine similarity of tf-idf vectors of n-grams, and what its variants share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.metrics.base import Explanation, Floats, Metric, Parameter, Part
from vericap.text.ngrams import BLOCK, Counts, NGrams, ReferenceCounts
from vericap.views import Views


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

    n: int = 4

    name: ClassVar[str] = "cider"
    question: ClassVar = "adequacy"
    range: ClassVar = (0.0, 10.0)
    citation: ClassVar[str] = (
        "Vedantam, Zitnick, Parikh. CIDEr: consensus-based image description evaluation. CVPR 2015."
    )

    clipped: ClassVar[bool] = False

    def statistics(self, views: Views) -> Floats:
        penalty = self.penalty(views)
        count = np.maximum(np.diff(views.pairs.offsets), 1)
        return np.column_stack(
            [
                10 * views.pairs.sum_by_candidate(similarity(views, order, clipped=self.clipped) * penalty) / count
                for order in range(1, self.n + 1)
            ]
        )

    def score(self, statistics: Floats) -> Floats:
        mean: Floats = statistics.mean(axis=1)
        return mean

    def penalty(self, views: Views) -> Floats:
        """What multiplies the similarity of each (candidate, reference) pair."""
        return np.ones(len(views.pairs))

    def check(self, views: Views) -> None:
        super().check(views)
        if views.frequencies is None and views.corpus.images < 2:
            raise InputError(
                f"{self.key} of one image is undefined: with document frequencies from its own references every "
                "n-gram is in every document and weighs log 1 = 0",
                fix="use --df coco or --df FILE, or score more images at once",
            )

    def signature_parts(self, views: Views) -> dict[str, Parameter]:
        return {**super().signature_parts(views), **frequencies_signature(views)}

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
        return Explanation(
            self.key,
            float(self.score(statistics)[0]),
            views.corpus.candidates[i],
            views.corpus.references_of(i),
            values,
            sections,
        )

    def explain_penalty(self, views: Views, pair: int) -> dict[str, float]:
        """The penalties of one pair by name."""
        return {}


def inverse_document_frequency(views: Views, ngrams: NGrams) -> Floats:
    """log N − log max(1, df) of each distinct n-gram."""
    documents = views.corpus.images if views.frequencies is None else views.frequencies.documents
    frequency = np.maximum(1.0, views.document_frequency(ngrams.order))
    idf: Floats = np.log(float(documents)) - np.log(frequency)
    return idf


def similarity(views: Views, order: int, *, clipped: bool) -> Floats:
    """Cosine of the tf-idf vectors of each pair; clipped, the candidate's weight counts at most the reference's.

    $$ \\mathrm{sim}(c, s) = \\frac{\\min(g(c), g(s)) \\cdot g(s)}{\\|g(c)\\| \\, \\|g(s)\\|} $$
    """
    ngrams = views.ngrams(order)
    product, norm, reference_norm = _products(views, ngrams, clipped=clipped)
    dot = np.bincount(ngrams.match_pair, product, len(views.pairs))
    return dot / _or_one(norm[views.pairs.candidate] * reference_norm[views.pairs.reference])


def explain_contributions(
    views: Views, order: int, i: int, pair_weight: Floats, *, clipped: bool
) -> list[Part]:
    """What each n-gram of candidate i adds to the score, heaviest first, with its idf."""
    ngrams = views.ngrams(order)
    idf = inverse_document_frequency(views, ngrams)
    product, norm, reference_norm = _products(views, ngrams, clipped=clipped)
    here = np.flatnonzero(ngrams.candidates.caption[ngrams.match_candidate] == i)
    pair = ngrams.match_pair[here]
    scale = _or_one(norm[views.pairs.candidate[pair]] * reference_norm[views.pairs.reference[pair]])
    adds = np.bincount(
        ngrams.match_candidate[here], product[here] / scale * pair_weight[pair], len(ngrams.candidates.count)
    )
    entries = np.flatnonzero(ngrams.candidates.caption == i).tolist()
    return [
        Part(
            views.spell(ngrams, int(ngrams.candidates.ngram[e])),
            {
                "count": int(ngrams.candidates.count[e]),
                "idf": float(idf[ngrams.candidates.ngram[e]]),
                "adds": float(adds[e]),
            },
        )
        for e in sorted(entries, key=lambda e: (-adds[e], ngrams.candidates.ngram[e]))
    ]


def frequencies_signature(views: Views) -> dict[str, Parameter]:
    """Where document frequencies come from, and how many documents they count."""
    if views.frequencies is None:
        return {"df": "corpus", "documents": views.corpus.images}
    return {"df": views.frequencies.source, "documents": views.frequencies.documents}


def _products(views: Views, ngrams: NGrams, *, clipped: bool) -> tuple[Floats, Floats, Floats]:
    """The product of weights of every match, and the norms of candidates and references."""
    idf = inverse_document_frequency(views, ngrams)
    matched, norm = _weigh(ngrams.candidates, idf, ngrams.match_candidate, len(views.corpus))
    reference_matched, reference_norm = _weigh(
        ngrams.references, idf, ngrams.match_reference, len(views.words.references)
    )
    if clipped:
        matched = np.minimum(matched, reference_matched)
    return matched * reference_matched, norm, reference_norm


def _weigh(counts: Counts | ReferenceCounts, idf: Floats, matched: NDArray[np.int32], captions: int) -> tuple[Floats, Floats]:
    """tf × idf of the entries that match, and the norm of each caption's vector."""
    squares, caption = np.zeros(captions), counts.caption
    for start in range(0, len(counts.count), BLOCK):  # whole, the products would double the memory of the n-grams
        block = slice(start, start + BLOCK)
        weight = idf[counts.ngram[block]] * counts.count[block]
        squares += np.bincount(caption[block], weight * weight, captions)
    return idf[counts.ngram[matched]] * counts.count[matched], np.sqrt(squares)


def _or_one(norm: Floats) -> Floats:
    """A vector without weight has no direction: its products are 0 and stay 0."""
    return np.where(norm > 0, norm, 1.0)
