"""The report of `explain`: a few captions, and all that their scores are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from vericap.corpus import Corpus
from vericap.results.explanation import Explanations
from vericap.results.page_options import PageOptions
from vericap.show.explanation import by_caption
from vericap.show.report.columns import caption_columns, described
from vericap.show.report.explained import explained
from vericap.version import __version__


def explain_report(explanations: Explanations, options: PageOptions | None = None) -> dict[str, Any]:
    """All that the page of explanations shows."""
    found = list(by_caption(explanations))
    keys = list(dict.fromkeys(each.metric for _, group in found for each in group))
    references = [list(group[0].references) for _, group in found]
    corpus = Corpus.from_lists([group[0].caption for _, group in found], references, [name for name, _ in found])
    scores = {key: np.array([_score(group, key) for _, group in found]) for key in keys}
    captions, notes = caption_columns(corpus, scores, options or PageOptions())
    captions["objects"] = [explanations.objects.get(str(name), []) for name, _ in found] if explanations.objects else []
    return {
        "kind": "explain",
        "vericap": __version__,
        "title": "Why these scores"
        if len(found) > 1 or not found
        else f"Why “{found[0][1][0].caption}” has its scores",
        "what": "explanations of captions",
        "subtitle": described(corpus) if found else "no caption",
        "scale": 1.0,
        "metrics": [explanations.facts.get(key, _unknown(key)) for key in keys],
        "captions": captions,
        "explanations": explained({row: group for row, (_, group) in enumerate(found)}),
        "notes": [*explanations.notes, *notes],
    }


def _score(group: list[Any], key: str) -> float:
    return next((each.score for each in group if each.metric == key), float("nan"))


def _unknown(key: str) -> dict[str, Any]:
    """A metric of which only the key is known."""
    return {"key": key, "question": "", "signature": "", "range": [None, None], "higher_is_better": True}
