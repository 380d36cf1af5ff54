"""Pairwise accuracy with ties, and tie calibration (Deutsch, Foster, Freitag 2023, as in mt-metrics-eval).

People give many ties and most metrics none, and a tau cannot say whether a metric is right to see no difference. Here a
tie is a prediction like any other, and each metric's threshold for "no difference" is the one that suits it best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vericap.arrays import Floats, Ragged
from vericap.errors import InputError

MOST_PAIRS = 5_000_000


@dataclass(frozen=True)
class Calibrated:
    """The threshold under which a metric's difference is best taken as a tie, and the accuracy with it."""

    threshold: float
    accuracy: float
    pairs: int


def calibrate(scores: ArrayLike, human: ArrayLike, group: ArrayLike | None = None, *, seed: int = 0) -> Calibrated:
    r"""Return the threshold with the highest accuracy, the smallest of equals; every difference that occurs is tried.

    The accuracy is the share of pairs that a metric orders, or ties, as people do:

    $$ \mathrm{acc}_{eq} = \frac{C + T_{hm}}{C + D + T_h + T_m + T_{hm}} $$

    C and D are concordant and discordant pairs, T_h, T_m, T_hm pairs tied by people, by the metric, by both. Scores
    that differ by at most the threshold are tied. Pairs are made inside each group (an image), and groups count alike;
    without groups, of all rows. Beyond five million pairs that many are drawn with the seed.

    >>> found = calibrate([0.1, 0.2, 0.9], [1, 1, 3])
    >>> round(found.threshold, 6), found.accuracy, found.pairs
    (0.1, 1.0, 3)
    """
    apart, tied, agree, weight = _pairs(scores, human, group, seed)
    if not len(weight):
        return Calibrated(float("nan"), float("nan"), 0)
    order = np.argsort(apart, kind="stable")
    apart, tied, agree, weight = apart[order], tied[order], agree[order], weight[order]
    # With the first k pairs tied: the human ties among them are right, and what agrees among the others.
    right = np.concatenate([[0.0], np.cumsum(weight * tied)]) + np.append(np.cumsum((weight * agree)[::-1])[::-1], 0.0)
    ends = np.append(np.flatnonzero(np.diff(apart)) + 1, len(apart))  # equal differences are tied together
    candidates = np.concatenate([[np.searchsorted(apart, 0.0, "right")], ends])
    accuracy = right[candidates]
    best = int(np.argmax(accuracy >= accuracy.max() - 1e-12))
    threshold = float(apart[candidates[best] - 1]) if best else 0.0
    return Calibrated(threshold, float(accuracy[best]), len(weight))


def _pairs(
    scores: ArrayLike, human: ArrayLike, group: ArrayLike | None, seed: int
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_], Floats]:
    """Return for each pair: distance of the scores, whether people tie it, whether metric and people agree, its
    weight."""
    metric, people = np.asarray(scores, np.float64), np.asarray(human, np.float64)
    if metric.shape != people.shape:
        raise InputError(f"{len(metric)} scores but {len(people)} human ratings", fix="give one of each per row")
    groups = np.zeros(len(metric), np.int64) if group is None else np.unique(np.asarray(group), return_inverse=True)[1]
    kept = np.flatnonzero(~(np.isnan(metric) | np.isnan(people)))
    first, second = _pairs_of_groups(kept, groups[kept], seed)
    member = groups[first]
    sizes = np.bincount(member)
    weight = 1 / sizes[member] / np.count_nonzero(sizes)
    difference, preference = metric[first] - metric[second], people[first] - people[second]
    return np.abs(difference), preference == 0, (difference * preference) > 0, weight


def _pairs_of_groups(
    rows: NDArray[np.int64], group: NDArray[np.int64], seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all pairs of rows inside groups, or as many as are tractable, drawn at random."""
    rows = rows[np.argsort(group, kind="stable")]
    sizes = np.bincount(group)
    sizes = sizes[sizes > 0]
    # Row r of a group (r from 0) is paired with each of the r rows before it.
    place = Ragged.spans(np.zeros_like(sizes), sizes).values
    total = int(place.sum())
    if total <= MOST_PAIRS:
        earlier = Ragged.spans(np.zeros_like(place), place)
        second, before = earlier.row, earlier.values
    else:
        drawn = np.sort(np.random.default_rng(seed).integers(0, total, MOST_PAIRS))
        ends = np.cumsum(place)
        second = np.searchsorted(ends, drawn, "right")
        before = drawn - (ends[second] - place[second])
    first = second - place[second] + before
    return rows[first], rows[second]
