"""What ultralytics exports is read in both layouts, with the names that are in the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.adapters.made_models import constant_network
from vericap.errors import InputError
from vericap.vision.adapters.ultralytics import Ultralytics

NAMES = {"names": "{0: 'person', 1: 'dog', 2: 'cup'}", "task": "detect", "imgsz": "[64, 64]"}
# 40 × 20 pixels in an input of 64 × 64: scaled by 1.6, below 16 rows of grey.
PICTURE = np.zeros((20, 40, 3), np.uint8)


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
    [found] = Ultralytics(str(model)).detect([PICTURE])
    assert found.labels == ["dog", "person", "cup"]
    assert found.boxes[0].tolist() == [10, 10, 30, 20]
    assert found.boxes[2].tolist() == pytest.approx([2.5, 2.5, 7.5, 7.5])
    assert found.confidence.tolist() == pytest.approx([0.9, 0.7, 0.3])


def test_end_to_end_needs_no_suppression(tmp_path: Path) -> None:
    rows = np.zeros((1, 300, 6), np.float32)
    rows[0, :3] = [[16, 32, 48, 48, 0.9, 1], [16, 32, 48, 48, 0.8, 1], [0, 0, 64, 64, 0.6, 0]]
    model = constant_network(tmp_path / "a.onnx", {"output0": rows}, metadata={**NAMES, "end2end": "True"})
    [found] = Ultralytics(str(model)).detect([PICTURE])
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
    [found] = Ultralytics(str(model), classes=str(tmp_path / "names.txt")).detect([PICTURE])
    assert found.labels == ["wolf"]


def test_other_tasks_and_other_outputs_are_refused(tmp_path: Path) -> None:
    output = {"output0": candidates()}
    model = constant_network(tmp_path / "a.onnx", output, metadata={**NAMES, "task": "segment"})
    with pytest.raises(InputError, match="task is 'segment'; export a detection model"):
        Ultralytics(str(model)).load(1)
    model = constant_network(tmp_path / "b.onnx", output, metadata={**NAMES, "names": "{0: 'person'}"})
    with pytest.raises(InputError, match=r"shape \[1, 7, 20\]; of 1 classes it would be \[1, 5, candidates\]"):
        Ultralytics(str(model)).detect([PICTURE])


def test_two_classes_and_six_channels_are_not_end_to_end(tmp_path: Path) -> None:
    output = np.zeros((1, 6, 8400), np.float32)
    output[0, :, 5] = (32, 40, 32, 16, 0.2, 0.9)
    metadata = {**NAMES, "names": "{0: 'person', 1: 'dog'}"}
    model = constant_network(tmp_path / "a.onnx", {"output0": output}, metadata=metadata)
    [found] = Ultralytics(str(model)).detect([PICTURE])
    assert (found.labels, found.boxes.tolist()) == (["dog"], [[10, 10, 30, 20]])
