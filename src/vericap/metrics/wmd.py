"""Word Mover's Distance as a caption metric (Kusner et al. 2015; Kilickaya et al. 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from vericap.arrays import Floats
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.kernels.transport import distances, transport
from vericap.lexicon.bags import Bags
from vericap.lexicon.vectors import resolve
from vericap.metrics.base import Metric, Parameter
from vericap.metrics.moving import check_moving, draw_links, link_parts, similarity, travel_cost
from vericap.results.explanation import Explanation
from vericap.views import Views
from vericap.views.bags import ContentBags

REDUCE = ("best", "worst", "mean")


@dataclass(frozen=True)
class Wmd(Metric):
    r"""The least way that the candidate's content words travel, in the space of word vectors $x$, to become those of
    a reference; $d$ are relative frequencies of words.

    $$ \mathrm{WMD}(\alpha, \beta) = \min_{T \ge 0} \sum_{ij} T_{ij} \lVert x_i - x_j \rVert_2^p, \quad
       \sum_j T_{ij} = d_i^\alpha, \; \sum_i T_{ij} = d_j^\beta; \qquad \mathrm{score} = \exp(-\mathrm{WMD}) $$

    `reduce` takes the nearest reference (best), the farthest (worst) or the mean distance. Stop words and words
    without a vector do not travel. A caption, or a reference, without any other word is infinitely far: a candidate
    scores 0 then, and such a reference counts only where there is no other.

    Statistics [captions, 1]: the distance. The corpus score is the mean of the captions' scores.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["a puppy runs", "a pizza"], [["the dog runs", "a cat"]] * 2))
    >>> Wmd().statistics(views).round(3).tolist(), Wmd().score(Wmd().statistics(views)).round(3).tolist()
    ([[0.298], [1.293]], [0.743, 0.275])
    """

    reduce: str = "best"
    p: int = 1
    vectors: str = "shipped"
    normalised: bool = True
    stop_words: str = "english"

    name: ClassVar[str] = "wmd"
    question: ClassVar = "adequacy"
    citation: ClassVar[str] = (
        "Kusner, Sun, Kolkin, Weinberger. From word embeddings to document distances. ICML 2015. "
        "Kilickaya, Erdem, Ikizler-Cinbis, Erdem. Re-evaluating automatic metrics for image captioning. EACL 2017."
    )

    def __post_init__(self) -> None:
        if self.reduce not in REDUCE:
            raise InputError(f"reduce={self.reduce} is none", field="reduce", fix=f"use one of {', '.join(REDUCE)}")
        check_moving(self.p, self.vectors, self.stop_words)

    def statistics(self, views: Views) -> Floats:
        bags, _ = views.get(ContentBags(self.vectors, self.stop_words, self.normalised))
        rows = range(len(views.corpus))
        return np.array([self._chosen(self._distances(views.corpus, bags, row)) for row in rows], float).reshape(-1, 1)

    def _distances(self, corpus: Corpus, bags: Bags, row: int) -> Floats:
        """The distance to each reference of a candidate; NaN for those that cannot be the nearest."""
        first, last = corpus.reference_offsets[corpus.image[row] : corpus.image[row] + 2] + len(corpus)
        start, end = bags.offsets[first], bags.offsets[last]
        ids, counts = bags[row]
        cost = travel_cost(bags.vectors[ids], bags.vectors[bags.ids[start:end]], self.p)
        offsets = bags.offsets[first : last + 1] - start
        return distances(counts, bags.counts[start:end], offsets, cost, self.reduce == "best")

    def _chosen(self, found: Floats) -> float:
        if not len(found):
            return float("inf")
        if self.reduce == "best":
            return float(np.nanmin(found))
        defined = found[np.isfinite(found)]
        if not len(defined):
            return float("inf")
        return float(defined.max() if self.reduce == "worst" else defined.mean())

    def score(self, statistics: Floats) -> Floats:
        return similarity(statistics[:, 0])

    def signature_parts(self, views: Views) -> dict[str, Parameter]:
        vectors = resolve(self.vectors)
        return {**super().signature_parts(views), "vectors": f"{vectors.name} {vectors.digest}"}

    def explain(self, views: Views, i: int) -> Explanation:
        corpus = views.corpus
        bags, _ = views.get(ContentBags(self.vectors, self.stop_words, self.normalised))
        every = Wmd("mean", self.p, self.vectors, self.normalised, self.stop_words)._distances(corpus, bags, i)
        distance = self._chosen(every)
        values: dict[str, float | int | str] = {"distance": distance}
        values |= {f"reference {number}": float(each) for number, each in enumerate(every, 1)}
        score = float(similarity(np.array([distance]))[0])
        if not np.isfinite(every).any():
            return self.explanation(views, i, score, values)
        shown = int(np.argmax(np.where(np.isfinite(every), every, -1)) if self.reduce == "worst" else np.argmin(every))
        ids, counts = bags[i]
        others, other_counts = bags[int(corpus.reference_offsets[corpus.image[i]]) + len(corpus) + shown]
        cost = travel_cost(bags.vectors[ids], bags.vectors[others], self.p)
        plan = transport(counts, other_counts, cost)[1]
        left, right = [bags.words[k] for k in ids], [bags.words[k] for k in others]
        drawing = [f"to reference {shown + 1}:", *draw_links(left, right, plan, cost)]
        sections = {"links, the dearest first": link_parts(left, right, plan, cost)}
        return self.explanation(views, i, score, values, sections, drawing)
