"""The detector that ships: SSD (Liu et al. 2016) with MobileNetV3-Large (Howard et al. 2019), trained on COCO's 80
classes, run by onnxruntime. `tools/make_detector.py` makes its weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers
from vericap.options.declared import Between
from vericap.readers.objects.labels import COCO_CATEGORIES
from vericap.vision.cache import settings_hash
from vericap.vision.detectors import Detection
from vericap.vision.loading import RGB

WEIGHTS = Path(__file__).parents[1] / "data" / "detector" / "ssd_mobilenet_v3_large.onnx"
SIZE = 320  # pixels of the square that the network looks at
LEAST = 0.1  # what is less sure is not kept, whatever threshold is asked for
OVERLAP = 0.6  # of two boxes of a class that overlap by more, the less sure is dropped
MOST = 100  # objects in a picture, as COCO's evaluation counts them
# COCO numbers 80 classes from 1 to 90; the network has those that were never annotated too.
CLASSES = np.array(sorted(COCO_CATEGORIES)) - 1
LABELS = [COCO_CATEGORIES[number + 1] for number in CLASSES.tolist()]


@dataclass
class Ssd:
    """SSD-MobileNetV3-Large. `threshold` is the least confidence of an object, in the place of --confidence.

    A picture is seen as a square of 320 pixels, in which the smallest anchor has 32: small things are missed.
    """

    threshold: Annotated[float, Between(LEAST, 1)] | None = None

    batch: ClassVar[int] = 4
    edge: ClassVar[int] = SIZE

    @property
    def name(self) -> str:
        return f"ssd-mobilenet-v3-large {weights_hash()[:12]}"

    @property
    def fingerprint(self) -> str:
        # The threshold is applied to what is in the cache: another one finds it there.
        return settings_hash(weights_hash(), f"size={SIZE} least={LEAST} overlap={OVERLAP} most={MOST}")

    def load(self, threads: int) -> None:
        """Start the network with this many threads."""
        from vericap.vision.adapters.onnx_files import open_onnx

        self._session = open_onnx(str(WEIGHTS), threads).session

    def detect(self, pictures: Sequence[RGB]) -> list[Detection]:
        """Return the objects of each picture, the surest first."""
        seen = np.stack([squared(picture) for picture in pictures])
        boxes, scores = self._session.run(["boxes", "scores"], {"pictures": seen})
        return [
            _detection(one, sure, picture.shape[1], picture.shape[0])
            for one, sure, picture in zip(boxes, scores, pictures, strict=True)
        ]


@cache
def weights_hash() -> str:
    """Return the hash of the weights that ship."""
    return settings_hash(WEIGHTS)


def squared(picture: RGB) -> RGB:
    """Return the picture as the network sees it: 320 × 320 pixels, each the mean of those that it covers.

    >>> squared(np.full((480, 640, 3), 7, np.uint8)).shape
    (320, 320, 3)
    """
    from PIL import Image

    return np.asarray(Image.fromarray(picture).resize((SIZE, SIZE), Image.Resampling.BILINEAR))


def _detection(boxes: NDArray[np.float32], scores: NDArray[np.float32], width: int, height: int) -> Detection:
    """Objects from what the network says of each anchor: boxes [anchors, 4] from 0 to 1, scores [anchors, classes]."""
    scores = scores[:, CLASSES]
    anchors, classes = np.nonzero(scores >= LEAST)
    sure = scores[anchors, classes].astype(float)
    corners = np.clip(boxes[anchors], 0, 1).astype(float)
    order = np.lexsort((anchors, classes, -sure))
    kept = order[distinct_boxes(corners[order], classes[order])]
    labels = [LABELS[number] for number in classes[kept].tolist()]
    return Detection(labels, corners[kept] * [width, height, width, height], sure[kept].round(4))


def distinct_boxes(
    boxes: NDArray[np.floating], classes: NDArray[np.integer], overlap: float = OVERLAP, most: int = MOST
) -> Integers:
    """Return the places of the first `most` boxes that no earlier box of their class overlaps by more, as intersection
    over union.

    >>> boxes = np.array([[0, 0, 4, 4], [0, 0, 4, 3], [0, 0, 4, 3], [0, 2, 4, 6]], float)
    >>> distinct_boxes(boxes, np.array([1, 1, 2, 1])).tolist()
    [0, 2, 3]
    """
    area = np.prod(np.maximum(boxes[:, 2:] - boxes[:, :2], 0), axis=1)
    left, kept = np.arange(len(boxes)), list[int]()
    while len(left) and len(kept) < most:
        first, rest = left[0], left[1:]
        kept.append(int(first))
        low = np.maximum(boxes[first, :2], boxes[rest, :2])
        high = np.minimum(boxes[first, 2:], boxes[rest, 2:])
        shared = np.prod(np.maximum(high - low, 0), axis=1)
        union = area[first] + area[rest] - shared
        left = rest[(classes[rest] != classes[first]) | (shared <= overlap * union)]
    return np.array(kept, np.int64)
