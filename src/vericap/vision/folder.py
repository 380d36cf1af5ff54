"""Detection in every picture of a folder, one row per picture, as `--objects` reads it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vericap.corpus import canonical
from vericap.errors import InputError
from vericap.options.choices import CONFIDENCE, Missing
from vericap.vision.detection import Reading, detect_each
from vericap.vision.detectors import Detection, Detector, first_of, pictures_in
from vericap.vision.loading import PictureError


@dataclass
class FolderObjects:
    """The pictures of a folder and what is found in them. `counts` and `errors` are there when all rows were taken."""

    folder: Path
    detector: Detector
    confidence: float = CONFIDENCE
    missing: Missing = "error"
    reading: Reading = field(default_factory=Reading)
    counts: Counter[str] = field(default_factory=Counter)
    errors: list[PictureError] = field(default_factory=list)
    pictures: int = 0

    def __post_init__(self) -> None:
        threshold = getattr(self.detector, "threshold", None)
        self.confidence = self.confidence if threshold is None else threshold
        self.paths = pictures_in(self.folder)
        if not self.paths:
            raise InputError("there is no picture in the folder", source=str(self.folder), fix="check the path")
        by_id: dict[str, Path] = {}
        for path in self.paths:
            if (other := by_id.setdefault(canonical(path.name), path)) is not path:
                problem = f"{other.name} and {path.name} are pictures of one image"
                raise InputError(problem, source=str(self.folder), fix="keep one")

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per picture: its file name as the image id, and labels, confidences and boxes x1 y1 x2 y2."""
        found = detect_each(self.detector, self.paths, self.reading)
        for path, each in zip(self.paths, found, strict=True):
            if isinstance(each, PictureError):
                if self.missing == "error":
                    raise first_of([each])
                self.errors.append(each)
                if self.missing == "drop":
                    continue
            objects = [] if isinstance(each, PictureError) else self._objects(each)
            self.pictures += 1
            self.counts.update(row["label"] for row in objects)
            yield {"image_id": path.name, "objects": objects}

    def _objects(self, found: Detection) -> list[dict[str, Any]]:
        return [
            {"label": label, "confidence": float(sure), "box": [float(edge) for edge in box]}
            for label, sure, box in zip(found.labels, found.confidence, found.boxes, strict=True)
            if sure >= self.confidence
        ]

    def notes(self) -> list[str]:
        """Return what could not be read or kept."""
        how = "left out" if self.missing == "drop" else "written as a picture that shows nothing"
        return [f"{error.source}: {error.problem}; {how}" for error in self.errors] + self.reading.notes()

    def summary(self) -> str:
        """Return how many pictures and objects there are, and the labels by how often they occur."""
        total = sum(self.counts.values())
        line = f"{self.pictures:,} pictures, {total:,} objects with a confidence of {self.confidence:g} or more"
        labels = ", ".join(f"{label} {number:,}" for label, number in self.counts.most_common())
        return f"{line}: {labels}" if labels else line
