"""Word Mover's Distance as a caption metric (Kusner et al. 2015; Kilickaya et al. 2017), and how the moves of words
are drawn, which VIFIDEL shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from vericap.arrays import Floats
from vericap.corpus import Corpus
from vericap.engine.progress import counted
from vericap.errors import InputError
from vericap.kernels.transport import distances, transport
from vericap.lexicon.bags import Bags
from vericap.lexicon.vectors import resolve
from vericap.metrics.base import Metric, Parameter
from vericap.metrics.limits import refuse_many_words
from vericap.results.explanation import Explanation, Part
from vericap.views import Facts, Views
from vericap.views.bags import ContentBags


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

    reduce: Literal["best", "worst", "mean"] = "best"
    p: Literal[1, 2] = 1
    vectors: str = "shipped"
    normalised: bool = True
    stop_words: str = "english"

    name: ClassVar[str] = "wmd"
    paper_name: ClassVar[str] = "WMD"
    summary: ClassVar[str] = "how near its words are to those of a reference, as vectors"
    question: ClassVar = "adequacy"
    languages: ClassVar[tuple[str, ...]] = ("en",)
    citation: ClassVar[str] = (
        "Kusner, Sun, Kolkin, Weinberger. From word embeddings to document distances. ICML 2015. "
        "Kilickaya, Erdem, Ikizler-Cinbis, Erdem. Re-evaluating automatic metrics for image captioning. EACL 2017."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_resources(self.vectors, self.stop_words)

    def check(self, views: Facts) -> None:
        super().check(views)
        check_language(views, self.key, self.vectors, self.stop_words)

    def statistics(self, views: Views) -> Floats:
        bags, _ = views.get(ContentBags(self.vectors, self.stop_words, self.normalised))
        refuse_many_words(bags, views.corpus, self.key)
        rows = counted(range(len(views.corpus)))
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

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
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


def travel_cost(left: Floats, right: Floats, p: int) -> Floats:
    """$\\lVert x_i - x_j \\rVert_2^p$, array [left, right].

    >>> travel_cost(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 0.0]]), 2).tolist()
    [[25.0, 0.0]]
    """
    from scipy.spatial.distance import cdist

    cost: Floats = cdist(left, right)
    return cost if p == 1 else cost**p


def check_resources(vectors: str, stop: str) -> None:
    """Raises an error where vectors or stop words are empty; WMD and VIFIDEL both have them."""
    if not vectors:
        raise InputError("vectors is empty", field="vectors", fix="use shipped, or the path of a file")
    if not stop:
        raise InputError("stop_words is empty", field="stop_words", fix="use english, none, or the path of a file")


def check_language(views: Facts, key: str, vectors: str, stop: str) -> None:
    """Raises an error where the vectors are English and the captions are not; stop words that are get a note."""
    if views.language == "en":
        return
    if vectors == "shipped":
        name = key.partition("(")[0]
        raise InputError(
            f"the vectors that ship are of English words, and --language is {views.language!r}",
            field="language",
            fix=f"give vectors of that language: {name}(vectors=FILE,stop_words=FILE), or leave {name} out",
        )
    if stop == "english":
        views.note(f"{key}: the stop words are English; give those of {views.language!r}, stop_words=FILE, or none")


def links(left: Sequence[str], right: Sequence[str], plan: Floats, cost: Floats) -> list[tuple[int, int, float, float]]:
    """What moves: (left, right, mass, cost of the whole way), the most of each left word first."""
    found = [(i, j, float(plan[i, j]), float(cost[i, j])) for i, j in np.argwhere(plan > 0).tolist()]
    return sorted(found, key=lambda link: (link[0], -link[2], link[1]))


def draw_links(left: Sequence[str], right: Sequence[str], plan: Floats, cost: Floats) -> list[str]:
    """Two columns with links: a line a link, its mass in the middle.

    >>> plan, cost = np.array([[0.5, 0.25], [0.0, 0.25]]), np.array([[0.0, 1.0], [1.0, 0.5]])
    >>> print("\\n".join(draw_links(["dog", "grass"], ["puppy", "park"], plan, cost)))
    dog   ──0.50──▶ puppy  at 0.000
          ──0.25──▶ park   at 1.000
    grass ──0.25──▶ park   at 0.500
    """
    wide, narrow = max(map(len, left), default=0), max(map(len, right), default=0)
    lines, before = [], -1
    for i, j, mass, price in links(left, right, plan, cost):
        name = left[i] if i != before else ""
        lines.append(f"{name:<{wide}} ──{mass:.2f}──▶ {right[j]:<{narrow}}  at {price:.3f}")
        before = i
    return lines


def link_parts(left: Sequence[str], right: Sequence[str], plan: Floats, cost: Floats) -> list[Part]:
    """The links as an explanation's lines, the dearest first."""
    found = sorted(links(left, right, plan, cost), key=lambda link: -link[2] * link[3])
    return [
        Part(f"{left[i]} → {right[j]}", {"mass": mass, "distance": price, "cost": mass * price})
        for i, j, mass, price in found
    ]


def similarity(distance: Floats) -> Floats:
    """exp(−distance): 1 for no way at all, 0 where one side has nothing to move."""
    result: Floats = np.exp(-distance)
    return result
