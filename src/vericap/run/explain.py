"""`explain`: why the captions of a few images have their scores, one metric at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from vericap.corpus import Corpus, ImageId
from vericap.errors import InputError, not_a_set
from vericap.metrics.base import Metric
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings
from vericap.results.plain import fields
from vericap.run.keywords import RUN, Options, inputs_and_settings
from vericap.run.prepare import prepare
from vericap.run.selection import MetricChoice, select

if TYPE_CHECKING:
    from vericap.results.explanation import Explanation, Explanations


@RUN
def explain(
    candidates: Any,
    references: Any = None,
    *,
    image_id: ImageId | Sequence[ImageId],
    metrics: MetricChoice = "default",
    **options: Unpack[Options],
) -> Explanations:
    """Explain the scores of the captions of one image, or of several.

    The other arguments are those of `evaluate`. The corpus is read and tokenized whole, since document frequencies
    depend on it, but only the captions asked for are parsed, aligned and matched.

    >>> [why] = explain({1: "a dog"}, {1: ["the dog"]}, image_id=1, metrics="rouge-l")
    >>> why.values["reference 1"]
    'dog  [1 of 2, of 2]'
    """
    inputs, settings = inputs_and_settings(candidates, references, RUN.read(options))
    wanted = [image_id] if isinstance(image_id, (int, str)) else list(not_a_set(image_id, "image_id"))
    return explain_inputs(inputs, settings, wanted, metrics)


def explain_inputs(
    inputs: Inputs, settings: Settings, image_ids: Sequence[ImageId], metrics: MetricChoice = "default"
) -> Explanations:
    """Return the explanations of inputs under settings."""
    from vericap.results.explanation import Explanations

    wanted = [str(image_id) for image_id in image_ids]
    # Other images may lack references or objects: they are not what is explained.
    metrics = metrics if isinstance(metrics, str) else list(not_a_set(metrics, "metrics"))
    views = prepare(inputs, replace(settings, missing="zero"), metrics=metrics, image_ids=wanted)
    rows = [row for image_id in wanted for row in _rows(views.corpus, image_id)]
    selection = select(metrics, views)
    # Rows of views are in ascending order; explanations are in the order asked for.
    ordered = sorted(set(rows))
    few = views.rows(ordered)
    found = [metric.explain(few, ordered.index(row)) for row in rows for metric in selection.metrics]
    ids = [views.corpus.image_ids[row] for row in rows for _ in selection.metrics]
    about = ("key", "question", "range", "higher_is_better")
    facts = {each.key: {**fields(each, *about), "signature": each.signature(views)} for each in selection.metrics}
    objects = {str(views.corpus.image_ids[row]): _objects(views.corpus, row) for row in ordered}
    notes = (*views.corpus.notes, *views.notes, *selection.notes)
    if not views.corpus.has_objects:
        return Explanations(found, ids, notes, facts)
    from vericap.lexicon.coco_objects import mentioned

    captions = {views.corpus.candidates[row]: views.corpus.objects_of(row) for row in ordered}
    mentions = {caption: mentioned(caption, labels) for caption, labels in captions.items()}
    return Explanations(found, ids, notes, facts, objects, mentions)


@dataclass(frozen=True, eq=False)
class RowExplainer:
    """Says why rows of a measured corpus have their scores. It holds how they were measured, and makes the views again
    when it is asked: a result that keeps it stays small."""

    metrics: tuple[Metric, ...]
    settings: Settings

    def __call__(self, corpus: Corpus, rows: Sequence[int]) -> dict[int, list[Explanation]]:
        ordered = sorted(set(rows))
        few = prepare(Inputs(corpus), self.settings).rows(ordered)
        return {row: [metric.explain(few, place) for metric in self.metrics] for place, row in enumerate(ordered)}


def _objects(corpus: Corpus, row: int) -> list[dict[str, Any]]:
    """The objects of a row's image: label, and box and confidence where there are any."""
    if corpus.objects is None:
        return []
    first, last = corpus.objects.offsets[corpus.image[row] : corpus.image[row] + 2].tolist()
    boxes, confidence = corpus.objects.boxes, corpus.objects.confidence
    found: list[dict[str, Any]] = []
    for k, label in zip(range(first, last), corpus.objects_of(row), strict=True):
        found.append({"label": label})
        if boxes is not None and np.isfinite(boxes[k]).all():
            found[-1]["box"] = [round(end, 3) for end in boxes[k].tolist()]
        if np.isfinite(confidence[k]):
            found[-1]["confidence"] = float(confidence[k])
    return found


def _rows(corpus: Corpus, image_id: str) -> list[int]:
    """The rows of an image's captions."""
    rows = [row for row, given in enumerate(corpus.image_ids) if str(given) == image_id]
    if not rows:
        some = ", ".join(map(str, list(corpus.image_ids)[:3]))
        raise InputError(f"no candidate has image id {image_id}", field="image_id", fix=f"ids look like {some}")
    return rows
