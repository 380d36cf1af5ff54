"""The content of a corpus's images, from all that was given: objects, regions, and a folder of pictures with a
detector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vericap.corpus import Corpus, ImageId
from vericap.errors import InputError
from vericap.options.choices import CONFIDENCE, Missing
from vericap.readers.id_matching import SHOWING_NOTHING
from vericap.readers.objects import add_objects, read_objects, several_objects
from vericap.readers.regions import add_regions

if TYPE_CHECKING:
    from vericap.corpus import Regions
    from vericap.readers.objects.object_rows import ObjectRows
    from vericap.vision.detection import Reading
    from vericap.vision.detectors import Detection, Detector

MOST_NAMED = 5  # pictures that could not be read, one note for each


def add_pictures(
    corpus: Corpus,
    objects: Any = None,
    regions: Any = None,
    images: str | Path | None = None,
    detector: str | Detector | None = None,
    *,
    confidence: float | Sequence[float] = CONFIDENCE,
    missing: Missing = "error",
    reading: Reading | None = None,
) -> Corpus:
    """Return the corpus with the objects and regions of its images; as it is when nothing was given.

    What a detector finds is united with `objects`; its vectors are the regions when no file of regions was given.
    A picture that is not there or cannot be read is treated as `missing` says.
    """
    if detector is not None and images is None:
        raise InputError("--detector needs --images too", field="images", fix="add --images, or take both out")
    sources = [] if objects is None else several_objects(objects)
    if detector is not None and images is not None:
        from vericap.vision.detectors import find_detector

        found_by = find_detector(detector) if isinstance(detector, str) else detector
        confidence = _with_threshold(confidence, len(sources), getattr(found_by, "threshold", None))
        least = confidence[-1] if isinstance(confidence, Sequence) else confidence
        name = f"detector {found_by.name} at {least:g}"
        found, detected, notes = _look(corpus, Path(images), found_by, name, missing, reading)
        sources.append(found)
        corpus = replace(corpus, notes=(*corpus.notes, *notes))
        regions = detected if regions is None else regions
    told = corpus.notes
    if sources:
        rows = [read_objects(source) for source in sources]
        corpus = add_objects(corpus, rows, confidence=confidence, missing=missing)
    if regions is not None:
        corpus = add_regions(corpus, regions, missing=missing)
    if detector is None or reading is None or reading.rows is None:
        return corpus
    # Pictures that were not to be looked at do not lack objects; of those that were, `told` has what is wrong.
    return replace(corpus, notes=tuple(note for note in corpus.notes if note in told or SHOWING_NOTHING not in note))


def _look(
    corpus: Corpus, images: Path, detector: Detector, name: str, missing: Missing, reading: Reading | None
) -> tuple[ObjectRows, Regions | None, list[str]]:
    """Return what the detector finds: objects, regions and notes."""
    from vericap.vision.detection import Reading, detect_each
    from vericap.vision.detectors import as_objects, as_regions, first_of, look_for_pictures
    from vericap.vision.loading import PictureError

    reading = reading or Reading()
    ids = _distinct(corpus, range(len(corpus)) if reading.rows is None else reading.rows)
    paths = look_for_pictures(images, ids)
    errors = [each for each in paths if isinstance(each, PictureError)]
    if errors and missing == "error":
        raise first_of(errors)  # before any work starts
    seen: dict[ImageId, Detection] = {}
    errors = []
    for image_id, each in zip(ids, detect_each(detector, paths, reading), strict=True):
        if not isinstance(each, PictureError):
            seen[image_id] = each
            continue
        errors.append(each)
        if missing == "error":
            break
    if errors and (missing == "error" or not seen):
        raise first_of(errors)
    notes = [f"{error.source}: {error.problem}" for error in errors[:MOST_NAMED]]
    if len(errors) > MOST_NAMED:
        notes.append(f"{len(errors) - MOST_NAMED:,} more pictures could not be read")
    notes += reading.notes()
    seen_ids, detections = list(seen), list(seen.values())
    return as_objects(seen_ids, detections, name), as_regions(seen_ids, detections, name), notes


def _with_threshold(confidence: float | Sequence[float], files: int, least: float | None) -> float | Sequence[float]:
    """Return the least confidence of each file of objects and of the detector, which may ask for its own."""
    if least is None:
        return confidence
    given = [*confidence] if isinstance(confidence, Sequence) else [confidence]
    return [*(given * files if len(given) == 1 else given[:files]), least]


def _distinct(corpus: Corpus, rows: Sequence[int]) -> list[ImageId]:
    """Return the ids of these rows' images, each once."""
    _, first = np.unique(corpus.image[np.asarray(rows, np.int64)], return_index=True)
    return [corpus.image_ids[rows[place]] for place in first.tolist()]
