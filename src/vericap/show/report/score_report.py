"""The report of `score`: metrics with intervals and signatures, groups, every caption, and why those at the ends have
their scores."""

from __future__ import annotations

from typing import Any

from vericap.options.page import PageOptions
from vericap.results.numbers import finite, listed
from vericap.results.scores import GroupResult, Result
from vericap.show.report.chosen import chosen_rows
from vericap.show.report.columns import caption_columns, described, metric_facts
from vericap.show.report.explained import explained
from vericap.version import __version__


def score_report(result: Result, scale: float = 1.0, options: PageOptions | None = None) -> dict[str, Any]:
    """All that the page of a result shows."""
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
        "groups": [_group(label, group) for label, group in result.groups.items()],
        "captions": captions,
        "explanations": explained(result.explain_rows(rows)),
        "command": "vericap explain …",
        "notes": [*result.notes, *notes],
    }


def _group(label: str, group: GroupResult) -> dict[str, Any]:
    return {
        "label": label,
        "captions": group.captions,
        "scores": {key: finite(score) for key, score in group.scores.items()},
        "intervals": {key: listed(interval) for key, interval in group.intervals.items()},
    }
