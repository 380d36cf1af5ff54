"""Detectors as plug-ins: a package registers one under the entry-point group `vericap.detectors`, and pictures of a
folder become objects and regions. None ships: a detector brings its own weights and licence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vericap.corpus import Features, ImageId, Regions, canonical
from vericap.errors import InputError
from vericap.readers.objects.object_rows import ObjectRows

GROUP = "vericap.detectors"
_PICTURES = frozenset((".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"))


@dataclass(frozen=True, eq=False)
class Detection:
    """What a detector finds in a picture, a row an object: labels, boxes [n, 4] as x1 y1 x2 y2 in pixels,
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
    points = {point.name: point for point in entry_points(group=GROUP)}
    if name not in points:
        there = f"there are {', '.join(sorted(points))}" if points else "no package that has one is installed"
        raise InputError(
            f"no detector is called {name!r}; {there}",
            field="detector",
            fix=f"install one that registers under {GROUP}, or give its output with --objects or --regions",
        )
    make: Callable[[], Detector] = points[name].load()
    return make()


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
            problem = f"image {image_id!r} has no file there"
            if paths:
                problem = f"image {image_id!r} may be {paths[0].name} or {paths[1].name}"
            fix = "add it" if not paths else "keep one"
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
    vectors: list[Features] = []
    for image_id, each in zip(image_ids, detections, strict=True):
        if each.features is None:
            return None
        vectors.append(np.asarray(each.features, np.float32))
        first = next((one for one in vectors if len(one)), vectors[-1])  # of no object there may be no length
        if len(vectors[-1]) and vectors[-1].shape[1] != first.shape[1]:
            problem = f"vectors of {vectors[-1].shape[1]} numbers for image {image_id!r}, of {first.shape[1]} before"
            raise InputError(problem, source=source, field="features", fix="the detector must give one length")
    if not vectors:
        return None
    return Regions(
        image_ids,
        np.cumsum([0, *map(len, vectors)], dtype=np.int64),
        np.concatenate([one for one in vectors if len(one)] or vectors[:1]),
        np.concatenate([np.asarray(each.boxes, np.float32).reshape(-1, 4) for each in detections]),
        [label for each in detections for label in each.labels],
        source=source,
    )


def _checked(found: Detection, picture: Path, detector: Detector) -> Detection:
    count, boxes, confidence = len(found.labels), np.asarray(found.boxes), np.asarray(found.confidence)

    def wrong(problem: str, field: str) -> InputError:
        return InputError(f"{picture.name}: {problem}", source=f"detector {detector.name}", field=field)

    if boxes.size != 4 * count or not np.isfinite(boxes).all():
        raise wrong(f"boxes of shape {boxes.shape} for {count} labels, or a number that is not finite", "boxes")
    if confidence.shape != (count,) or not ((confidence >= 0) & (confidence <= 1)).all():
        raise wrong(f"{count} numbers between 0 and 1 are due", "confidence")
    if found.features is not None and (np.ndim(found.features) != 2 or len(found.features) != count):
        raise wrong(f"vectors of shape {np.shape(found.features)} for {count} labels", "features")
    return found
