"""Weights and lists of classes that options name: errors name the file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.vision.adapters.weights import WithWeights, read_classes
from vericap.vision.detectors import Detection, find_detector


@dataclass(eq=False)
class Fixed(WithWeights):
    """Finds what its file says."""

    classes: str = ""
    overlap: float = 0.5
    kind: ClassVar[str] = "fixed"

    def _open(self, threads: int) -> Any:
        return Path(self.model).read_text()

    def _look(self, rgb: np.ndarray) -> Detection:
        return Detection([self.network], np.array([[0, 0, *rgb.shape[1::-1]]]), np.array([1.0]))


def test_weights_are_loaded_once_by_the_first_picture(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("dog")
    fixed = Fixed(str(tmp_path / "a"))
    assert fixed.network is None
    [found] = fixed.detect([np.zeros((2, 3, 3), np.uint8)])
    (tmp_path / "a").write_text("cat")
    [again] = fixed.detect([np.zeros((2, 3, 3), np.uint8)])
    assert (found.labels, again.labels, found.boxes.tolist()) == (["dog"], ["dog"], [[0, 0, 3, 2]])


def test_fingerprints(tmp_path: Path) -> None:
    for name, text in (("a", "dog"), ("b", "dog"), ("c", "cat"), ("classes", "dog")):
        (tmp_path / name).write_text(text)
    a, b, c = (Fixed(str(tmp_path / name)) for name in "abc")
    assert a.fingerprint == b.fingerprint != c.fingerprint
    assert Fixed(a.model, threshold=0.9).fingerprint == a.fingerprint  # what is found is the same, what counts is not
    assert Fixed(a.model, overlap=0.9).fingerprint != a.fingerprint
    assert Fixed(a.model, classes=str(tmp_path / "classes")).fingerprint != a.fingerprint


def test_a_folder_is_all_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "weights").write_text("1")
    before = Fixed(str(tmp_path)).fingerprint
    (tmp_path / "deep" / "weights").write_text("2")
    assert Fixed(str(tmp_path)).fingerprint != before


def test_missing_weights(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere.*no such file or folder; write fixed\(model=PATH\)"):
        Fixed(str(tmp_path / "nowhere"))


def test_weights_that_are_not_named() -> None:
    with pytest.raises(InputError, match=r"the detector fixed needs its weights; write fixed\(model=PATH\)"):
        Fixed()


@pytest.mark.parametrize("kind", ["ultralytics", "onnx", "torchvision", "transformers"])
def test_every_adapter_is_found_by_its_name(kind: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"the detector {kind} needs its weights"):
        find_detector(kind)
    (tmp_path / "weights").write_text("")
    found = find_detector(f"{kind}(model={tmp_path / 'weights'},classes={tmp_path / 'weights'},threshold=0.3)")
    assert isinstance(found, WithWeights)
    assert (found.kind, found.threshold) == (kind, 0.3)


@pytest.mark.parametrize(
    ("text", "first", "names"),
    [
        ("person\ncar\n", 0, {0: "person", 1: "car"}),
        ("person\r\n???\r\ncar", 1, {1: "person", 3: "car"}),
        ('["person", "hot dog"]', 1, {1: "person", 2: "hot dog"}),
        ('{"1": "person", "90": "toothbrush"}', 0, {1: "person", 90: "toothbrush"}),
        ("\ufeffperson", 0, {0: "person"}),
    ],
)
def test_lists(tmp_path: Path, text: str, first: int, names: dict[int, str]) -> None:
    path = tmp_path / "classes"
    path.write_text(text, "utf-8", newline="")
    assert read_classes(path, first) == names


@pytest.mark.parametrize("text", ["", "???\n", "[1, 2]", '{"a": "person"}', '["person"', '[["person"]]'])
def test_what_is_not_a_list_of_classes_is_an_error_that_names_the_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "classes.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"classes\.json.*class"):
        read_classes(path)


def test_a_missing_list(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.txt.*cannot be read \(No such file"):
        read_classes(tmp_path / "none.txt")
