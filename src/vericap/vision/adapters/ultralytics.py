"""YOLO models that ultralytics exported to ONNX: `yolo export model=yolo11n.pt format=onnx`. The licence of such
weights is theirs (AGPL-3.0 or a commercial one); none ship."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.vision.adapters.boxes import corners, letterbox, suppress
from vericap.vision.adapters.classes import read_classes
from vericap.vision.adapters.onnx_files import OnnxFile, open_onnx
from vericap.vision.adapters.weights import FLOOR, WithWeights
from vericap.vision.detectors import Detection
from vericap.vision.loading import RGB

SIZE = 640  # of a model that says nothing about it


@dataclass(eq=False)
class Ultralytics(WithWeights):
    """`ultralytics(model=FILE.onnx)`. Names of classes come from the file, where ultralytics writes them, or from
    `classes`. Of boxes of one class that overlap more than `overlap`, the surest stays.

    Outputs of both layouts are read: [1, 4 + classes, candidates] with centre, width and height, which needs
    suppression, and [1, detections, 6] of models exported with suppression inside (end to end).
    """

    classes: str = ""
    overlap: float = 0.7
    names: dict[int, str] = field(init=False, default_factory=dict, repr=False)

    kind: ClassVar[str] = "ultralytics"

    def _open(self, threads: int) -> OnnxFile:
        file = open_onnx(self.model, threads)
        task = file.metadata.get("task", "detect")
        if task != "detect":
            fix = "export a detection model, such as yolo11n.pt"
            raise InputError(f"this model's task is {task!r}", source=self.model, field="detector", fix=fix)
        self.names = read_classes(self.classes) if self.classes else _names(file)
        return file

    def _look(self, rgb: RGB) -> Detection:
        height, width = self._size()
        boxed, placed = letterbox(rgb, height, width)
        found = next(iter(self.network.run(boxed.transpose(2, 0, 1)[None] / np.float32(255)).values()))
        boxes, confidence, kinds = self._end_to_end(found) if self._is_end_to_end(found) else self._candidates(found)
        known = np.isin(kinds, list(self.names))
        labels = [self.names[kind] for kind in kinds[known].tolist()]
        return Detection(labels, placed.back(boxes[known]), np.clip(confidence[known], 0, 1))

    def _size(self) -> tuple[int, int]:
        """Height and width of the input."""
        _, _, height, width = self.network.shape
        if height is None or width is None:
            said = _literal(self.network.metadata.get("imgsz", ""))
            height, width = said if isinstance(said, list) and len(said) == 2 else (SIZE, SIZE)
        return int(height), int(width)

    def _is_end_to_end(self, found: NDArray[Any]) -> bool:
        channels = 4 + max(self.names) + 1
        if found.ndim == 3 and found.shape[2] == 6 and found.shape[1] == channels:
            return str(self.network.metadata.get("end2end", "")).lower() == "true"
        if found.ndim == 3 and (found.shape[2] == 6 or found.shape[1] == channels):
            return bool(found.shape[2] == 6)
        raise InputError(
            f"the output has shape {list(found.shape)}; of {len(self.names)} classes it would be "
            f"[1, {channels}, candidates] or [1, detections, 6]",
            source=self.model,
            field="detector",
            fix="export a detection model, and give the classes that it was trained with",
        )

    def _end_to_end(self, found: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        rows = found[0][found[0][:, 4] >= FLOOR]
        return rows[:, :4], rows[:, 4], rows[:, 5].astype(np.int64)

    def _candidates(self, found: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        rows = found[0].T
        kinds = rows[:, 4:].argmax(axis=1)
        confidence = rows[np.arange(len(rows)), 4 + kinds]
        sure = np.flatnonzero(confidence >= FLOOR)
        boxes = corners(rows[sure, :4])
        kept = suppress(boxes, confidence[sure], kinds[sure], self.overlap)
        return boxes[kept], confidence[sure][kept], kinds[sure][kept]


def _names(file: OnnxFile) -> dict[int, str]:
    """The names of classes that ultralytics writes into the file, as Python writes a dict."""
    said = _literal(file.metadata.get("names", ""))
    if isinstance(said, dict) and said and all(isinstance(name, str) for name in said.values()):
        return {int(number): name for number, name in said.items()}
    raise InputError(
        "the file does not name its classes", source=file.path, field="detector", fix="add classes=FILE, one per line"
    )


def _literal(text: str) -> Any:
    """A value as Python writes it; None for what is none. Nothing is evaluated."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
