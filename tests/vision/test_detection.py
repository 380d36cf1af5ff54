"""Pictures go through a detector in batches and in order; what is in the cache is not looked at again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vericap.errors import InputError
from vericap.vision.cache import CacheEntry, PictureCache
from vericap.vision.detection import Reading, detect, detect_each
from vericap.vision.detectors import Detection
from vericap.vision.loading import RGB, PictureError, picture_hash


class Grey:
    """Finds one object, labelled with the grey value of the picture, in its left half."""

    name, fingerprint, batch, edge = "grey 1", "a" * 40, 4, 32

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.threads: list[int] = []

    def load(self, threads: int) -> None:
        self.threads.append(threads)

    def detect(self, pictures: Sequence[RGB]) -> list[Detection]:
        self.batches.append(len(pictures))
        return [
            Detection([f"grey {each[0, 0, 0]}"], np.array([[0, 0, each.shape[1] / 2, each.shape[0]]]), np.array([0.5]))
            for each in pictures
        ]


@pytest.fixture
def pictures(tmp_path: Path) -> list[Path]:
    """Eleven pictures, the fourth of which cannot be read."""
    paths = [tmp_path / f"{number}.png" for number in range(11)]
    for number, path in enumerate(paths):
        Image.new("L", (40 + number, 20), number).save(path)
    paths[3].write_bytes(b"GIF89a")
    return paths


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_answers_come_in_order(pictures: list[Path], workers: int) -> None:
    grey = Grey()
    found = list(detect_each(grey, pictures, Reading(workers)))
    labels = [None if isinstance(each, PictureError) else each.labels[0] for each in found]
    assert labels == [None if number == 3 else f"grey {number}" for number in range(11)]
    assert "3.png: the picture is damaged" in str(found[3])
    assert grey.batches == [4, 4, 2] and grey.threads == [workers]


def test_the_first_picture_that_cannot_be_read_is_an_error(pictures: list[Path]) -> None:
    with pytest.raises(PictureError, match=r"3.png"):
        detect(Grey(), pictures)
    assert [each.labels for each in detect(Grey(), pictures[:2])] == [["grey 0"], ["grey 1"]]


def test_boxes_are_in_pixels_of_the_file(tmp_path: Path) -> None:
    Image.new("L", (400, 320)).save(tmp_path / "large.png")
    [found] = detect(Grey(), [tmp_path / "large.png"])
    assert found.boxes.tolist() == [[0, 0, 200, 320]]


def test_a_second_run_does_not_use_the_network(pictures: list[Path], tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first, second = Grey(), Grey()
    before = list(detect_each(first, pictures, Reading(2, PictureCache(cache))))
    after = list(detect_each(second, pictures, Reading(2, PictureCache(cache))))
    assert second.batches == [] and second.threads == []
    for one, other in zip(before, after, strict=True):
        if isinstance(one, PictureError):
            assert str(one) == str(other)
        else:
            assert isinstance(other, Detection)
            assert one.labels == other.labels and np.array_equal(one.boxes, other.boxes)
            assert np.array_equal(one.confidence, other.confidence)


def test_only_what_changed_is_looked_at_again(pictures: list[Path], tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "cache")
    list(detect_each(Grey(), pictures, Reading(1, cache)))
    Image.new("L", (40, 20), 200).save(pictures[5])
    pictures[0].replace(tmp_path / "renamed.png")  # the same bytes under another name
    grey = Grey()
    found = list(detect_each(grey, [tmp_path / "renamed.png", *pictures[1:]], Reading(1, cache)))
    assert grey.batches == [1]
    assert [each.labels for each in found if isinstance(each, Detection)][4] == ["grey 200"]


def test_other_weights_or_settings_look_again(pictures: list[Path], tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "cache")
    list(detect_each(Grey(), pictures[:3], Reading(1, cache)))
    other = Grey()
    other.fingerprint = "b" * 40
    list(detect_each(other, pictures[:3], Reading(1, cache)))
    assert other.batches == [3]


@pytest.mark.parametrize(
    "entry",
    [
        CacheEntry(),
        CacheEntry({"boxes": np.zeros((1, 4)), "confidence": np.ones(1)}, [3]),
        CacheEntry({"boxes": np.zeros((2, 4)), "confidence": np.ones(1)}, ["a"]),
        CacheEntry({"boxes": np.zeros((1, 4)), "confidence": np.array([7.0])}, ["a"]),
        CacheEntry({"boxes": np.zeros((1, 4)), "confidence": np.ones(1), "more": np.ones(1)}, ["a"]),
    ],
)
def test_an_entry_that_is_no_detection_is_made_anew(entry: CacheEntry, pictures: list[Path], tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "cache")
    cache.put(picture_hash(pictures[0].read_bytes()), Grey.fingerprint, entry)
    assert [each.labels for each in detect_each(Grey(), pictures[:1], Reading(1, cache))] == [["grey 0"]]  # type: ignore[union-attr]
    second = Grey()
    list(detect_each(second, pictures[:1], Reading(1, cache)))
    assert second.batches == []


def test_files_are_read_while_the_network_runs_and_not_far_ahead(tmp_path: Path) -> None:
    """The network waits until the next batch is decoded, which it could not if files were read only in between."""
    paths = [tmp_path / f"{number}.png" for number in range(60)]
    for path in paths:
        Image.new("L", (4, 4)).save(path)
    asked: list[int] = []
    enough = threading.Event()

    class Source(list[Path]):
        def __iter__(self):  # type: ignore[no-untyped-def]
            for number, path in enumerate(paths):
                asked.append(number)
                if number == 9:
                    enough.set()
                yield path

    class Waiting(Grey):
        ahead = 0

        def detect(self, pictures: Sequence[RGB]) -> list[Detection]:
            assert enough.wait(60)
            self.ahead = max(self.ahead, len(asked) - sum(self.batches) - len(pictures))
            return super().detect(pictures)

    waiting = Waiting()
    assert len(list(detect_each(waiting, Source(paths), Reading(2)))) == 60
    assert 0 < waiting.ahead <= 2 * Grey.batch + 2


def test_one_answer_for_each_picture(pictures: list[Path]) -> None:
    class Short(Grey):
        def detect(self, pictures: Sequence[RGB]) -> list[Detection]:
            return super().detect(pictures)[1:]

    with pytest.raises(InputError, match="detector grey 1: it gave 2 answers for 3 pictures"):
        detect(Short(), pictures[:3])


def test_a_reader_that_stops_leaves_no_thread(pictures: list[Path]) -> None:
    before = threading.active_count()
    found = detect_each(Grey(), pictures, Reading(3))
    next(found)
    found.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
