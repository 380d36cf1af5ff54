"""Detectors in ONNX files: what they see, where their boxes are, and errors that name the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto

from tests.vision.adapters.made_models import constant_network
from vericap.errors import InputError
from vericap.vision.adapters.onnx_files import PlainOnnx, Ultralytics, letterbox, open_onnx, resize, stretch, suppress


def test_a_network_says_what_it_takes(tmp_path: Path) -> None:
    made = {"x": np.ones(2, np.float32)}
    path = constant_network(tmp_path / "a.onnx", made, (1, 3, "height", 48), metadata={"k": "v"})
    file = open_onnx(str(path))
    assert (file.input, file.shape, file.type, file.metadata) == ("picture", (1, 3, None, 48), np.float32, {"k": "v"})
    assert file.run(np.zeros((1, 3, 5, 48)))["x"].tolist() == [1, 1]


def test_a_picture_of_another_size_than_the_network_takes(tmp_path: Path) -> None:
    file = open_onnx(str(constant_network(tmp_path / "a.onnx", {"x": np.ones(2, np.float32)})))
    with pytest.raises(InputError, match=r"a\.onnx.*cannot take a picture of shape \[1, 3, 5, 5\]"):
        file.run(np.zeros((1, 3, 5, 5)))


def test_not_onnx(tmp_path: Path) -> None:
    (tmp_path / "b.onnx").write_bytes(b"weights")
    with pytest.raises(InputError, match=r"b\.onnx.*not an ONNX file that onnxruntime can run"):
        open_onnx(str(tmp_path / "b.onnx"))


def test_weights_beside_the_file_are_not_read(tmp_path: Path) -> None:
    """The hash in a signature is that of the file alone."""
    path = constant_network(tmp_path / "a.onnx", {"x": np.ones(2, np.float32)})
    onnx.save(onnx.load(path), path, save_as_external_data=True, location="a.data", size_threshold=0)
    assert (tmp_path / "a.data").is_file()
    with pytest.raises(InputError, match=r"a\.onnx.*export it again, with all weights inside the file"):
        open_onnx(str(path))


def test_a_network_for_texts(tmp_path: Path) -> None:
    path = constant_network(tmp_path / "c.onnx", {"x": np.ones(2, np.float32)}, (1, 7))
    with pytest.raises(InputError, match=r"first input is not a picture; it has picture tensor\(float\) \[1, 7\]"):
        open_onnx(str(path))


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


NAMES = {"names": "{0: 'person', 1: 'dog', 2: 'cup'}", "task": "detect", "imgsz": "[64, 64]"}


# 40 × 20 pixels in an input of 64 × 64: scaled by 1.6, below 16 rows of grey.
BLACK = np.zeros((20, 40, 3), np.uint8)


def candidates(*rows: tuple[float, ...], places: int = 20) -> np.ndarray:
    """[1, 4 + 3, places]: centre, width, height and the scores of three classes."""
    found = np.zeros((1, 7, places), np.float32)
    for place, row in enumerate(rows):
        found[0, :, place] = row
    return found


def test_candidates_are_suppressed_and_brought_back_to_the_picture(tmp_path: Path) -> None:
    output = candidates(
        (32, 40, 32, 16, 0.1, 0.9, 0),  # a dog from 16, 32 to 48, 48
        (33, 40, 32, 16, 0.1, 0.8, 0),  # the same dog
        (33, 40, 32, 16, 0.7, 0.1, 0),  # a person at the same place
        (8, 24, 8, 8, 0, 0, 0.3),  # a cup
    )
    model = constant_network(tmp_path / "a.onnx", {"output0": output}, metadata=NAMES)
    [found] = Ultralytics(str(model)).detect([BLACK])
    assert found.labels == ["dog", "person", "cup"]
    assert found.boxes[0].tolist() == [10, 10, 30, 20]
    assert found.boxes[2].tolist() == pytest.approx([2.5, 2.5, 7.5, 7.5])
    assert found.confidence.tolist() == pytest.approx([0.9, 0.7, 0.3])


def test_end_to_end_needs_no_suppression(tmp_path: Path) -> None:
    rows = np.zeros((1, 300, 6), np.float32)
    rows[0, :3] = [[16, 32, 48, 48, 0.9, 1], [16, 32, 48, 48, 0.8, 1], [0, 0, 64, 64, 0.6, 0]]
    model = constant_network(tmp_path / "a.onnx", {"output0": rows}, metadata={**NAMES, "end2end": "True"})
    [found] = Ultralytics(str(model)).detect([BLACK])
    assert found.labels == ["dog", "dog", "person"]
    assert found.boxes.tolist() == [[10, 10, 30, 20], [10, 10, 30, 20], [0, 0, 40, 20]]


def test_pixels_are_red_first_and_from_0_to_1(tmp_path: Path) -> None:
    output = candidates((32, 32, 10, 10, 0, 0, 0))
    red = ("output0", (0, 4, 0))
    model = constant_network(tmp_path / "a.onnx", {"output0": output}, metadata=NAMES, red_at=red)
    [found] = Ultralytics(str(model)).detect([np.full((64, 64, 3), (102, 0, 255), np.uint8)])
    assert (found.labels, found.confidence.tolist()) == (["person"], pytest.approx([0.4], abs=1e-4))


def test_a_model_of_any_size_is_run_at_the_size_that_it_was_exported_for(tmp_path: Path) -> None:
    output = candidates((48, 16, 96, 32, 0.9, 0, 0))
    metadata = {**NAMES, "imgsz": "[32, 96]"}
    model = constant_network(tmp_path / "a.onnx", {"output0": output}, (1, 3, "h", "w"), metadata=metadata)
    [found] = Ultralytics(str(model)).detect([np.zeros((20, 60, 3), np.uint8)])
    assert found.boxes.tolist() == [[0, 0, 60, 20]]


def test_names_come_from_a_list_where_the_file_has_none(tmp_path: Path) -> None:
    model = constant_network(tmp_path / "a.onnx", {"output0": candidates((32, 32, 10, 10, 0, 0.9, 0))})
    with pytest.raises(InputError, match=r"a\.onnx.*does not name its classes; add classes=FILE"):
        Ultralytics(str(model)).load(1)
    (tmp_path / "names.txt").write_text("man\nwolf\nmug\n")
    [found] = Ultralytics(str(model), classes=str(tmp_path / "names.txt")).detect([BLACK])
    assert found.labels == ["wolf"]


def test_other_tasks_and_other_outputs_are_refused(tmp_path: Path) -> None:
    output = {"output0": candidates()}
    model = constant_network(tmp_path / "a.onnx", output, metadata={**NAMES, "task": "segment"})
    with pytest.raises(InputError, match="task is 'segment'; export a detection model"):
        Ultralytics(str(model)).load(1)
    model = constant_network(tmp_path / "b.onnx", output, metadata={**NAMES, "names": "{0: 'person'}"})
    with pytest.raises(InputError, match=r"shape \[1, 7, 20\]; of 1 classes it would be \[1, 5, candidates\]"):
        Ultralytics(str(model)).detect([BLACK])


def test_two_classes_and_six_channels_are_not_end_to_end(tmp_path: Path) -> None:
    output = np.zeros((1, 6, 8400), np.float32)
    output[0, :, 5] = (32, 40, 32, 16, 0.2, 0.9)
    metadata = {**NAMES, "names": "{0: 'person', 1: 'dog'}"}
    model = constant_network(tmp_path / "a.onnx", {"output0": output}, metadata=metadata)
    [found] = Ultralytics(str(model)).detect([BLACK])
    assert (found.labels, found.boxes.tolist()) == (["dog"], [[10, 10, 30, 20]])


BOXES = np.array([[0, 0, 10, 10], [1, 0, 11, 10], [20, 20, 30, 30], [0, 0, 10, 10]], np.float32)


@given(st.integers(1, 90), st.integers(1, 90))
def test_the_whole_picture_comes_back_as_the_whole_picture(tall: int, wide: int) -> None:
    picture = np.zeros((tall, wide, 3), np.uint8)
    for place in (letterbox, stretch):
        boxed, placed = place(picture, 64, 96)
        assert boxed.shape == (64, 96, 3)
        everything = placed.back(np.array([[0, 0, 96, 64]], np.float32))
        assert everything.tolist() == [[0, 0, wide, tall]]


def test_a_letterbox_has_bars_on_both_sides_and_the_picture_between() -> None:
    boxed, placed = letterbox(np.full((20, 40, 3), 7, np.uint8), 64, 64)
    # Twice 0.8: 64 × 32 pixels, 16 rows of grey above and below.
    assert (placed.left, placed.top, placed.across) == (0, 16, 1.6)
    assert set(boxed[:16].ravel()) == set(boxed[48:].ravel()) == {114}
    assert set(boxed[16:48].ravel()) == {7}
    assert placed.back(np.array([[16, 32, 48, 48]], np.float32)).tolist() == [[10, 10, 30, 20]]


def test_bilinear_resizing_weighs_the_two_nearest_pixels() -> None:
    row = np.array([[0, 10, 20, 30]], np.uint8)[..., None]
    # Centres of two pixels over four: at 0.5 and 2.5.
    assert resize(row, 1, 2)[0, :, 0].tolist() == [5, 25]
    assert resize(row.transpose(1, 0, 2), 2, 1)[:, 0, 0].tolist() == [5, 25]


def test_the_surest_of_overlapping_boxes_of_a_class_stays() -> None:
    sure = np.array([0.5, 0.9, 0.8, 0.4], np.float32)
    # Boxes 0 and 1 share 90 of 110 pixels: 0.82.
    assert suppress(BOXES, sure, np.zeros(4, np.int64), 0.7).tolist() == [1, 2]
    assert suppress(BOXES, sure, np.zeros(4, np.int64), 0.85).tolist() == [1, 2, 0]
    assert suppress(BOXES, sure, np.array([0, 1, 0, 2]), 0.7).tolist() == [1, 2, 0, 3]


@pytest.mark.parametrize("count", [0, 1])
def test_few_boxes_are_no_special_case(count: int) -> None:
    kept = suppress(BOXES[:count], np.ones(count, np.float32), np.zeros(count, np.int64), 0.5)
    assert kept.tolist() == list(range(count))
