"""Moving the words of one side to those of another at the least cost, which WMD and VIFIDEL share: the cost, the
distance, the score of a distance, and how the moves are explained and drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vericap.arrays import Floats, Integers
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.kernels.transport import distances, transport
from vericap.lexicon.bags import Bags
from vericap.lexicon.vectors import resolve
from vericap.metrics.base import Metric, Parameter
from vericap.results.explanation import Part
from vericap.views.facts import Facts

# Different content words in one caption or reference: transport takes the cube of it.
MOST_WORDS = 500


class MoversMetric(Metric):
    """The common base of metrics that move words: what their `vectors` and `stop_words` may be, and exp(−distance)."""

    vectors: str
    stop_words: str

    def __post_init__(self) -> None:
        super().__post_init__()
        for field, usual in (("vectors", "shipped"), ("stop_words", "english, none")):
            if not getattr(self, field):
                raise InputError(f"{field} is empty", field=field, fix=f"use {usual}, or the path of a file")

    def check(self, views: Facts) -> None:
        """Raise an error if the vectors are English and the captions are not; English stop words get a note."""
        super().check(views)
        language, name = views.language, self.name
        if self.vectors == "shipped" and language != "en":
            raise InputError(
                f"the vectors that ship are of English words, and --language is {language!r}",
                field="language",
                fix=f"give vectors of that language: {name}(vectors=FILE,stop_words=FILE), or leave {name} out",
            )
        if self.stop_words == "english" and language != "en":
            views.note(f"{self.key}: the stop words are English; give those of {language!r}, stop_words=FILE, or none")

    def score(self, statistics: Floats) -> Floats:
        """Return exp(−distance): 1 for distance 0, and 0 if one side has nothing to move."""
        return np.asarray(np.exp(-statistics[:, 0]))

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        vectors = resolve(self.vectors)
        return {**super().signature_parts(views), "vectors": f"{vectors.name} {vectors.digest}"}


def travel_cost(left: Floats, right: Floats, p: int) -> Floats:
    """Return the cost $\\lVert x_i - x_j \\rVert_2^p$ of a move, array [left, right].

    >>> travel_cost(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 0.0]]), 2).tolist()
    [[25.0, 0.0]]
    """
    from scipy.spatial.distance import cdist

    cost: Floats = cdist(left, right)
    return cost if p == 1 else cost**p


def movers_distance(left: Floats, supply: Integers, right: Floats, demand: Integers, p: int) -> float:
    r"""Return the Word Mover's Distance, $\min_{T \ge 0} \sum_{ij} T_{ij} \lVert x_i - x_j \rVert_2^p$, that moves the
    words of the left side, with vectors [left, dimensions] and counts, to those of the right; infinity if either side
    has no word.

    >>> x = np.array([[0.0, 0.0], [3.0, 4.0]])
    >>> movers_distance(x, np.array([1, 1]), x[1:], np.array([7]), 1)
    2.5
    """
    if not len(left) or not len(right):
        return float("inf")
    return float(distances(supply, demand, np.array([0, len(demand)]), travel_cost(left, right, p))[0])


def links(left: Sequence[str], right: Sequence[str], plan: Floats, cost: Floats) -> list[tuple[int, int, float, float]]:
    """Return what moves, (left, right, mass, cost per mass), the most of each left word first."""
    found = [(i, j, float(plan[i, j]), float(cost[i, j])) for i, j in np.argwhere(plan > 0).tolist()]
    return sorted(found, key=lambda link: (link[0], -link[2], link[1]))


def draw_links(left: Sequence[str], right: Sequence[str], plan: Floats, cost: Floats) -> list[str]:
    """Return two columns with links: one line per link, with its mass in the middle.

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
    """Return the links as lines of an explanation, highest cost first."""
    found = sorted(links(left, right, plan, cost), key=lambda link: -link[2] * link[3])
    return [
        Part(f"{left[i]} → {right[j]}", {"mass": mass, "distance": price, "cost": mass * price})
        for i, j, mass, price in found
    ]


def shown_links(
    left: Sequence[str], right: Sequence[str], supply: Integers, demand: Integers, cost: Floats
) -> tuple[dict[str, list[Part]], list[str]]:
    """Return the moves of least cost for an explanation: its section of links, and their drawing."""
    plan = transport(supply, demand, cost)[1]
    return {"links, the dearest first": link_parts(left, right, plan, cost)}, draw_links(left, right, plan, cost)


def refuse_many_words(bags: Bags, corpus: Corpus, key: str) -> None:
    """Raise an error if a candidate or a reference has more different content words than can be moved."""
    sizes = np.diff(bags.offsets)
    if not len(sizes) or sizes.max() <= MOST_WORDS:
        return
    place = int(np.argmax(sizes > MOST_WORDS))
    what = f"candidate {place + 1}" if place < len(corpus) else f"reference {place - len(corpus) + 1}"
    raise InputError(
        f"{what} has {int(sizes[place]):,} different content words, and {key} moves at most {MOST_WORDS:,}",
        field="caption" if place < len(corpus) else "references",
        fix="shorten it, or leave the metric out",
    )
