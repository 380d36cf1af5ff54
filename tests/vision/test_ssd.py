"""The detector that ships finds in real photos what a person sees in them."""

from __future__ import annotations

import io
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.vision.photos import MISTAKES, PHOTOS, Box, Photo, load_picture
from vericap.errors import InputError
from vericap.lexicon.coco_objects import object_words
from vericap.vision.detection import Reading, detect
from vericap.vision.detectors import Detection, find_detector
from vericap.vision.loading import decode
from vericap.vision.ssd import LABELS, Ssd, distinct_boxes


@cache
def detector() -> Ssd:
    found = Ssd()
    found.load(1)
    return found


@cache
def found_in(photo: Path) -> Detection:
    [found] = detect(Ssd(), [photo])
    return found


def overlap(one: Box, other: Box) -> float:
    """Intersection over union."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(width, 0) * max(height, 0)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return shared / (sum(areas) - shared)


def test_there_are_enough_photos() -> None:
    assert len(PHOTOS) >= 8 and sum(bool(photo.shows) for photo in PHOTOS) >= 6


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.file.name)
def test_photos_show_what_people_see(photo: Photo) -> None:
    found = found_in(photo.file)
    sure = {label for label, confidence in zip(found.labels, found.confidence, strict=True) if confidence >= 0.5}
    assert photo.shows.keys() <= sure
    assert sure - photo.shows.keys() - photo.also == MISTAKES.get(photo.file.name, set())


@pytest.mark.parametrize("photo", [each for each in PHOTOS if each.shows], ids=lambda photo: photo.file.name)
def test_boxes_are_where_people_draw_them(photo: Photo) -> None:
    found = found_in(photo.file)
    for label, drawn in photo.shows.items():
        surest = list(found.labels).index(label)
        assert overlap(drawn, tuple(found.boxes[surest])) > 0.6, label


def test_labels_are_those_of_coco() -> None:
    """CHAIR knows the same 80 names."""
    assert len(set(LABELS)) == 80
    assert sorted(object_words().of_label(label) for label in LABELS) == list(range(80))


def test_what_is_found_does_not_depend_on_the_batch_or_on_threads() -> None:
    pictures = [load_picture(photo.file) for photo in PHOTOS[:3]]
    together = detector().detect(pictures)
    two = Ssd()
    two.load(2)
    for picture, one, other in zip(pictures, together, two.detect(pictures), strict=True):
        [alone] = detector().detect([picture])
        for found in (alone, other):
            assert found.labels == one.labels
            assert np.array_equal(found.boxes, one.boxes) and np.array_equal(found.confidence, one.confidence)


@pytest.mark.parametrize("photo", [each for each in PHOTOS if each.shows], ids=lambda photo: photo.file.name)
def test_a_large_jpeg_that_is_reduced_while_it_is_decoded_shows_the_same(photo: Photo) -> None:
    image = Image.open(photo.file).convert("RGB")
    file = io.BytesIO()
    image.resize((3 * image.width, 3 * image.height)).save(file, "JPEG", quality=92)
    whole, reduced = (decode(file.getvalue(), "x.jpg", edge=edge).rgb for edge in (None, 320))
    assert reduced.shape[0] <= whole.shape[0] / 2
    surest = []
    for found in detector().detect([whole, reduced]):
        first = {label: found.confidence[place] for place, label in reversed(list(enumerate(found.labels)))}
        surest.append({label: first[label] for label in photo.shows})
    for label in photo.shows:
        assert surest[0][label] == pytest.approx(surest[1][label], abs=0.05), label
        assert min(surest[0][label], surest[1][label]) >= 0.5, label


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 400, 3), (700, 2, 3), (320, 320, 3)])
def test_pictures_of_any_shape(shape: tuple[int, int, int]) -> None:
    [found] = detector().detect([np.full(shape, 200, np.uint8)])
    assert len(found.labels) == len(found.boxes) == len(found.confidence) <= 100
    assert (found.boxes >= 0).all() and (found.boxes <= [shape[1], shape[0]] * 2).all()


def test_boxes_that_overlap_are_one_object_if_of_one_class() -> None:
    boxes = np.array([[0, 0, 10, 10], [0, 0, 10, 7], [0, 0, 10, 5]], float)
    assert distinct_boxes(boxes, np.array([3, 3, 3])).tolist() == [0, 2]  # overlaps of 0.7 and 0.5
    assert distinct_boxes(boxes, np.array([3, 4, 3])).tolist() == [0, 1, 2]
    assert distinct_boxes(np.zeros((0, 4)), np.zeros(0, int)).tolist() == []


def test_the_threshold_is_an_option_and_not_part_of_the_cache() -> None:
    found = find_detector("ssd(threshold=0.3)")
    assert isinstance(found, Ssd) and found.threshold == 0.3
    assert found.fingerprint == Ssd().fingerprint and len(found.fingerprint) == 40
    with pytest.raises(InputError, match=r"threshold=1.5 is out of bounds for the detector ssd; use a number from 0.1"):
        find_detector("ssd(threshold=1.5)")
    with pytest.raises(InputError, match=r"ssd has no option 'size'; its options are threshold"):
        find_detector("ssd(size=3)")
    with pytest.raises(InputError, match=r"'high' is not a number"):
        find_detector("ssd(threshold=high)")


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_it_uses_as_many_threads_as_asked_for() -> None:
    """Counted by the system, in a process of its own."""
    code = """
import numpy as np, os
from vericap.vision.ssd import Ssd
import onnxruntime
def threads(): return len(os.listdir("/proc/self/task"))
ssd = Ssd()
before = threads()
ssd.load(1)
ssd.detect([np.zeros((9, 9, 3), np.uint8)])
print(threads() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"


@pytest.mark.parametrize("package", ["onnxruntime", "PIL"])
def test_without_the_extra_the_message_says_what_to_install(package: str) -> None:
    code = f"""
import sys
sys.modules[{package!r}] = None
from pathlib import Path
from vericap.errors import InputError
from vericap.vision.detection import detect
from vericap.vision.ssd import Ssd
try:
    detect(Ssd(), [Path({str(PHOTOS[2].file)!r})])
except InputError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("the extra `vision` is needed; install it with: pip install 'vericap[vision]'")


def test_reading_has_defaults() -> None:
    assert (Reading().threads, Reading(workers=3).threads, Reading().megapixels) == (1, 3, 80)
