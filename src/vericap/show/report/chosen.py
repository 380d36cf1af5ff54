"""Which captions are explained inside a page: the worst, the best, the most disputed, and the worst by each metric."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vericap.arrays import Floats
from vericap.results.scores import MetricResult, Result

WORST_BY_METRIC = 5  # as many as the page lists for each metric


def chosen_rows(result: Result, count: int) -> list[int]:
    """Rows in ascending order: `count` of the worst, of the best and of the most disputed, and a few more.

    The worst have the lowest mean place over all metrics; the most disputed are those whose places differ most.
    """
    captions = len(result.corpus)
    if count >= captions:
        return list(range(captions))
    if not count or not len(result):
        return []
    places = np.array([place(each) for each in result.values()])
    defined = ~np.isnan(places)
    many = np.maximum(defined.sum(axis=0), 1)
    mean = np.where(defined, places, 0).sum(axis=0) / many
    spread = np.sqrt(np.where(defined, (places - mean) ** 2, 0).sum(axis=0) / many)
    order = np.argsort(mean, kind="stable")
    found = {*order[:count].tolist(), *order[-count:].tolist(), *np.argsort(-spread, kind="stable")[:count].tolist()}
    for column in places:
        found.update(np.argsort(column, kind="stable")[: min(count, WORST_BY_METRIC)].tolist())
    return sorted(found)


def place(metric: MetricResult) -> Floats:
    """Where each caption is among all by a metric, from 0 (worst) to 1 (best); NaN where it has no score."""
    scores = metric.captions if metric.higher_is_better else -metric.captions
    from scipy.stats import rankdata  # half a second to import, which results without a page do not pay

    places = np.full(len(scores), np.nan)
    defined = ~np.isnan(scores)
    if defined.any():
        places[defined] = (rankdata(scores[defined]) - 1) / max(int(defined.sum()) - 1, 1)
    return places


def most_different(better: Sequence[Floats], count: int) -> list[int]:
    """Images on which two captioners differ most, half of them for each: `better` has, by metric, how much better the
    first one's caption of each image is.

    >>> most_different([np.array([0.0, 3.0, -1.0, 0.5])], 2)
    [1, 2]
    """
    apart = standardised(better)
    order = np.argsort(apart, kind="stable")
    half = (count + 1) // 2
    worse = [image for image in order[:half].tolist() if apart[image] < 0]
    return sorted({*worse, *(image for image in order[::-1][:half].tolist() if apart[image] > 0)})


def standardised(better: Sequence[Floats]) -> Floats:
    """The mean over metrics of differences, each in standard deviations of its metric's."""
    apart: Floats = np.zeros(len(better[0]) if better else 0)
    for column in better:
        spread = float(np.nanstd(column)) if not np.isnan(column).all() else 0.0
        if spread > 0:
            apart += np.nan_to_num(column) / spread / len(better)
    return apart
