"""Objects, regions and a detector's findings come to the corpus by image id, and what is missing is answered for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vericap import evaluate
from vericap.corpus import Corpus, Regions
from vericap.errors import InputError
from vericap.vision.add_pictures import add_pictures
from vericap.vision.detection import Reading
from vericap.vision.detectors import Detection

CORPUS = Corpus.from_lists(["a dog", "a cat", "two cats"], image_ids=["42.jpg", 7, 8])
REGIONS = Regions([8, 7, "42", 9], np.array([0, 1, 3, 3, 4]), np.arange(8, dtype=np.float32).reshape(4, 2))


class Finder:
    """Finds a dog, surely, and a ball, hardly, in every picture."""

    name = "finder 1"

    def __init__(self, vectors: bool = True) -> None:
        self.vectors, self.seen = vectors, list[str]()

    def __call__(self, picture: Path) -> Detection:
        self.seen.append(picture.name)
        vectors = np.ones((2, 3)) if self.vectors else None
        return Detection(["Dog", "ball"], np.array([[0, 0, 4, 4], [1, 1, 2, 2]]), np.array([0.9, 0.2]), vectors)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("42.jpg", "000007.png", "COCO_val2014_000000000008.jpg"):
        (tmp_path / name).write_bytes(b"")
    return tmp_path


def test_regions_are_found_by_image_id() -> None:
    corpus = add_pictures(CORPUS, regions=REGIONS)
    assert corpus.has_regions
    assert corpus.regions.find(corpus.image_ids).tolist() == [2, 1, 0]


def test_image_without_regions() -> None:
    some = Regions([7], np.array([0, 1]), np.ones((1, 2), np.float32), source="a.npz")
    with pytest.raises(InputError, match=r"a.npz: image '42.jpg' \(and 1 more\) is not in the regions; add it"):
        add_pictures(CORPUS, regions=some)
    dropped = add_pictures(CORPUS, regions=some, missing="drop")
    assert dropped.image_ids == [7]
    assert "2 candidates without regions left out" in dropped.notes[-1]
    kept = add_pictures(CORPUS, regions=some, missing="zero")
    assert len(kept) == 3
    assert "2 candidates without regions kept" in kept.notes[-1]


def test_detector_gives_objects_and_regions(folder: Path) -> None:
    corpus = add_pictures(CORPUS, images=folder, detector=Finder())
    assert corpus.objects_of(1) == ["dog"]  # the ball is below the confidence that counts
    assert corpus.regions.dimension == 3
    assert corpus.regions.labels_of(0) == ["Dog", "ball"]
    assert corpus.objects is not None
    assert corpus.objects.boxes is not None
    assert corpus.objects.boxes[0].tolist() == [0, 0, 4, 4]


def test_detections_are_united_with_given_objects(folder: Path) -> None:
    given = {"42": ["bench"], "7": [], "8": []}
    corpus = add_pictures(CORPUS, given, images=folder, detector=Finder(vectors=False), confidence=0.1)
    assert sorted(corpus.objects_of(0)) == ["ball", "bench", "dog"]
    assert not corpus.has_regions


def test_a_file_of_regions_goes_before_the_detectors(folder: Path) -> None:
    corpus = add_pictures(CORPUS, regions=REGIONS, images=folder, detector=Finder())
    assert corpus.regions is REGIONS


def test_an_image_is_looked_at_once_and_only_where_asked(folder: Path) -> None:
    twice = Corpus(["7", "7", "8"], ["a", "b", "c"], np.array([0, 0, 1]))
    finder = Finder()
    add_pictures(twice, images=folder, detector=finder)
    assert finder.seen == ["000007.png", "COCO_val2014_000000000008.jpg"]
    finder = Finder()
    add_pictures(twice, images=folder, detector=finder, reading=Reading(rows=[2]), missing="zero")
    assert finder.seen == ["COCO_val2014_000000000008.jpg"]


def test_a_detector_needs_pictures() -> None:
    with pytest.raises(InputError, match="--detector needs --images too"):
        evaluate({1: "a"}, {1: ["a"]}, metrics="bleu-1", detector="x")


class Strict(Finder):
    """Reads pictures, so that a file that is none is an error."""

    fingerprint, batch, edge = "0" * 40, 4, 320
    threshold: float | None = None

    def load(self, threads: int) -> None:
        pass

    def detect(self, pictures: Any) -> list[Detection]:
        return [self(Path("array")) for _ in pictures]


@pytest.fixture
def pictures(folder: Path) -> Path:
    """Those of images 42 and 7 can be read, that of 8 cannot."""
    for name in ("42.jpg", "000007.png"):
        Image.new("RGB", (5, 5)).save(folder / name)
    return folder


def test_a_picture_that_cannot_be_read_is_missing(pictures: Path) -> None:
    with pytest.raises(InputError, match=r"000008.jpg: the file is empty; check .*, or choose --missing drop"):
        add_pictures(CORPUS, images=pictures, detector=Strict())
    dropped = add_pictures(CORPUS, images=pictures, detector=Strict(), missing="drop")
    assert dropped.image_ids == ["42.jpg", 7]
    assert any("000008.jpg: the file is empty" in note for note in dropped.notes)
    assert "1 candidate without objects left out: 8" in dropped.notes
    kept = add_pictures(CORPUS, images=pictures, detector=Strict(), missing="zero")
    assert len(kept) == 3 and kept.objects_of(2) == [] and kept.objects_of(0) == ["dog"]


def test_a_picture_without_a_file_is_missing(pictures: Path) -> None:
    (pictures / "42.jpg").unlink()
    (pictures / "COCO_val2014_000000000008.jpg").unlink()
    with pytest.raises(InputError, match=r"image '42.jpg' has no file in the folder \(and 1 more picture\); add it"):
        add_pictures(CORPUS, images=pictures, detector=Strict())
    assert add_pictures(CORPUS, images=pictures, detector=Strict(), missing="drop").image_ids == [7]


def test_no_picture_at_all_is_an_error(folder: Path) -> None:
    with pytest.raises(InputError, match=r"42.jpg: the file is empty \(and 2 more pictures\)"):
        add_pictures(CORPUS, images=folder, detector=Strict(), missing="zero")


def test_the_threshold_of_a_detector_goes_before_the_confidence(pictures: Path) -> None:
    strict = Strict(vectors=False)
    strict.threshold = 0.1
    corpus = add_pictures(CORPUS, {"42": ["bench"]}, images=pictures, detector=strict, missing="drop")
    assert corpus.objects_of(0) == ["bench", "dog", "ball"]
