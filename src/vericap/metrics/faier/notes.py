"""What FAIEr does not see of the pictures: labels that no word vector knows, and regions beyond the most it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vericap.arrays import gather
from vericap.metrics.faier.pictures import PictureRegions
from vericap.metrics.faier.symbolic import PICTURE

if TYPE_CHECKING:
    from vericap.metrics.faier.scorer import Scorer


def notes_of(pictures: PictureRegions, model: Scorer) -> list[str]:
    """Sentences for the notes of a result; none where the model sees all that was given."""
    return [*_cut_off(pictures, model.config.regions), *(_unknown(pictures) if model.takes_labels else [])]


def _cut_off(pictures: PictureRegions, most: int) -> list[str]:
    longer = int((np.diff(pictures.regions.offsets)[pictures.row] > most).sum())
    if not longer:
        return []
    images = f"{longer:,} images have" if longer > 1 else "1 image has"
    return [f"{images} more than {most} regions, of which the first {most} are used"]


def _unknown(pictures: PictureRegions) -> list[str]:
    regions = pictures.regions
    used, _ = gather(regions.offsets, np.unique(pictures.row))
    # The first half of a region made of labels is the vector of its label.
    blank = used[~regions.features[used, : regions.dimension // 2].any(axis=1)]
    labels = sorted({regions.labels[i] for i in blank.tolist()} - {PICTURE}) if regions.labels else []
    if not labels:
        return []
    some = ", ".join(labels[:5]) + (", …" if len(labels) > 5 else "")
    many = len(labels) > 1
    are = f"{len(labels):,} labels have no word vector and are" if many else "1 label has no word vector and is"
    return [f"{are} seen as something unknown: {some}"]
