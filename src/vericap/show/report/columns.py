"""The captions of a result in columns, and explanations, as the page reads them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from vericap.arrays import Floats
from vericap.corpus import Corpus, Objects
from vericap.options.page import PageOptions
from vericap.results.explanation import Explanation, Matrix
from vericap.results.plain import fields
from vericap.results.scores import MetricResult
from vericap.show.explanation import reaches
from vericap.show.report.pictures import pictures

_DIGITS = 6


def caption_columns(
    corpus: Corpus, scores: Mapping[str, Any], options: PageOptions, without: Sequence[str] = ()
) -> tuple[dict[str, Any], list[str]]:
    """Return text, images, references, objects, fields and scores; and notes on pictures that are missing.

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
    """Return what the page says about a metric."""
    return fields(metric, "key", "question", "score", "interval", "signature", "range", "higher_is_better")


def described(corpus: Corpus) -> str:
    """Return the size of a corpus in words: "30 captions of 30 images, 5 references each".

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


def explained(rows: Mapping[int, Sequence[Explanation]]) -> dict[str, list[dict[str, Any]]]:
    """Return the explanations of each row, by its number as text; matrices of one metric share one scale around 0."""
    reach = reaches(each for found in rows.values() for each in found)
    return {str(row): [_explanation(each, reach) for each in found] for row, found in rows.items()}


def _explanation(explanation: Explanation, reach: Mapping[tuple[str, str], float]) -> dict[str, Any]:
    return {
        "metric": explanation.metric,
        "score": short(explanation.score),
        "values": {name: _value(value) for name, value in explanation.values.items()},
        "sections": {
            name: [{"text": part.text, **{k: _value(v) for k, v in part.values.items()}} for part in parts]
            for name, parts in explanation.sections.items()
        },
        "drawing": list(explanation.drawing),
        "matrices": {
            name: _matrix(matrix, reach[explanation.metric, matrix.hue])
            for name, matrix in explanation.matrices.items()
        },
    }


def _matrix(matrix: Matrix, reach: float) -> dict[str, Any]:
    values = [[round(value, 3) for value in row] for row in matrix.values.tolist()]
    return {"rows": list(matrix.rows), "columns": list(matrix.columns), "values": values, "reach": reach or 1.0}


def _value(value: float | int | str) -> float | int | str | None:
    return short(value) if isinstance(value, float) else value


def short(number: float) -> float | None:
    """Return a number with six digits, which is more than a page shows; None where it does not exist.

    >>> short(0.123456789), short(float("nan"))
    (0.123457, None)
    """
    return float(f"{number:.{_DIGITS}g}") if math.isfinite(number) else None


def short_column(column: Floats | Iterable[float]) -> list[float | None]:
    """Return a column of such numbers."""
    values = column.tolist() if hasattr(column, "tolist") else column
    return [short(value) for value in values]
