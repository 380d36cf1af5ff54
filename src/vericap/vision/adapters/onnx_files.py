"""Detectors in ONNX files, run by onnxruntime: any network with a list of classes, whose options say how its input and
outputs are laid out, and YOLO models that ultralytics exported (`yolo export model=yolo11n.pt format=onnx`). The
licence of such weights is theirs (AGPL-3.0 or a commercial one); none ship."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.vision.adapters.weights import FLOOR, WithWeights, detection_of, read_classes
from vericap.vision.detectors import Detection
from vericap.vision.loading import RGB, needs_vision
from vericap.vision.ssd import distinct_boxes

Array: TypeAlias = NDArray[np.float32]
_TYPES: dict[str, Any] = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(uint8)": np.uint8}
_MEAN, _DEVIATION = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])  # ImageNet's
_ORDERS = {"xyxy": (0, 1, 2, 3), "yxyx": (1, 0, 3, 2)}
SIZE = 640  # of a model that says nothing about it


@dataclass(frozen=True, eq=False)
class OnnxFile:
    """A network that takes one picture: the session, its first input, and what the file says about itself."""

    path: str
    session: Any
    input: str
    shape: tuple[int | None, ...]
    type: Any
    metadata: dict[str, str]

    def run(self, picture: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return the outputs by name."""
        names = [each.name for each in self.session.get_outputs()]
        try:
            found = self.session.run(names, {self.input: np.ascontiguousarray(picture, dtype=self.type)})
        except Exception as error:  # whatever the graph does with a picture that it was not made for
            said = str(error).splitlines()[0]
            problem = f"the network cannot take a picture of shape {list(picture.shape)} ({said})"
            fix = "check that the file is a detector, and its size and layout"
            raise InputError(problem, source=self.path, field="detector", fix=fix) from None
        return dict(zip(names, found, strict=True))


