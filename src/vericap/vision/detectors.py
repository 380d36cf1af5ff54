"""Detectors, and their names: `ssd`, `ssd(threshold=0.4)`, or what a package registers under the
entry-point group `vericap.detectors`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.corpus import ImageId, Regions, canonical
from vericap.errors import InputError
from vericap.options.declared import check_fields, field_types, value_of
from vericap.options.keys import Expression, read, wrong
from vericap.plugins import added
from vericap.readers.messages import count
from vericap.readers.objects.object_rows import ObjectRows
from vericap.readers.regions.region_rows import RegionRows
from vericap.vision.loading import ENDINGS, RGB, PictureError

DEFAULT = "ssd"
# A detector's class, imported when it is asked for. Its options are the fields of its dataclass.
BUILT_IN = {
    "ssd": "vericap.vision.ssd:Ssd",
    "ultralytics": "vericap.vision.adapters.onnx_files:Ultralytics",
    "onnx": "vericap.vision.adapters.onnx_files:PlainOnnx",
    "torchvision": "vericap.vision.adapters.torch_files:Torchvision",
    "transformers": "vericap.vision.adapters.torch_files:Transformers",
}


@dataclass(frozen=True, eq=False)
class Detection:
    """The output of a detector for a picture, one row per object: labels, boxes [n, 4] as x1 y1 x2 y2 in pixels,
    confidence [n] between 0 and 1, and vectors [n, D] if it has any."""

    labels: Sequence[str]
    boxes: NDArray[np.floating]
    confidence: NDArray[np.floating]
    features: NDArray[np.floating] | None = None


class BatchDetector(Protocol):
    """A detector that takes pictures as arrays. Vericap reads the files, upright and in RGB, in threads; it keeps what
    was found in the cache, and turns boxes into pixels of the file.

    Its class is a dataclass, whose fields are the options in brackets: `name(option=value)`. It may have a field
    `threshold: float | None`: where that is given, it takes the place of --confidence. Objects that are less sure than
    it need not be returned.
    """

    @property
    def name(self) -> str:
        """Model and version, for signatures and notes."""

    @property
    def fingerprint(self) -> str:
        """The hash of the weights and of every setting that changes what is found (`settings_hash`)."""

    @property
    def batch(self) -> int:
        """The most pictures that `detect` takes at once."""

    @property
    def edge(self) -> int:
        """Larger pictures may be reduced before `detect` sees them, their shorter edge to no less than this."""

    def load(self, threads: int) -> None:
        """Load the weights, to be used by this many threads. Called once, when the first picture is to be looked at;
        where the cache has all of them, never."""

    def detect(self, pictures: Sequence[RGB]) -> Sequence[Detection]:
        """Return what is in each picture, [height, width, 3] of uint8; sizes differ. Boxes are in pixels of these
        arrays. What it finds in a picture must not depend on the others."""


class PathDetector(Protocol):
    """A detector that reads the file of one picture itself. An entry point names something that, called without
    arguments, gives one of these."""

    name: str
    """Model and version, for signatures."""

    def __call__(self, picture: Path) -> Detection:
        """Return the objects of one picture."""


Detector: TypeAlias = BatchDetector | PathDetector


def find_detector(text: str) -> Detector:
    """Return the detector that `name` or `name(option=value,…)` names: one that ships, or that a package registered."""
    found = read(text)
    if len(found) != 1:
        fix = "write name or name(option=value,…)"
        raise InputError(f"{text!r} is not one detector but {len(found)}", field="detector", fix=fix)
    [expression] = found
    make, package = _maker(expression.name)
    given = _options(expression, text, make)
    try:
        detector = make(**given)
        if is_dataclass(type(detector)):
            check_fields(detector, f"the detector {expression.name}")
    except InputError:
        raise
    except Exception as error:  # a stranger's code can fail in any way, by weights that are not there for one
        raise InputError(
            f"the detector {expression.name!r} of {package} cannot be started: {type(error).__name__}: {error}",
            field="detector",
            fix="see what its package asks for",
        ) from error
    return detector


def _maker(name: str) -> tuple[Callable[..., Detector], str]:
    """Return what makes the detector of a name, and the package that it comes from."""
    if name in BUILT_IN:
        module, _, kind = BUILT_IN[name].partition(":")
        made: Callable[..., Detector] = getattr(import_module(module), kind)
        return made, "Vericap"
    known = added("detectors", BUILT_IN)
    if name not in known:
        raise InputError(
            f"`{name}` is not a detector; choose one of {', '.join(sorted([*BUILT_IN, *known]))}",
            field="detector",
            fix="install one that registers under vericap.detectors, or give its output with --objects or --regions",
        )
    made = known[name].load()
    return made, f"the package {known[name].package}"


def _options(expression: Expression, text: str, make: Any) -> dict[str, Any]:
    """Return the options in brackets, as the fields of the dataclass declare them."""
    types: Mapping[str, Any] = field_types(make) if isinstance(make, type) and is_dataclass(make) else {}
    mistake = partial(wrong, text, field="detector")
    hint = f"its options are {', '.join(types)}" if types else "it has no options"
    if expression.parts:
        raise mistake(expression.parts[0].at, f"{expression.name} does not take {expression.parts[0].name!r}", hint)
    given = {}
    for name, value in expression.parameters.items():
        if name not in types:
            raise mistake(value.name_at, f"{expression.name} has no option {name!r}", hint)
        try:
            given[name] = value_of(value.text, types[name])
        except InputError as error:
            raise mistake(value.at, error.problem) from None
    return given


def look_for_pictures(folder: Path, image_ids: Sequence[ImageId]) -> list[Path | PictureError]:
    """Return the file of each image, or why there is none."""
    files: dict[str, list[Path]] = {}
    for path in pictures_in(folder):
        files.setdefault(canonical(path.name), []).append(path)
    return [_picture_of(image_id, files.get(canonical(image_id), []), folder) for image_id in image_ids]


def pictures_in(folder: Path) -> list[Path]:
    """Return the files of a folder that have the name of a picture, in the order of their names."""
    if not folder.is_dir():
        raise InputError("there is no such folder", source=str(folder), field="images", fix="check the path")
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)


def first_of(errors: Sequence[PictureError]) -> PictureError:
    """Return the first error, which says how many there are more."""
    first = errors[0]
    more = f" (and {count(len(errors) - 1, 'more picture')})" if len(errors) > 1 else ""
    fix = f"{first.fix}, or choose --missing drop or --missing zero" if first.fix else None
    return PictureError(f"{first.problem}{more}", source=first.source, field=first.field, fix=fix)


def _picture_of(image_id: ImageId, paths: Sequence[Path], folder: Path) -> Path | PictureError:
    if len(paths) == 1:
        return paths[0]
    problem, fix = f"image {image_id!r} has no file in the folder", "add it"
    if paths:
        problem, fix = f"image {image_id!r} may be {paths[0].name} or {paths[1].name}", "keep one"
    return PictureError(problem, source=str(folder), field="images", fix=fix)


def as_objects(image_ids: Sequence[ImageId], detections: Sequence[Detection], source: str) -> ObjectRows:
    """Return detections as rows of objects with confidence and box."""
    rows = ObjectRows(source)
    for image_id, found in zip(image_ids, detections, strict=True):
        rows.image(image_id, str(image_id))
        for place, label in enumerate(found.labels):
            box = np.asarray(found.boxes, float).reshape(-1, 4)[place].tolist()
            where = f"image {image_id}, object {place + 1}"
            rows.add(image_id, label, where, confidence=float(found.confidence[place]), box=box, corners=True)
    return rows


def as_regions(image_ids: Sequence[ImageId], detections: Sequence[Detection], source: str) -> Regions | None:
    """Return detections as a table of regions, or None when the detector gives no vectors."""
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


def checked_detection(found: Detection, picture: Path, detector: Detector) -> Detection:
    """Return what a detector returned; raise an error if it is not a detection."""
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
