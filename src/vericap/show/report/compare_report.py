"""The report of `compare`: scores, contrasts, every caption of each captioner, and why those that differ most do."""

from __future__ import annotations

from typing import Any

import numpy as np

from vericap.options.page import PageOptions
from vericap.readers.captions.systems import SYSTEM
from vericap.results.comparison import Comparison
from vericap.results.plain import fields, finite
from vericap.show.claims import claims, opposite_signs, unsupported
from vericap.show.comparison import legend
from vericap.show.numbers import spell_p
from vericap.show.report.columns import caption_columns, explained, metric_facts
from vericap.show.report.slices import better, by_image, most_different, slices
from vericap.stats.contrast import Contrast
from vericap.stats.significance import letters, marks
from vericap.version import __version__


def compare_report(comparison: Comparison, scale: float = 1.0, options: PageOptions | None = None) -> dict[str, Any]:
    """Return all that the page of a comparison shows."""
    options = options or PageOptions()
    captions, notes = [], list[str]()
    for result in comparison.values():
        scores = {key: each.captions for key, each in result.items()}
        columns, notes = caption_columns(result.corpus, scores, options, without=[SYSTEM])
        captions.append(columns)
    for columns in captions[1:]:  # what belongs to an image is the same for all captioners
        columns |= {name: captions[0][name] for name in ("references", "objects", "pictures", "sizes")}
    return {
        "kind": "compare",
        "vericap": __version__,
        "title": " · ".join(comparison),
        "what": "captioners compared",
        "subtitle": f"{len(comparison)} captioners on the same {comparison.images:,} images",
        "scale": scale,
        "systems": list(comparison),
        "metrics": [_metric(comparison, key) for key in comparison.contrasts],
        "captions": captions,
        "explanations": _explanations(comparison, options.captions_explained(comparison.images)),
        "slices": slices(comparison),
        "sentences": claims(comparison, scale),
        "unsupported": unsupported(comparison, scale),
        "legend": legend(comparison),
        "command": "vericap explain …",
        "notes": [*comparison.notes, *opposite_signs(comparison), *notes],
    }


def _metric(comparison: Comparison, key: str) -> dict[str, Any]:
    results = [result[key] for result in comparison.values()]
    scores = np.concatenate([each.captions for each in results])
    spread = float(np.nanstd(scores)) if not np.isnan(scores).all() else 0.0
    systems = [
        {**fields(each, "score", "interval"), "letter": letters(place), "marks": marks(beaten)}
        for place, (each, beaten) in enumerate(zip(results, comparison.beats(key), strict=True))
    ]
    return {
        **metric_facts(results[0]),
        "systems": systems,
        "pairs": [_pair(each, spread) for each in comparison.contrasts[key]],
    }


def _pair(each: Contrast, spread: float) -> dict[str, Any]:
    """Return a contrast, with its difference in standard deviations of caption scores too: one axis for all metrics."""
    scaled = {}
    if spread > 0:
        interval = None if each.interval is None else [end / spread for end in each.interval]
        scaled = {"scaled": finite(each.difference / spread), "scaled_interval": interval}
    return {
        **fields(each, "system", "against", "difference", "interval", "corrected"),
        "p": spell_p(each.corrected, each.bound),
        **fields(each, "effect", "wins", "ties", "losses"),
        **scaled,
    }


def _explanations(comparison: Comparison, count: int) -> list[dict[str, Any]]:
    """Return for each captioner the explanations of its captions of the images that differ most."""
    images: dict[str, set[int]] = {name: set() for name in comparison}
    first = next(iter(comparison.contrasts.values()), [])
    for each in first:
        differences = by_image(comparison, each.system, each.against)
        chosen = most_different(better(comparison, differences), count)
        for name in (each.system, each.against):
            images[name].update(chosen)
    return [
        explained(result.explain_rows(np.flatnonzero(np.isin(result.corpus.image, sorted(images[name]))).tolist()))
        for name, result in comparison.items()
    ]