def open_onnx(path: str, threads: int = 0) -> OnnxFile:
    """Return the network in a file; `threads` 0 means as many as onnxruntime likes."""
    try:
        import onnxruntime
    except ImportError:
        raise needs_vision("to run an ONNX file") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Threads that wait for work must not keep the cores from those that decode.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        # No folder, so that no weights next to the file are found: signatures and the cache know the file alone.
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", path)
        session = onnxruntime.InferenceSession(Path(path).read_bytes(), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        problem = f"this is not an ONNX file that onnxruntime can run ({said})"
        fix = "export it again, with all weights inside the file"
        raise InputError(problem, source=path, field="detector", fix=fix) from None
    given = session.get_inputs()
    if not given or given[0].type not in _TYPES or len(given[0].shape) != 4:
        kinds = ", ".join(f"{each.name} {each.type} {each.shape}" for each in given)
        problem = f"the network's first input is not a picture; it has {kinds or 'no input'}"
        raise InputError(problem, source=path, field="detector", fix="export it with one input [1, 3, height, width]")
    shape = tuple(length if isinstance(length, int) else None for length in given[0].shape)
    about = dict(session.get_modelmeta().custom_metadata_map)
    return OnnxFile(path, session, given[0].name, shape, _TYPES[given[0].type], about)


@dataclass(eq=False)
class PlainOnnx(WithWeights):
    """`onnx(model=FILE.onnx,classes=FILE)`. The network takes one picture and gives three outputs, [n, …] or [1, n, …]:
    boxes [n, 4], the confidence of each, and the number of its class. `outputs` are their names.

    `layout`: nchw or nhwc. `values` of a pixel: unit (0 to 1), signed (−1 to 1), byte (0 to 255) or imagenet (mean 0,
    deviation 1). `order` of a box: xyxy or yxyx; its `unit`: pixels of the input, or relative to the picture.
    `first` is the number of the first line of the list of classes. A picture is stretched to the input's size, or to
    `size` × `size` where the file does not say it.
    """

    outputs: str = "boxes:scores:labels"
    layout: Literal["nchw", "nhwc"] = "nchw"
    values: Literal["unit", "signed", "byte", "imagenet"] = "unit"
    order: Literal["xyxy", "yxyx"] = "xyxy"
    unit: Literal["pixels", "relative"] = "pixels"
    first: int = 0
    size: int = 640

    kind: ClassVar[str] = "onnx"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.classes:
            fix = "write onnx(model=FILE.onnx,classes=FILE), one name per line"
            raise self.wrong("the list of classes is not named", fix)

    def _open(self, threads: int) -> OnnxFile:
        file = open_onnx(self.model, threads)
        there = [each.name for each in file.session.get_outputs()]
        wanted = self.outputs.split(":")
        if len(wanted) != 3 or any(name not in there for name in wanted):
            problem = f"{self.outputs!r} should name the outputs of boxes, scores and labels"
            fix = "write outputs=BOXES:SCORES:LABELS"
            raise self.wrong(f"{problem}; there are {', '.join(there)}", fix, "outputs")
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
            raise self.wrong(f"the outputs have shapes {shapes}", fix, "outputs")
        boxes = boxes[:, _ORDERS[self.order]]
        if self.unit == "relative":
            boxes = boxes * np.array([pixels.shape[1], pixels.shape[0]] * 2)
        inside = placed.back(boxes.astype(np.float32))
        return detection_of(self.names, np.rint(kinds).astype(np.int64), inside, confidence)

    def _input(self, pixels: RGB) -> NDArray[Any]:
        scaled: NDArray[Any] = pixels
        if self.values != "byte":
            scaled = pixels / np.float32(127.5) - 1 if self.values == "signed" else pixels / np.float32(255)
        if self.values == "imagenet":
            scaled = (scaled - _MEAN) / _DEVIATION
        return (scaled.transpose(2, 0, 1) if self.layout == "nchw" else scaled)[None]


def _rows(found: NDArray[Any], axes: int) -> NDArray[Any]:
    """Return an output without the axis of the batch, which is of one picture.

    >>> _rows(np.zeros((1, 7, 4)), 2).shape, _rows(np.zeros((7, 4)), 2).shape, _rows(np.zeros((1, 7)), 1).shape
    ((7, 4), (7, 4), (7,))
    """
    while found.ndim > axes and found.shape[0] == 1:
        found = found[0]
    return found


@dataclass(eq=False)
class Ultralytics(WithWeights):
    """`ultralytics(model=FILE.onnx)`. Names of classes come from the file, where ultralytics writes them, or from
    `classes`. Of boxes of one class that overlap more than `overlap`, the surest stays.

    Outputs of both layouts are read: [1, 4 + classes, candidates] with centre, width and height, which needs
    suppression, and [1, detections, 6] of models exported with suppression inside (end to end).
    """

    overlap: float = 0.7

    kind: ClassVar[str] = "ultralytics"

    def _open(self, threads: int) -> OnnxFile:
        file = open_onnx(self.model, threads)
        task = file.metadata.get("task", "detect")
        if task != "detect":
            raise self.wrong(f"this model's task is {task!r}", "export a detection model, such as yolo11n.pt")
        self.names = read_classes(self.classes) if self.classes else _names(file)
        return file

    def _look(self, rgb: RGB) -> Detection:
        height, width = self._size()
        boxed, placed = letterbox(rgb, height, width)
        found = next(iter(self.network.run(boxed.transpose(2, 0, 1)[None] / np.float32(255)).values()))
        if self._is_end_to_end(found):
            boxes, confidence, kinds = found[0][:, :4], found[0][:, 4], found[0][:, 5].astype(np.int64)
        else:
            boxes, confidence, kinds = self._candidates(found)
        return detection_of(self.names, kinds, placed.back(boxes), confidence)

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
        wanted = f"of {len(self.names)} classes it would be [1, {channels}, candidates] or [1, detections, 6]"
        fix = "export a detection model, and give the classes that it was trained with"
        raise self.wrong(f"the output has shape {list(found.shape)}; {wanted}", fix)

    def _candidates(self, found: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        rows = found[0].T
        kinds = rows[:, 4:].argmax(axis=1)
        confidence = rows[np.arange(len(rows)), 4 + kinds]
        sure = np.flatnonzero(confidence >= FLOOR)
        boxes = corners(rows[sure, :4])
        kept = suppress(boxes, confidence[sure], kinds[sure], self.overlap)
        return boxes[kept], confidence[sure][kept], kinds[sure][kept]


def _names(file: OnnxFile) -> dict[int, str]:
    """Return the names of classes that ultralytics writes into the file, as Python writes a dict."""
    said = _literal(file.metadata.get("names", ""))
    if isinstance(said, dict) and said and all(isinstance(name, str) for name in said.values()):
        return {int(number): name for number, name in said.items()}
    raise InputError(
        "the file does not name its classes", source=file.path, field="detector", fix="add classes=FILE, one per line"
    )


def _literal(text: str) -> Any:
    """Return a value as Python writes it; None for what is none. Nothing is evaluated."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


@dataclass(frozen=True)
class Placed:
    """The place of a picture in the input of a network: scaled by `across` and `down`, then moved by `left` and
    `top`."""

    across: float
    down: float
    left: float
    top: float
    width: int
    height: int

    def back(self, boxes: Array) -> Array:
        """Return boxes [n, 4] as x1 y1 x2 y2 in pixels of the input → the same in pixels of the picture, cut at its
        edges.

        >>> Placed(2.0, 2.0, 10.0, 0.0, 50, 40).back(np.array([[30, 20, 210, 60]], np.float32)).tolist()
        [[10.0, 10.0, 50.0, 30.0]]
        """
        moved = (boxes - np.array([self.left, self.top] * 2)) / np.array([self.across, self.down] * 2)
        edges = np.array([self.width, self.height] * 2)
        return np.asarray(np.clip(moved, 0, edges).astype(np.float32))


def letterbox(rgb: RGB, height: int, width: int, grey: int = 114) -> tuple[RGB, Placed]:
    """Return the picture in the middle of an input of this size, its proportions kept, with grey bars around it;
    rounding is that of ultralytics' LetterBox, so that its exported models see what they were trained on.

    >>> boxed, placed = letterbox(np.zeros((10, 20, 3), np.uint8), 40, 40)
    >>> boxed.shape, placed.top, boxed[::10, 20, 0].tolist()
    ((40, 40, 3), 10, [114, 0, 0, 114])
    """
    tall, wide = rgb.shape[:2]
    scale = min(height / tall, width / wide)
    inner_wide, inner_tall = max(1, round(wide * scale)), max(1, round(tall * scale))
    top, left = round((height - inner_tall) / 2 - 0.1), round((width - inner_wide) / 2 - 0.1)
    boxed = np.full((height, width, 3), grey, np.uint8)
    boxed[top : top + inner_tall, left : left + inner_wide] = resize(rgb, inner_tall, inner_wide)
    return boxed, Placed(scale, scale, left, top, wide, tall)


def stretch(rgb: RGB, height: int, width: int) -> tuple[RGB, Placed]:
    """Return the picture stretched to this size."""
    tall, wide = rgb.shape[:2]
    return resize(rgb, height, width), Placed(width / wide, height / tall, 0, 0, wide, tall)


def resize(rgb: RGB, height: int, width: int) -> RGB:
    """Bilinear interpolation between the four nearest pixels, as OpenCV's INTER_LINEAR does it.

    >>> resize(np.array([[[0], [100]]], np.uint8), 1, 4)[0, :, 0].tolist()
    [0, 25, 75, 100]
    """
    if rgb.shape[:2] == (height, width):
        return rgb
    rows, low, share = _neighbours(rgb.shape[0], height)
    across = rgb[rows] * (1 - share)[:, None, None] + rgb[low] * share[:, None, None]
    columns, right, share = _neighbours(rgb.shape[1], width)
    mixed = across[:, columns] * (1 - share)[:, None] + across[:, right] * share[:, None]
    return np.asarray(np.floor(mixed + 0.5).astype(np.uint8))


def _neighbours(size: int, wanted: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """For each new pixel the two old ones around its centre, and the share of the second."""
    centre = np.clip((np.arange(wanted) + 0.5) * size / wanted - 0.5, 0, size - 1)
    first = np.floor(centre).astype(np.int64)
    return first, np.minimum(first + 1, size - 1), (centre - first).astype(np.float32)


def corners(boxes: Array) -> Array:
    """Centre, width and height → x1 y1 x2 y2.

    >>> corners(np.array([[5, 5, 4, 2]], np.float32)).tolist()
    [[3.0, 4.0, 7.0, 6.0]]
    """
    half = boxes[:, 2:] / 2
    return np.asarray(np.concatenate([boxes[:, :2] - half, boxes[:, :2] + half], axis=1))


def suppress(boxes: Array, confidence: Array, classes: NDArray[np.integer], overlap: float) -> NDArray[np.int64]:
    """Return rows that stay, the surest first: one that overlaps a surer one of its class by more than `overlap`,
    intersection over union, goes.

    >>> boxes = np.array([[0, 0, 10, 10], [1, 0, 11, 10], [0, 0, 10, 10]], np.float32)
    >>> suppress(boxes, np.array([0.6, 0.9, 0.5], np.float32), np.array([1, 1, 2]), 0.5).tolist()
    [1, 2]
    """
    order = np.argsort(-confidence, kind="stable")
    return order[distinct_boxes(boxes[order], classes[order], overlap, len(order))]
