"""Whether a corpus and a model have what FAIEr asks of them, before any work starts. What a model asks of regions,
`Scorer.check` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vericap.corpus import Corpus
from vericap.encoders.installed import require
from vericap.errors import InputError
from vericap.metrics.base import option_of
from vericap.views import Views

if TYPE_CHECKING:
    from vericap.metrics.faier.metric import FaierFamily
    from vericap.metrics.faier.scorer import Scorer


def _ways(has_pictures: bool) -> str:
    """How objects or regions are given."""
    if has_pictures:
        return option_of("objects", has_pictures)
    return "--objects FILE or --regions FILE (objects=… or regions=… in Python)"


def check(metric: FaierFamily, views: Views) -> None:
    """Raises an error that names the field and the fix."""
    corpus = views.corpus
    if metric.uses_image and not (corpus.has_objects or corpus.has_regions):
        raise InputError(
            f"{metric.key} looks at the picture, and neither its objects nor its regions were given",
            field="objects",
            fix=f"add {_ways(corpus.has_pictures)} or leave the metric out",
        )
    if views.language != "en":
        raise InputError(
            f"{metric.key} was trained on English, and --language is {views.language!r}",
            field="language",
            fix="leave the metric out",
        )
    require(metric.key, "torch", "safetensors")
    model = metric.model()
    _check_model(metric, model)
    _check_references(metric, corpus)
    metric.pictures(views)  # errors name what of them the model cannot take


def _check_model(metric: FaierFamily, model: Scorer) -> None:
    trained = {
        "variant": model.config.variant,
        "relations": "on" if model.config.relations else "off",
        "references": model.references if metric.variant != "fier" else "r",
    }
    for name, value in trained.items():
        if value != getattr(metric, name):
            raise InputError(
                f"the model was trained with {name}={value}, and {metric.key} asks for {name}={getattr(metric, name)}",
                source=str(metric.folder),
                field=name,
                fix="ask for the metric that this model was trained for",
            )
    if metric.scale == "calibrated" and not model.about.get("calibration"):
        raise InputError(
            f"the model of {metric.key} has no calibration: it was trained without validation",
            source=str(metric.folder),
            field="scale",
            fix="use scale=raw, or train it with data.validation = 2 or more",
        )


def _check_references(metric: FaierFamily, corpus: Corpus) -> None:
    counts = np.diff(corpus.reference_offsets)
    if metric.references != "r" and not (len(counts) and counts.min() > 0):
        raise InputError(
            f"{metric.key} was trained with references, and some images have none",
            field="references",
            fix="add them, or use the model trained with references=r",
        )
