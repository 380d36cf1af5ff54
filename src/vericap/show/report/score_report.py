"""The report of `score`: metrics with intervals and signatures, groups, every caption, and why those at the ends have
their scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from vericap.arrays import Floats
from vericap.options.page import PageOptions
from vericap.results.plain import fields
from vericap.results.scores import MetricResult, Result
from vericap.show.report.columns import caption_columns, described, explained, metric_facts
from vericap.version import __version__

WORST_BY_METRIC = 5  # as many as the page lists for each metric


def score_report(result: Result, scale: float = 1.0, options: PageOptions | None = None) -> dict[str, Any]:
    """Return all that the page of a result shows."""
    options = options or PageOptions()
    scores = {key: each.captions for key, each in result.items()}
    captions, notes = caption_columns(result.corpus, scores, options)
    rows = chosen_rows(result, options.captions_explained(len(result.corpus)))
    return {
        "kind": "score",
        "vericap": __version__,
        "title": result.label,
        "what": "scores of a captioner",
        "subtitle": described(result.corpus),
        "scale": scale,
        "metrics": [metric_facts(each) for each in result.values()],
        "groups": [
            {"label": label, **fields(group, "captions", "scores", "intervals")}
            for label, group in result.groups.items()
        ],
        "captions": captions,
        "explanations": explained(result.explain_rows(rows)),
        "command": "vericap explain …",
        "notes": [*result.notes, *notes],
    }


def chosen_rows(result: Result, count: int) -> list[int]:
    """Return the captions that a page explains, in ascending order: `count` of the worst, of the best and of the most
    disputed, and the worst by each metric.

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
    """Return the place of each caption among all by a metric, from 0 (worst) to 1 (best); NaN where it has no score."""
    scores = metric.captions if metric.higher_is_better else -metric.captions
    from scipy.stats import rankdata  # half a second to import, which results without a page do not pay

    places = np.full(len(scores), np.nan)
    defined = ~np.isnan(scores)
    if defined.any():
        places[defined] = (rankdata(scores[defined]) - 1) / max(int(defined.sum()) - 1, 1)
    return places
