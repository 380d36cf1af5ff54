"""The pictures of a corpus as a model of FAIEr takes them: regions with vectors of a detector, or made of labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers
from vericap.corpus import Corpus, ImageId, Objects, Regions
from vericap.errors import InputError
from vericap.metrics.faier.symbolic import corners_of, require_boxes
from vericap.views import View, Views

if TYPE_CHECKING:
    from vericap.metrics.faier.metric import FaierFamily
    from vericap.metrics.faier.scorer import Scorer


@dataclass(frozen=True, eq=False)
class PictureRegions:
    """A table of regions, and the row in it of each image of the corpus. Images that show the same labels share a row.
    `kind` and `digest` say in signatures what they were made of."""

    regions: Regions
    row: Integers
    kind: str
    digest: str


@dataclass(frozen=True)
class PictureRegionsOf(View[PictureRegions]):
    """The pictures as the model of a metric takes them: labels for one that was trained on labels, else vectors."""

    metric: FaierFamily

    def compute(self, views: Views) -> PictureRegions:
        model, corpus = self.metric.model(), views.corpus
        ids = image_ids(corpus)
        if not model.takes_labels:
            found = _from_vectors(corpus, ids, self.metric.key)
        elif corpus.objects is not None:
            found = _from_objects(corpus.objects, ids, model)
        else:
            found = _from_region_labels(corpus.regions, ids, model, self.metric.key)
        model.check(found.regions)
        return found


def image_ids(corpus: Corpus) -> list[ImageId]:
    """The id of each image, that of its first row.

    >>> image_ids(Corpus(["b", "a", "a"], ["", "", ""], np.array([1, 0, 0])))
    ['a', 'b']
    """
    rows = np.zeros(int(corpus.image.max(initial=-1)) + 1, np.int64)
    rows[corpus.image[::-1]] = np.arange(len(corpus))[::-1]
    return [corpus.image_ids[row] for row in rows.tolist()]


def _from_vectors(corpus: Corpus, ids: Sequence[ImageId], metric: str) -> PictureRegions:
    if corpus.regions is None:
        raise InputError(
            f"the model of {metric} was trained on vectors of regions, and only objects were given",
            field="regions",
            fix="add --regions FILE, or use a model trained on labels",
        )
    regions, row = _find(corpus.regions, ids)
    return PictureRegions(regions, row, "regions", corpus.regions.digest)


def _from_objects(objects: Objects, ids: Sequence[ImageId], model: Scorer) -> PictureRegions:
    labels = [objects.of(image) for image in range(len(ids))]
    fix = "give each its box, or use a model trained without"
    boxes = corners_of(objects, ids, fix) if model.config.boxes else None
    return _from_labels(labels, boxes, model, "objects", objects.digest)


def _from_region_labels(given: Regions, ids: Sequence[ImageId], model: Scorer, metric: str) -> PictureRegions:
    if given.labels is None:
        raise InputError(
            f"the model of {metric} was trained on labels of objects, and these regions have none",
            source=given.source,
            field="labels",
            fix="add --objects FILE, or checkpoint=FOLDER of a model trained on such regions",
        )
    if model.config.boxes:
        require_boxes(given, "add them, or use a model trained without")
    regions, row = _find(given, ids)
    labels = [regions.labels_of(i) or [] for i in row.tolist()]
    boxes = [regions.boxes_of(i) for i in row.tolist()] if model.config.boxes else None
    return _from_labels(labels, boxes, model, "regions", given.digest)


def _from_labels(
    labels: Sequence[Sequence[str]],
    boxes: Sequence[NDArray[np.float32] | None] | None,
    model: Scorer,
    kind: str,
    digest: str,
) -> PictureRegions:
    if boxes is not None:
        return PictureRegions(model.label_regions(labels, boxes), np.arange(len(labels)), kind, digest)
    # Without boxes a model sees the set of labels, and images with the same set are one.
    places: dict[tuple[str, ...], int] = {}
    row = [places.setdefault(tuple(dict.fromkeys(own)), len(places)) for own in labels]
    return PictureRegions(model.label_regions(list(places)), np.array(row, np.int64), kind, digest)


def _find(regions: Regions, ids: Sequence[ImageId]) -> tuple[Regions, Integers]:
    """The row of each image, that of an image without regions for one that is not there."""
    row = regions.find(ids)
    if (row < 0).any():
        return regions.with_empty_image(), np.where(row < 0, len(regions), row)
    return regions, row
