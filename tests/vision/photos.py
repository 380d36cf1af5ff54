"""Photos that packages on PyPI carry, and what a person sees in them. None of them is part of Vericap."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from vericap.vision.loading import RGB, decode, read_bytes

Box = tuple[int, int, int, int]


def load_picture(path: Path) -> RGB:
    return decode(read_bytes(path), str(path)).rgb


class Photo(NamedTuple):
    """`package` and `path` of a photo; the objects of COCO's 80 classes that stand out in it, each with a box (x1 y1 x2
    y2) as drawn by eye; and what else of the 80 classes may be named, as it is there too."""

    package: str
    path: str
    shows: dict[str, Box]
    also: frozenset[str] = frozenset()

    @property
    def file(self) -> Path:
        spec = find_spec(self.package)
        if spec is None or spec.origin is None:
            pytest.skip(f"{self.package} is not installed, which has photos: make setup")
        return Path(spec.origin).parent / self.path


# Written after looking at each picture: what stands out must be found, what is there may be.
PHOTOS = [
    # A woman in an orange space suit; behind her a flag and a model of the space shuttle on a table.
    Photo("skimage", "data/astronaut.png", {"person": (25, 12, 375, 512)}),
    # A man in a black coat on a lawn, behind a camera on a tripod. Grey values.
    Photo("skimage", "data/camera.png", {"person": (4, 62, 335, 512)}),
    # The face of a tabby cat fills the picture; behind it something pale, perhaps a bed.
    Photo("skimage", "data/chelsea.png", {"cat": (0, 0, 420, 300)}, frozenset({"bed"})),
    # An espresso in a red cup on a red saucer with a spoon, on a wooden table.
    Photo("skimage", "data/coffee.png", {"cup": (173, 18, 410, 309)}, frozenset({"spoon", "bowl", "dining table"})),
    # A red motorcycle in a garage, before a wooden bench, a bicycle's wheel and shelves with boxes and bottles.
    Photo("skimage", "data/motorcycle_left.png", {"motorcycle": (110, 50, 682, 450)}, frozenset({"bench", "bottle"})),
    # The same from a step to the right.
    Photo("skimage", "data/motorcycle_right.png", {"motorcycle": (75, 50, 640, 450)}, frozenset({"bench", "bottle"})),
    # A rocket on its launch pad in the evening: nothing of the 80 classes.
    Photo("skimage", "data/rocket.jpg", {}),
    # A portrait of a woman in a navy uniform with a cap, glasses and a tie.
    Photo(
        "matplotlib",
        "mpl-data/sample_data/grace_hopper.jpg",
        {"person": (5, 22, 512, 600), "tie": (212, 410, 300, 500)},
    ),
    # A Chinese tower above trees; far away a lake with boats of a few pixels.
    Photo("sklearn", "datasets/images/china.jpg", {}, frozenset({"boat"})),
    # The flower of a dahlia, orange, before dark leaves.
    Photo("sklearn", "datasets/images/flower.jpg", {}, frozenset({"potted plant"})),
]

# What the detector names at 0.5 or more that is not there.
MISTAKES = {"astronaut.png": {"bottle"}}  # the model of the space shuttle
