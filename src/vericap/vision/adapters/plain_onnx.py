"""Any detector as an ONNX file with a list of classes; options say how its input and outputs are laid out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.vision.adapters.boxes import stretch
from vericap.vision.adapters.classes import read_classes
from vericap.vision.adapters.onnx_files import OnnxFile, open_onnx
from vericap.vision.adapters.weights import FLOOR, WithWeights
from vericap.vision.detectors import Detection
from vericap.vision.loading import RGB

_MEAN, _DEVIATION = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])  # ImageNet's
_ORDERS = {"xyxy": (0, 1, 2, 3), "yxyx": (1, 0, 3, 2)}


@dataclass(eq=False)
class PlainOnnx(WithWeights):
    """`onnx(model=FILE.onnx,classes=FILE)`. The network takes one picture and gives three outputs, [n, …] or [1, n, …]:
    boxes [n, 4], the confidence of each, and the number of its class. `outputs` are their names.

    `layout`: nchw or nhwc. `values` of a pixel: unit (0 to 1), signed (−1 to 1), byte (0 to 255) or imagenet (mean 0,
    deviation 1). `order` of a box: xyxy or yxyx; its `unit`: pixels of the input, or relative to the picture.
    `first` is the number of the first line of the list of classes. A picture is stretched to the input's size, or to
    `size` × `size` where the file does not say it.
    """

    classes: str = ""
    outputs: str = "boxes:scores:labels"
    layout: Literal["nchw", "nhwc"] = "nchw"
    values: Literal["unit", "signed", "byte", "imagenet"] = "unit"
    order: Literal["xyxy", "yxyx"] = "xyxy"
    unit: Literal["pixels", "relative"] = "pixels"
    first: int = 0
    size: int = 640
    names: dict[int, str] = field(init=False, default_factory=dict, repr=False)

    kind: ClassVar[str] = "onnx"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.classes:
            fix = "write onnx(model=FILE.onnx,classes=FILE), one name per line"
            raise InputError("the list of classes is not named", source=self.model, field="detector", fix=fix)

    def _open(self, threads: int) -> OnnxFile:
        file = open_onnx(self.model, threads)
        there = [each.name for each in file.session.get_outputs()]
        wanted = self.outputs.split(":")
        if len(wanted) != 3 or any(name not in there for name in wanted):
            raise InputError(
                f"{self.outputs!r} should name the outputs of boxes, scores and labels; there are {', '.join(there)}",
                source=self.model,
                field="outputs",
                fix="write outputs=BOXES:SCORES:LABELS",
            )
        self.names = read_classes(self.classes, self.first)
        return file

    def _look(self, rgb: RGB) -> Detection:
        height, width = self.network.shape[2:] if self.layout == "nchw" else self.network.shape[1:3]
        pixels, placed = stretch(rgb, height or self.size, width or self.size)
        found = self.network.run(self._input(pixels))
        named = self.outputs.split(":")
        boxes, confidence, kinds = (_rows(found[name], axes) for name, axes in zip(named, (2, 1, 1), strict=True))
        if boxes.shape != (len(confidence), 4) or kinds.shape != confidence.shape:
            shapes = ", ".join(f"{name} {list(found[name].shape)}" for name in named)
            fix = "name outputs of boxes [n, 4], scores [n] and labels [n]"
            raise InputError(f"the outputs have shapes {shapes}", source=self.model, field="outputs", fix=fix)
        boxes = boxes[:, _ORDERS[self.order]]
        if self.unit == "relative":
            boxes = boxes * np.array([pixels.shape[1], pixels.shape[0]] * 2)
        numbers = np.rint(kinds).astype(np.int64)
        kept = (confidence >= FLOOR) & np.isin(numbers, list(self.names))
        labels = [self.names[number] for number in numbers[kept].tolist()]
        return Detection(labels, placed.back(boxes[kept].astype(np.float32)), np.clip(confidence[kept], 0, 1))

    def _input(self, pixels: RGB) -> NDArray[Any]:
        scaled: NDArray[Any] = pixels
        if self.values != "byte":
            scaled = pixels / np.float32(127.5) - 1 if self.values == "signed" else pixels / np.float32(255)
        if self.values == "imagenet":
            scaled = (scaled - _MEAN) / _DEVIATION
        return (scaled.transpose(2, 0, 1) if self.layout == "nchw" else scaled)[None]


def _rows(found: NDArray[Any], axes: int) -> NDArray[Any]:
    """An output without the axis of the batch, which is of one picture.

    >>> _rows(np.zeros((1, 7, 4)), 2).shape, _rows(np.zeros((7, 4)), 2).shape, _rows(np.zeros((1, 7)), 1).shape
    ((7, 4), (7, 4), (7,))
    """
    while found.ndim > axes and found.shape[0] == 1:
        found = found[0]
    return found
