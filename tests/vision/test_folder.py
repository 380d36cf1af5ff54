"""Every picture of a folder becomes one row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vericap.errors import InputError
from vericap.vision.detectors import Detection
from vericap.vision.folder import FolderObjects


class Finder:
    name = "finder 1"
    threshold: float | None = None

    def __call__(self, picture: Path) -> Detection:
        return Detection(["dog", "ball"], np.array([[0, 0, 4, 4], [1, 1, 2, 2]]), np.array([0.9, 0.2]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.png", "a.JPG", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    return tmp_path


def test_rows_have_the_name_of_the_file_and_what_is_sure_enough(folder: Path) -> None:
    found = FolderObjects(folder, Finder())
    dog = {"label": "dog", "confidence": 0.9, "box": [0.0, 0.0, 4.0, 4.0]}
    assert list(found.rows()) == [{"image_id": name, "objects": [dog]} for name in ("a.JPG", "b.png")]
    assert found.summary() == "2 pictures, 2 objects with a confidence of 0.5 or more: dog 2"
    assert found.notes() == []
    low = FolderObjects(folder, Finder(), confidence=0.1)
    assert [len(row["objects"]) for row in low.rows()] == [2, 2]


def test_the_threshold_of_the_detector_goes_before(folder: Path) -> None:
    finder = Finder()
    finder.threshold = 0.95
    assert [row["objects"] for row in FolderObjects(folder, finder).rows()] == [[], []]


def test_two_pictures_of_one_image(folder: Path) -> None:
    (folder / "a.png").write_bytes(b"")
    with pytest.raises(InputError, match=r"a.JPG and a.png are pictures of one image; keep one"):
        FolderObjects(folder, Finder())


def test_folders_without_pictures(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no picture in the folder"):
        FolderObjects(tmp_path, Finder())
    with pytest.raises(InputError, match="there is no such folder"):
        FolderObjects(tmp_path / "no", Finder())


class Reader(Finder):
    fingerprint, batch, edge = "0" * 40, 4, 320

    def load(self, threads: int) -> None:
        pass

    def detect(self, pictures: list[object]) -> list[Detection]:
        return [self(Path()) for _ in pictures]


def test_pictures_that_cannot_be_read(folder: Path) -> None:
    Image.new("L", (3, 3)).save(folder / "b.png")
    with pytest.raises(InputError, match=r"a.JPG: the file is empty; .*or choose --missing drop"):
        list(FolderObjects(folder, Reader()).rows())
    dropped = FolderObjects(folder, Reader(), missing="drop")
    assert [row["image_id"] for row in dropped.rows()] == ["b.png"]
    assert "a.JPG: the file is empty; left out" in dropped.notes()[0]
    kept = FolderObjects(folder, Reader(), missing="zero")
    assert [(row["image_id"], len(row["objects"])) for row in kept.rows()] == [("a.JPG", 0), ("b.png", 1)]
