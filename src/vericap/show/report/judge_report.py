"""The report of `judge`: agreement with intervals, clusters of significance, the human ceiling, and the captions on
which metrics and people are furthest apart."""

from __future__ import annotations

from typing import Any

from vericap.results.plain import fields, plain
from vericap.results.verdict import Disagreement, MetricRow, Verdict
from vericap.show.metric_list import agreement
from vericap.show.report.columns import short
from vericap.show.verdict import published_grid, sentences, verdict_grid
from vericap.version import __version__

_REFERENCES = 5  # shown with a caption


def judge_report(verdict: Verdict, scale: float = 100.0) -> dict[str, Any]:
    """Return all that the page of a verdict shows."""
    published = published_grid(verdict)
    measures = [measure for measure in verdict.measures() if not measure.endswith("p_value")]
    clustered = clusters(verdict)
    return {
        "kind": "judge",
        "vericap": __version__,
        "title": f"{verdict.benchmark}: agreement with people",
        "what": "metrics judged by people",
        "subtitle": f"{verdict.what}; {verdict.n:,} judgements",
        "scale": scale,
        "measure": verdict.measure,
        "measures": measures,
        "rows": [_row(row, clustered[row.metric]) for row in verdict.rows],
        "ceiling": plain(verdict.ceiling),
        "contrasts": [each.to_dict() for each in verdict.contrasts],
        "sentences": claims_of(verdict, scale),
        "legend": verdict_grid(verdict, scale).title,
        "published": [list(published.head), *map(list, published.rows)] if verdict.published else [],
        "disagreements": [_disagreement(each) for each in verdict.disagreements],
        "matrix": matrix(),
        "curves": [curve.to_dict() for curve in verdict.curves],
        "notes": [*sentences(verdict), *(row.signature for row in verdict.rows if row.signature)],
    }


def matrix() -> dict[str, Any]:
    """Return the shipped table of metrics and benchmarks: names of benchmarks, and a row of text per metric."""
    table = agreement()
    benchmarks = list(dict.fromkeys(name for row in table.values() for name in row))
    rows = [{"metric": key, "cells": [row.get(name) for name in benchmarks]} for key, row in table.items()]
    return {"benchmarks": benchmarks, "rows": rows}


def clusters(verdict: Verdict) -> dict[str, int]:
    """Return the cluster of each metric, 1 the best: a metric that one of its cluster beats starts a new one."""
    found: dict[str, int] = {}
    present: list[int] = []
    number = 1
    for row in best_first(verdict):
        if any(row in verdict.rows[other].beats for other in present):
            number, present = number + 1, []
        present.append(row)
        found[verdict.rows[row].metric] = number
    return found


def best_first(verdict: Verdict) -> list[int]:
    """Return the places of the rows, best agreement first and undefined last."""
    accuracy = verdict.measure.startswith("accuracy")

    def agreement(place: int) -> float:
        row = verdict.rows[place]
        value = row.value(verdict.measure)
        if value != value:
            return float("inf")
        return -value if accuracy or row.higher_is_better else value

    return sorted(range(len(verdict.rows)), key=agreement)


def claims_of(verdict: Verdict, scale: float = 100.0) -> list[str]:
    """Return what the verdict shows: which metric agrees best, which are equally good, and how well people agree."""
    order = [verdict.rows[place] for place in best_first(verdict)]
    if not order:
        return []
    best, measure = order[0], verdict.measure
    found = best.estimates.get(measure)
    if found is None:
        return []
    ends = ""
    if found.interval is not None:
        ends = " [" + ", ".join(f"{end * scale:.1f}" for end in found.interval) + "]"
    first = [row.metric for row in order[1:] if clusters(verdict)[row.metric] == 1]
    said = [f"{best.metric} agrees best with people: {measure} {found.value * scale:.1f}{ends}."]
    if verdict.bootstrap and first:
        others = ", ".join(first)
        said.append(f"The data do not show that it agrees better than {others}: they share the first cluster.")
    if measure in verdict.ceiling:
        people = verdict.ceiling[measure] * scale
        said.append(f"A person agrees with the mean of the other people at {people:.1f}.")
    return said


def _row(row: MetricRow, cluster: int) -> dict[str, Any]:
    return {
        "metric": row.metric,
        "cluster": cluster,
        "estimates": {name: fields(each, "value", "interval") for name, each in row.estimates.items()},
        **fields(row, "ties", "higher_is_better"),
    }


def _disagreement(each: Disagreement) -> dict[str, Any]:
    numbers = ("score", "human", "human_place", "metric_place", "other_score")
    return {
        **fields(each, "metric", "image_id", "caption", "other"),
        "references": list(each.references[:_REFERENCES]),
        **{name: short(getattr(each, name)) for name in numbers},
    }
