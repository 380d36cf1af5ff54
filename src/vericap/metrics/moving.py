"""What Word Mover's Distance and VIFIDEL share: what moving words costs, and how the moves are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.results.explanation import Part


def travel_cost(left: Floats, right: Floats, p: int) -> Floats:
    """$\\lVert x_i - x_j \\rVert_2^p$, array [left, right].

    >>> travel_cost(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 0.0]]), 2).tolist()
    [[25.0, 0.0]]
    """
    from scipy.spatial.distance import cdist

    cost: Floats = cdist(left, right)
    return cost if p == 1 else cost**p


def check_moving(p: int, vectors: str, stop: str) -> None:
    """Errors of parameters that both metrics have."""
    if p not in (1, 2):
        raise InputError(f"p={p} is no power of the distance that is defined", field="p", fix="use 1 or 2")
    if not vectors:
        raise InputError("vectors has no name", field="vectors", fix="use shipped, or a file")
    if not stop:
        raise InputError("stop_words has no name", field="stop_words", fix="use english, none, or a file")


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


def similarity(distance: NDArray[np.float64]) -> Floats:
    """exp(−distance): 1 for no way at all, 0 where one side has nothing to move."""
    result: Floats = np.exp(-distance)
    return result
