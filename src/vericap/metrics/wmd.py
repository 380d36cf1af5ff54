"""Word Mover's Distance as a caption metric (Kusner et al. 2015; Kilickaya et al. 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from vericap.arrays import Floats
from vericap.corpus import Corpus
from vericap.engine.progress import counted
from vericap.kernels.transport import distances
from vericap.lexicon.bags import Bags
from vericap.metrics.transport import MoversMetric, refuse_many_words, shown_links, travel_cost
from vericap.options.declared import option
from vericap.results.explanation import Explanation
from vericap.views import Views
from vericap.views.bags import ContentBags


@dataclass(frozen=True)
class Wmd(MoversMetric):
    r"""The minimum distance that the candidate's content words must be moved, in the space of word vectors $x$, to
    become those of a reference; $d$ are relative frequencies of words.

    $$ \mathrm{WMD}(\alpha, \beta) = \min_{T \ge 0} \sum_{ij} T_{ij} \lVert x_i - x_j \rVert_2^p, \quad
       \sum_j T_{ij} = d_i^\alpha, \; \sum_i T_{ij} = d_j^\beta; \qquad \mathrm{score} = \exp(-\mathrm{WMD}) $$

    `reduce` takes the nearest reference (best), the farthest (worst) or the mean distance. Stop words and words
    without a vector do not move. A caption, or a reference, without any other word is infinitely far: a candidate
    scores 0 then, and such a reference counts only where there is no other.

    Statistics [captions, 1]: the distance. The corpus score is the mean of the captions' scores.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["a puppy runs", "a pizza"], [["the dog runs", "a cat"]] * 2))
    >>> Wmd().statistics(views).round(3).tolist(), Wmd().score(Wmd().statistics(views)).round(3).tolist()
    ([[0.298], [1.293]], [0.743, 0.275])
    """

    reduce: Literal["best", "worst", "mean"] = option("best", "Nearest reference, farthest, or the mean.")
    p: Literal[1, 2] = option(1, "Power of the distance between two words.")
    vectors: str = option("shipped", "Word vectors: shipped, or the path of a file.")
    normalised: bool = option(True, "Bring word vectors to unit length.")
    stop_words: str = option("english", "Words that are left out: english, none, or the path of a file.")

    name: ClassVar[str] = "wmd"
    paper_name: ClassVar[str] = "WMD"
    summary: ClassVar[str] = "how near its words are to those of a reference, as vectors"
    question: ClassVar = "adequacy"
    languages: ClassVar[tuple[str, ...]] = ("en",)
    citation: ClassVar[str] = (
        "Kusner, Sun, Kolkin, Weinberger. From word embeddings to document distances. ICML 2015. "
        "Kilickaya, Erdem, Ikizler-Cinbis, Erdem. Re-evaluating automatic metrics for image captioning. EACL 2017."
    )

    def statistics(self, views: Views) -> Floats:
        bags, _ = views.get(ContentBags(self.vectors, self.stop_words, self.normalised))
        refuse_many_words(bags, views.corpus, self.key)
        rows = counted(range(len(views.corpus)))
        return np.array([self._chosen(self._distances(views.corpus, bags, row)) for row in rows], float).reshape(-1, 1)

    def _distances(self, corpus: Corpus, bags: Bags, row: int) -> Floats:
        """Return the distance to each reference of a candidate; NaN for those that cannot be the nearest."""
        first, last = corpus.reference_offsets[corpus.image[row] : corpus.image[row] + 2] + len(corpus)
        start, end = bags.offsets[first], bags.offsets[last]
        ids, counts = bags[row]
        cost = travel_cost(bags.vectors[ids], bags.vectors[bags.ids[start:end]], self.p)
        offsets = bags.offsets[first : last + 1] - start
        return distances(counts, bags.counts[start:end], offsets, cost, self.reduce == "best")

    def _chosen(self, found: Floats) -> float:
        defined = found[np.isfinite(found)]
        choose = {"best": "min", "worst": "max", "mean": "mean"}[self.reduce]
        return float(getattr(defined, choose)()) if len(defined) else float("inf")

    def explain(self, views: Views, i: int) -> Explanation:
        corpus = views.corpus
        bags, _ = views.get(ContentBags(self.vectors, self.stop_words, self.normalised))
        every = Wmd("mean", self.p, self.vectors, self.normalised, self.stop_words)._distances(corpus, bags, i)
        distance = self._chosen(every)
        values: dict[str, float | int | str] = {"distance": distance}
        values |= {f"reference {number}": float(each) for number, each in enumerate(every, 1)}
        score = self.score(np.array([[distance]]))[0]
        if not np.isfinite(every).any():
            return self.explanation(views, i, score, values)
        shown = int(np.argmax(np.where(np.isfinite(every), every, -1)) if self.reduce == "worst" else np.argmin(every))
        ids, counts = bags[i]
        others, other_counts = bags[int(corpus.reference_offsets[corpus.image[i]]) + len(corpus) + shown]
        cost = travel_cost(bags.vectors[ids], bags.vectors[others], self.p)
        left, right = [bags.words[k] for k in ids], [bags.words[k] for k in others]
        sections, drawing = shown_links(left, right, counts, other_counts, cost)
        return self.explanation(views, i, score, values, sections, [f"to reference {shown + 1}:", *drawing])
