"""The report of `explain`: a few captions, and all that their scores are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vericap.corpus import Corpus
from vericap.options.page import PageOptions
from vericap.results.explanation import Explanations
from vericap.show.explanation import by_caption
from vericap.show.report.columns import caption_columns, described, explained
from vericap.version import __version__

HUES = 5  # colours of page.css that differ from each other on pictures, bright and dark


def explain_report(explanations: Explanations, options: PageOptions | None = None) -> dict[str, Any]:
    """Return all that the page of explanations shows."""
    found = list(by_caption(explanations))
    keys = list(dict.fromkeys(each.metric for _, group in found for each in group))
    references = [list(group[0].references) for _, group in found]
    corpus = Corpus.from_lists([group[0].caption for _, group in found], references, [name for name, _ in found])
    scores = {key: np.array([_score(group, key) for _, group in found]) for key in keys}
    captions, notes = caption_columns(corpus, scores, options or PageOptions())
    if explanations.objects:
        hues = _hues(explanations)
        colour = {label: {"hue": hue} for label, hue in hues.items()}
        captions["objects"] = [
            [{**each, **colour.get(each["label"], {})} for each in explanations.objects.get(str(name), [])]
            for name, _ in found
        ]
        captions["mentions"] = [_marks(explanations, group[0].caption, hues) for _, group in found]
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


def _hues(explanations: Explanations) -> dict[str, int]:
    """Return the number of a colour for each label that a caption names; other objects have no colour."""
    named = dict.fromkeys(label for spans in explanations.mentions.values() for label in spans)
    return {label: place % HUES for place, label in enumerate(named)}


def _marks(explanations: Explanations, caption: str, hues: Mapping[str, int]) -> list[list[int]]:
    """Return the characters of a caption that name an object, in order: first, end, colour. A word that names two
    labels has the colour of the first. The page counts in UTF-16, as JavaScript does."""
    found: list[list[int]] = []
    spans = explanations.mentions.get(caption, {})
    for first, last, label in sorted((*span, label) for label, own in spans.items() for span in own):
        if not found or _utf16(caption[:first]) >= found[-1][1]:
            found.append([_utf16(caption[:first]), _utf16(caption[:last]), hues[label]])
    return found


def _utf16(text: str) -> int:
    """Return the length that JavaScript gives a text.

    >>> _utf16("a😀")
    3
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _score(group: list[Any], key: str) -> float:
    return next((each.score for each in group if each.metric == key), float("nan"))


def _unknown(key: str) -> dict[str, Any]:
    """Return the facts of a metric of which only the key is known."""
    return {"key": key, "question": "", "signature": "", "range": [None, None], "higher_is_better": True}
