"""The captions of a result in columns, as the page reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vericap.corpus import Corpus, Objects
from vericap.options.page import PageOptions
from vericap.results.scores import MetricResult
from vericap.show.report.packing import short_column
from vericap.show.report.pictures import pictures


def caption_columns(
    corpus: Corpus, scores: Mapping[str, Any], options: PageOptions, without: Sequence[str] = ()
) -> tuple[dict[str, Any], list[str]]:
    """Text, images, references, objects, fields and scores; and notes on pictures that are missing.

    >>> corpus = Corpus.from_lists(["a dog"], [["the dog"]], [7])
    >>> columns, _ = caption_columns(corpus, {"bleu-1": np.array([0.5])}, PageOptions())
    >>> columns["image_ids"], columns["references"], columns["scores"]
    ([7], [['the dog']], {'bleu-1': [0.5]})
    """
    images, first, image = np.unique(corpus.image, return_index=True, return_inverse=True)
    ids = [corpus.image_ids[row] for row in first.tolist()]
    found = pictures(ids, options)
    columns = {
        "text": list(corpus.candidates),
        "image": image.tolist(),
        "image_ids": ids,
        "references": [corpus.references_of(row) for row in first.tolist()] if corpus.has_references else [],
        "objects": [] if corpus.objects is None else [_objects(corpus.objects, i) for i in images.tolist()],
        "pictures": found.sources,
        "sizes": found.sizes,
        "fields": {name: list(map(_plain, column)) for name, column in corpus.fields.items() if name not in without},
        "scores": {key: short_column(column) for key, column in scores.items()},
    }
    return columns, found.notes


def _plain(value: Any) -> str | float | int | bool | None:
    return value if isinstance(value, str | float | int | bool) else "" if value is None else str(value)


def _objects(objects: Objects, image: int) -> list[dict[str, Any]]:
    rows = range(int(objects.offsets[image]), int(objects.offsets[image + 1]))
    found = []
    for row in rows:
        each: dict[str, Any] = {"label": objects.labels[int(objects.label[row])]}
        if objects.boxes is not None and np.isfinite(objects.boxes[row]).all():
            each["box"] = [round(float(end), 1) for end in objects.boxes[row]]
        found.append(each)
    return found


def metric_facts(metric: MetricResult) -> dict[str, Any]:
    """What the page says about a metric."""
    return {
        "key": metric.key,
        "question": metric.question,
        "score": metric.score if np.isfinite(metric.score) else None,
        "interval": None if metric.interval is None else list(metric.interval),
        "signature": metric.signature,
        "range": list(metric.range),
        "higher_is_better": metric.higher_is_better,
    }


def described(corpus: Corpus) -> str:
    """How much there is: "30 captions of 30 images, 5 references each".

    >>> described(Corpus.from_lists(["a dog"], [["the dog", "a dog"]]))
    '1 caption of 1 image, 2 references each'
    """
    images = len(np.unique(corpus.image))
    text = f"{_many(len(corpus), 'caption')} of {_many(images, 'image')}"
    if not corpus.has_references:
        return f"{text}, without references"
    counts = np.diff(corpus.reference_offsets)[np.unique(corpus.image)]
    low, high = (int(counts.min()), int(counts.max())) if len(counts) else (0, 0)
    each = _many(low, "reference") if low == high else f"{low} to {high} references"
    return f"{text}, {each} each"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
