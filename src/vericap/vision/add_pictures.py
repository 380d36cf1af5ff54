"""What a corpus's images show, from all that was given: objects, regions, and a folder of pictures with a detector."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vericap.choices import CONFIDENCE, Missing
from vericap.corpus import Corpus, ImageId
from vericap.errors import InputError
from vericap.readers.objects import add_objects, read_objects, several_objects
from vericap.readers.regions import add_regions

if TYPE_CHECKING:
    from vericap.vision.detectors import Detector


def add_pictures(
    corpus: Corpus,
    objects: Any = None,
    regions: Any = None,
    images: str | Path | None = None,
    detector: str | Detector | None = None,
    *,
    confidence: float | Sequence[float] = CONFIDENCE,
    missing: Missing = "error",
    look_at: Sequence[int] | None = None,
) -> Corpus:
    """The corpus with the objects and regions of its images; as it is when nothing was given.

    What a detector finds is united with `objects`; its vectors are the regions when no file of regions was given.
    It looks at all pictures, or at those of some rows (`look_at`).
    """
    if (images is None) != (detector is None):
        given, lacking = ("images", "detector") if detector is None else ("detector", "images")
        raise InputError(
            f"--{given} needs --{lacking} beside it", field=lacking, fix=f"add --{lacking}, or take both out"
        )
    sources = [] if objects is None else several_objects(objects)
    if images is not None and detector is not None:
        from vericap.vision.detectors import as_objects, as_regions, detect, find_detector, find_pictures

        found_by = find_detector(detector) if isinstance(detector, str) else detector
        ids = _distinct(corpus, range(len(corpus)) if look_at is None else look_at)
        detections = detect(found_by, find_pictures(Path(images), ids))
        source = f"detector {found_by.name}"
        sources.append(as_objects(ids, detections, source))
        if regions is None:
            regions = as_regions(ids, detections, source)
    if sources:
        rows = [read_objects(source) for source in sources]
        corpus = add_objects(corpus, rows, confidence=confidence, missing=missing)
    return corpus if regions is None else add_regions(corpus, regions, missing=missing)


def _distinct(corpus: Corpus, rows: Sequence[int]) -> list[ImageId]:
    """The ids of these rows' images, each once."""
    _, first = np.unique(corpus.image[np.asarray(rows, np.int64)], return_index=True)
    return [corpus.image_ids[rows[place]] for place in first.tolist()]
