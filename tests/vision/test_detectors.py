"""A detector that a package registers finds objects and regions in a folder of pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from typer.testing import CliRunner

from vericap.cli import app
from vericap.errors import InputError
from vericap.plugins import plugins
from vericap.vision.detection import detect
from vericap.vision.detectors import Detection, as_regions, find_detector, look_for_pictures

KEY = "chair-i(truth=labels)"
PLUGIN = '''
import numpy as np
from vericap.vision.detectors import Detection

class ByName:
    """Finds what the file holds: a label a line."""
    name = "by-name 1.0"
    def __call__(self, picture):
        labels = picture.read_text().split()
        boxes = np.array([[i, 0, i + 1, 2] for i in range(len(labels))], float).reshape(-1, 4)
        vectors = np.array([[len(label), i] for i, label in enumerate(labels)], float).reshape(-1, 2)
        return Detection(labels, boxes, np.full(len(labels), 0.5), vectors)
'''


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package `by_name` with one detector; gives a folder of three pictures."""
    site = tmp_path / "site"
    info = site / "by_name-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "by_name_detector.py").write_text(PLUGIN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: by-name\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[vericap.detectors]\nby-name = by_name_detector:ByName\n")
    monkeypatch.syspath_prepend(str(site))
    plugins.cache_clear()  # what other tests found before the package was there
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "COCO_val2014_000000000042.jpg").write_text("dog ball")
    (pictures / "7.PNG").write_text("")
    (pictures / "notes.txt").write_text("cat")
    yield pictures
    plugins.cache_clear()


def test_pictures_become_regions(plugin: Path) -> None:
    detector = find_detector("by-name")
    found = detect(detector, look_for_pictures(plugin, [42, "7"]))
    assert [list(each.labels) for each in found] == [["dog", "ball"], []]
    regions = as_regions([42, "7"], found, detector.name)
    assert regions is not None
    assert regions.offsets.tolist() == [0, 2, 2]
    assert regions.features.tolist() == [[3, 0], [4, 1]]
    assert regions.boxes is not None
    assert regions.boxes.tolist() == [[0, 0, 1, 2], [1, 0, 2, 2]]
    assert regions.labels_of(0) == ["dog", "ball"]


def test_a_first_picture_without_objects_has_no_length_of_vectors() -> None:
    nothing = Detection([], np.zeros((0, 4)), np.zeros(0), np.zeros((0, 0)))
    dog = Detection(["dog"], np.array([[0, 0, 1, 1]]), np.array([0.9]), np.ones((1, 5)))
    regions = as_regions([1, 2, 3], [nothing, dog, nothing], "detector")
    assert regions is not None and regions.dimension == 5 and regions.offsets.tolist() == [0, 0, 1, 1]


def test_pictures_and_detector_on_the_command_line(plugin: Path, tmp_path: Path) -> None:
    captions, out = tmp_path / "captions.json", tmp_path / "out.json"
    captions.write_bytes(orjson.dumps({"42": "a dog with a ball", "7": "a dog"}))
    words = ["score", captions, "--images", plugin, "--detector", "by-name", "--metrics", KEY, "--json", out]
    CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
    rows = orjson.loads(out.read_bytes())["captions"]
    # The detector saw a dog in the first picture and nothing in the second.
    assert [row["scores"][KEY] for row in rows] == [0.0, 1.0]


def test_unknown_detector_names_those_there(plugin: Path) -> None:
    known = "by-name, onnx, ssd, torchvision, transformers, ultralytics"
    with pytest.raises(InputError, match=f"`yolo` is not a detector; choose one of {known}; install one"):
        find_detector("yolo")


def test_picture_that_is_not_there_or_twice(plugin: Path) -> None:
    assert "image 8 has no file in the folder; add it" in str(look_for_pictures(plugin, [42, 8])[1])
    (plugin / "42.png").write_text("")
    assert "image 42 may be 42.png or COCO_val2014_000000000042.jpg" in str(look_for_pictures(plugin, [42])[0])
    with pytest.raises(InputError, match="no such folder"):
        look_for_pictures(plugin / "none", [42])


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"boxes": np.zeros((1, 4))}, "boxes"),
        ({"boxes": np.full((2, 4), np.nan)}, "boxes"),
        ({"confidence": np.array([0.5, 1.5])}, "confidence"),
        ({"confidence": np.array([0.5])}, "confidence"),
        ({"features": np.zeros((3, 2))}, "features"),
    ],
)
def test_what_a_plugin_returns_is_checked(wrong: dict[str, Any], field: str, tmp_path: Path) -> None:
    class Broken:
        name = "broken"

        def __call__(self, picture: Path) -> Detection:
            right = {"boxes": np.zeros((2, 4)), "confidence": np.array([0.5, 0.5]), "features": np.zeros((2, 3))}
            return Detection(["a", "b"], **{**right, **wrong})

    with pytest.raises(InputError, match=rf'detector broken, field "{field}": 1.jpg'):
        detect(Broken(), [tmp_path / "1.jpg"])


def test_vectors_of_two_lengths_are_refused() -> None:
    found = [Detection(["a"], np.zeros((1, 4)), np.ones(1), np.zeros((1, d))) for d in (2, 3)]
    with pytest.raises(InputError, match='row of image 2, field "features": vectors of 3 numbers after vectors of 2'):
        as_regions([1, 2], found, "test")


def test_a_detector_without_vectors_gives_no_regions() -> None:
    assert as_regions([1], [Detection(["a"], np.zeros((1, 4)), np.ones(1))], "test") is None
