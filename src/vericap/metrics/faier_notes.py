"""What FAIEr does not see of the pictures: labels that no word vector knows, and regions beyond the most it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vericap.metrics.faier_scenes import Sight
    from vericap.neural.faier.scorer import Settings


def notes_of(sight: Sight, settings: Settings) -> list[str]:
    """Sentences for the notes of a result; none where the model sees all that was given."""
    return [*_cut_off(sight, settings), *(_unknown(sight) if settings.symbolic else [])]


def _cut_off(sight: Sight, settings: Settings) -> list[str]:
    given = np.diff(sight.regions.offsets)[sight.row]
    longer = int((given > settings.regions).sum())
    if not longer:
        return []
    images = f"{longer:,} images have" if longer > 1 else "1 image has"
    return [f"{images} more than {settings.regions} regions, of which the first {settings.regions} count"]


def _unknown(sight: Sight) -> list[str]:
    from vericap.neural.faier.symbolic import PICTURE

    regions = sight.regions
    used = np.zeros(len(regions.features), bool)
    for image in np.unique(sight.row).tolist():
        used[regions.offsets[image] : regions.offsets[image + 1]] = True
    # The first half of a symbolic region is the vector of its label.
    blank = used & ~regions.features[:, : regions.dimension // 2].any(axis=1)
    labels = sorted({regions.labels[i] for i in np.flatnonzero(blank).tolist()} - {PICTURE}) if regions.labels else []
    if not labels:
        return []
    some = ", ".join(labels[:5]) + (", …" if len(labels) > 5 else "")
    many = len(labels) > 1
    are = f"{len(labels):,} labels have no word vector and are" if many else "1 label has no word vector and is"
    return [f"{are} seen as something unknown: {some}"]
