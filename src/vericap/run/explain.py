"""`explain`: why the captions of a few images have their scores, one metric at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

from vericap.corpus import Corpus, ImageId
from vericap.errors import InputError
from vericap.results.explanation import Explanations
from vericap.run.inputs import Inputs
from vericap.run.options import Options, split_options
from vericap.run.prepare import prepare
from vericap.run.selection import MetricChoice, select
from vericap.run.settings import Settings


def explain(
    candidates: Any,
    references: Any = None,
    *,
    image_id: ImageId | Sequence[ImageId],
    metrics: MetricChoice = "default",
    **options: Unpack[Options],
) -> Explanations:
    """Why the captions of one image, or of several, have their scores.

    The other arguments are those of `evaluate`. The corpus is read and tokenized whole, since document frequencies
    depend on it, but only the captions asked for are parsed, aligned and matched.

    >>> [why] = explain({1: "a dog"}, {1: ["the dog"]}, image_id=1, metrics="rouge-l")
    >>> why.values["reference 1"]
    'dog  [1 of 2, of 2]'
    """
    inputs, settings = split_options(candidates, references, options)
    wanted = [image_id] if isinstance(image_id, (int, str)) else list(image_id)
    return explain_inputs(inputs, settings, wanted, metrics)


def explain_inputs(
    inputs: Inputs, settings: Settings, image_ids: Sequence[ImageId], metrics: MetricChoice = "default"
) -> Explanations:
    """What `explain` does, from inputs and settings."""
    wanted = [str(image_id) for image_id in image_ids]
    # Other images may lack references or objects: they are not what is explained.
    views = prepare(inputs, replace(settings, missing="zero"), image_ids=wanted)
    rows = [row for image_id in wanted for row in _rows(views.corpus, image_id)]
    selection = select(metrics, views)
    # Rows of views are in ascending order; explanations are in the order asked for.
    ordered = sorted(set(rows))
    few = views.rows(ordered)
    found = [metric.explain(few, ordered.index(row)) for row in rows for metric in selection.metrics]
    ids = [views.corpus.image_ids[row] for row in rows for _ in selection.metrics]
    return Explanations(found, ids, (*views.corpus.notes, *views.notes, *selection.notes))


def _rows(corpus: Corpus, image_id: str) -> list[int]:
    """The rows of an image's captions."""
    rows = [row for row, given in enumerate(corpus.image_ids) if str(given) == image_id]
    if not rows:
        some = ", ".join(map(str, list(corpus.image_ids)[:3]))
        raise InputError(f"no candidate has image id {image_id}", field="image_id", fix=f"ids look like {some}")
    return rows
