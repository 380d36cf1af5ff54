"""Any detector as ONNX: its names, layout and units are options."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto

from tests.vision.adapters.made_models import constant_network
from vericap.errors import InputError
from vericap.vision.adapters.plain_onnx import PlainOnnx

PICTURE = np.full((20, 40, 3), (51, 0, 0), np.uint8)


@pytest.fixture
def classes(tmp_path: Path) -> str:
    (tmp_path / "classes.txt").write_text("person\ndog\n")
    return str(tmp_path / "classes.txt")


def outputs(boxes: list[list[float]], scores: list[float], labels: list[int]) -> dict[str, np.ndarray]:
    return {
        "boxes": np.array(boxes, np.float32),
        "scores": np.array(scores, np.float32),
        "labels": np.array(labels, np.int64),
    }


def test_boxes_in_pixels_of_the_input(tmp_path: Path, classes: str) -> None:
    made = outputs([[16, 32, 48, 64], [0, 0, 64, 64], [0, 0, 9, 9]], [0.9, 0.8, 0.01], [1, 0, 1])
    model = constant_network(tmp_path / "a.onnx", made)
    [found] = PlainOnnx(str(model), classes=classes).detect([PICTURE])
    assert found.labels == ["dog", "person"]  # the third is as good as nothing
    assert found.boxes.tolist() == [[10, 10, 30, 20], [0, 0, 40, 20]]


def test_tensorflows_conventions(tmp_path: Path, classes: str) -> None:
    """Outputs with an axis of the batch, boxes as shares with y first, classes from 1 as floats, pixels as bytes."""
    made = {
        "detection_boxes": np.array([[[0.5, 0.25, 1.0, 0.75]]], np.float32),
        "detection_scores": np.array([[0.9]], np.float32),
        "detection_classes": np.array([[2.0]], np.float32),
    }
    model = constant_network(tmp_path / "a.onnx", made, (1, "h", "w", 3), TensorProto.UINT8)
    detector = PlainOnnx(
        str(model),
        classes=classes,
        outputs="detection_boxes:detection_scores:detection_classes",
        layout="nhwc",
        values="byte",
        order="yxyx",
        unit="relative",
        first=1,
    )
    [found] = detector.detect([PICTURE])
    assert (found.labels, found.boxes.tolist()) == (["dog"], [[10, 10, 30, 20]])


@pytest.mark.parametrize(("values", "red"), [("unit", 0.8), ("byte", 32), ("signed", 0.6), ("imagenet", 1.3755)])
def test_values_of_pixels(tmp_path: Path, classes: str, values: str, red: float) -> None:
    # The right edge of the box is the mean of the red that the network was given, in pixels of its input.
    made = outputs([[0, 0, 0, 64]], [0.5], [0])
    model = constant_network(tmp_path / "a.onnx", made, red_at=("boxes", (0, 2)))
    detector = PlainOnnx(str(model), classes=classes, values=values)  # type: ignore[arg-type]
    [found] = detector.detect([np.full((64, 64, 3), (32 if values == "byte" else 204, 0, 0), np.uint8)])
    assert found.boxes[0, 2] == pytest.approx(red, abs=1e-4)


def test_no_detection_at_all(tmp_path: Path, classes: str) -> None:
    made = outputs([], [], [])
    made["boxes"] = made["boxes"].reshape(0, 4)
    [found] = PlainOnnx(str(constant_network(tmp_path / "a.onnx", made)), classes=classes).detect([PICTURE])
    assert (found.labels, found.boxes.shape, found.confidence.shape) == ([], (0, 4), (0,))


def test_what_is_wrong_is_said(tmp_path: Path, classes: str) -> None:
    model = constant_network(tmp_path / "a.onnx", outputs([[0, 0, 1, 1]], [0.9], [0]))
    with pytest.raises(InputError, match="list of classes is not named; write onnx"):
        PlainOnnx(str(model))
    with pytest.raises(InputError, match=r"'a:b:c' should name the outputs .* there are boxes, scores, labels"):
        PlainOnnx(str(model), classes=classes, outputs="a:b:c").load(1)
    with pytest.raises(InputError, match=r"shapes scores \[1\], boxes \[1, 4\], labels \[1\]"):
        PlainOnnx(str(model), classes=classes, outputs="scores:boxes:labels").detect([PICTURE])
