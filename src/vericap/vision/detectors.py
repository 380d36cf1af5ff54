"""Detectors as plug-ins: a package registers one under the entry-point group `vericap.detectors`, and the pictures of a
folder become objects and regions. Vericap ships none: a detector brings its own weights and licence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vericap.corpus import ImageId, Regions, canonical
from vericap.errors import InputError
from vericap.plugins import plugins
from vericap.readers.objects.object_rows import ObjectRows
from vericap.readers.regions.region_rows import RegionRows

_PICTURES = frozenset((".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"))


@dataclass(frozen=True, eq=False)
class Detection:
    """What a detector finds in a picture, one row per object: labels, boxes [n, 4] as x1 y1 x2 y2 in pixels,
    confidence [n] between 0 and 1, and vectors [n, D] if it has any."""

    labels: Sequence[str]
    boxes: NDArray[np.floating]
    confidence: NDArray[np.floating]
    features: NDArray[np.floating] | None = None


class Detector(Protocol):
    """The plug-in's side: an entry point names something that, called without arguments, gives one of these."""

    name: str
    """Model and version, for signatures."""

    def __call__(self, picture: Path) -> Detection:
        """The objects of one picture."""


def find_detector(name: str) -> Detector:
    """The detector that a package registered under this name."""
    known = plugins("detectors")
    if name not in known:
        there = f"choose one of {', '.join(sorted(known))}" if known else "no package that brings one is installed"
        raise InputError(
            f"`{name}` is not a detector; {there}",
            field="detector",
            fix="install one that registers under vericap.detectors, or give its output with --objects or --regions",
        )
    try:
        detector: Detector = known[name].load()()
    except InputError:
        raise
    except Exception as error:  # a stranger's code can fail in any way, by weights that are not there for one
        raise InputError(
            f"the detector {name!r} of the package {known[name].package} cannot be started: "
            f"{type(error).__name__}: {error}",
            field="detector",
            fix="see what its package asks for",
        ) from error
    return detector


def find_pictures(folder: Path, image_ids: Sequence[ImageId]) -> list[Path]:
    """The file of each image: its name is the image id in any of its spellings, with an extension."""
    if not folder.is_dir():
        raise InputError("there is no such folder", source=str(folder), field="images", fix="check the path")
    files: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in _PICTURES:
            files.setdefault(canonical(path.name), []).append(path)
    found = []
    for image_id in image_ids:
        paths = files.get(canonical(image_id), [])
        if len(paths) != 1:
            problem, fix = f"image {image_id!r} has no file in the folder", "add it"
            if paths:
                problem, fix = f"image {image_id!r} may be {paths[0].name} or {paths[1].name}", "keep one"
            raise InputError(problem, source=str(folder), field="images", fix=fix)
        found += paths
    return found


def detect(detector: Detector, pictures: Iterable[Path]) -> list[Detection]:
    """The objects of each picture; what a plug-in returns is checked as a file would be."""
    return [_checked(detector(picture), picture, detector) for picture in pictures]


def as_objects(image_ids: Sequence[ImageId], detections: Sequence[Detection], source: str) -> ObjectRows:
    """Detections as rows of objects with confidence and box."""
    rows = ObjectRows(source)
    for image_id, found in zip(image_ids, detections, strict=True):
        rows.image(image_id, str(image_id))
        for place, label in enumerate(found.labels):
            box = np.asarray(found.boxes, float).reshape(-1, 4)[place].tolist()
            where = f"image {image_id}, object {place + 1}"
            rows.add(image_id, label, where, confidence=float(found.confidence[place]), box=box, corners=True)
    return rows


def as_regions(image_ids: Sequence[ImageId], detections: Sequence[Detection], source: str) -> Regions | None:
    """Detections as a table of regions, or None when the detector gives no vectors."""
    if not detections or any(each.features is None for each in detections):
        return None
    regions = RegionRows(source, "a detector must give vectors of one length")
    for image_id, found in zip(image_ids, detections, strict=True):
        regions.add(
            image_id,
            np.asarray(found.features, np.float32),
            row=f"of image {image_id!r}",
            boxes=np.asarray(found.boxes, np.float32).reshape(-1, 4),
            labels=list(found.labels),
        )
    return regions.table()


def _checked(found: Detection, picture: Path, detector: Detector) -> Detection:
    count, boxes, confidence = len(found.labels), np.asarray(found.boxes), np.asarray(found.confidence)

    def wrong(problem: str, field: str, fix: str) -> InputError:
        return InputError(f"{picture.name}: {problem}", source=f"detector {detector.name}", field=field, fix=fix)

    if boxes.size != 4 * count or not np.isfinite(boxes).all():
        problem = f"boxes of shape {boxes.shape} for {count} labels, or a number that is not finite"
        raise wrong(problem, "boxes", "give x1 y1 x2 y2 for each label")
    if confidence.shape != (count,) or not ((confidence >= 0) & (confidence <= 1)).all():
        raise wrong(f"not one number between 0 and 1 for each of {count} labels", "confidence", "give these")
    if found.features is not None and (np.ndim(found.features) != 2 or len(found.features) != count):
        problem = f"vectors of shape {np.shape(found.features)} for {count} labels"
        raise wrong(problem, "features", "give one vector for each label")
    return found
