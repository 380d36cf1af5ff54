"""Shared code of detectors around their networks: pictures brought to the size of an input, boxes brought back,
and of overlapping boxes the surest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.vision.loading import RGB

Array: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True)
class Placed:
    """The place of a picture in the input of a network: scaled by `across` and `down`, then moved by `left` and
    `top`."""

    across: float
    down: float
    left: float
    top: float
    width: int
    height: int

    def back(self, boxes: Array) -> Array:
        """Return boxes [n, 4] as x1 y1 x2 y2 in pixels of the input → the same in pixels of the picture, cut at its
        edges.

        >>> Placed(2.0, 2.0, 10.0, 0.0, 50, 40).back(np.array([[30, 20, 210, 60]], np.float32)).tolist()
        [[10.0, 10.0, 50.0, 30.0]]
        """
        moved = (boxes - np.array([self.left, self.top] * 2)) / np.array([self.across, self.down] * 2)
        edges = np.array([self.width, self.height] * 2)
        cut: Array = np.clip(moved, 0, edges).astype(np.float32)
        return cut


def letterbox(rgb: RGB, height: int, width: int, grey: int = 114) -> tuple[RGB, Placed]:
    """Return the picture in the middle of an input of this size, its proportions kept, with grey bars around it;
    rounding is that of ultralytics' LetterBox, so that its exported models see what they were trained on.

    >>> boxed, placed = letterbox(np.zeros((10, 20, 3), np.uint8), 40, 40)
    >>> boxed.shape, placed.top, boxed[::10, 20, 0].tolist()
    ((40, 40, 3), 10, [114, 0, 0, 114])
    """
    tall, wide = rgb.shape[:2]
    scale = min(height / tall, width / wide)
    inner_wide, inner_tall = max(1, round(wide * scale)), max(1, round(tall * scale))
    top, left = round((height - inner_tall) / 2 - 0.1), round((width - inner_wide) / 2 - 0.1)
    boxed = np.full((height, width, 3), grey, np.uint8)
    boxed[top : top + inner_tall, left : left + inner_wide] = resize(rgb, inner_tall, inner_wide)
    return boxed, Placed(scale, scale, left, top, wide, tall)


def stretch(rgb: RGB, height: int, width: int) -> tuple[RGB, Placed]:
    """Return the picture stretched to this size."""
    tall, wide = rgb.shape[:2]
    return resize(rgb, height, width), Placed(width / wide, height / tall, 0, 0, wide, tall)


def resize(rgb: RGB, height: int, width: int) -> RGB:
    """Bilinear interpolation between the four nearest pixels, as OpenCV's INTER_LINEAR does it.

    >>> resize(np.array([[[0], [100]]], np.uint8), 1, 4)[0, :, 0].tolist()
    [0, 25, 75, 100]
    """
    if rgb.shape[:2] == (height, width):
        return rgb
    rows, low, share = _neighbours(rgb.shape[0], height)
    across = rgb[rows] * (1 - share)[:, None, None] + rgb[low] * share[:, None, None]
    columns, right, share = _neighbours(rgb.shape[1], width)
    mixed = across[:, columns] * (1 - share)[:, None] + across[:, right] * share[:, None]
    smooth: RGB = np.floor(mixed + 0.5).astype(np.uint8)
    return smooth


def _neighbours(size: int, wanted: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """For each new pixel the two old ones around its centre, and the share of the second."""
    centre = np.clip((np.arange(wanted) + 0.5) * size / wanted - 0.5, 0, size - 1)
    first = np.floor(centre).astype(np.int64)
    return first, np.minimum(first + 1, size - 1), (centre - first).astype(np.float32)


def corners(boxes: Array) -> Array:
    """Centre, width and height → x1 y1 x2 y2.

    >>> corners(np.array([[5, 5, 4, 2]], np.float32)).tolist()
    [[3.0, 4.0, 7.0, 6.0]]
    """
    half = boxes[:, 2:] / 2
    found: Array = np.concatenate([boxes[:, :2] - half, boxes[:, :2] + half], axis=1)
    return found


def suppress(boxes: Array, confidence: Array, classes: NDArray[np.integer], overlap: float) -> NDArray[np.int64]:
    """Return rows that stay, the surest first: one that overlaps a surer one of its class by more than `overlap`,
    intersection over union, goes.

    >>> boxes = np.array([[0, 0, 10, 10], [1, 0, 11, 10], [0, 0, 10, 10]], np.float32)
    >>> suppress(boxes, np.array([0.6, 0.9, 0.5], np.float32), np.array([1, 1, 2]), 0.5).tolist()
    [1, 2]
    """
    left = np.argsort(-confidence, kind="stable")
    area = np.prod(np.maximum(boxes[:, 2:] - boxes[:, :2], 0), axis=1)
    kept: list[int] = []
    while len(left):
        best, left = int(left[0]), left[1:]
        kept.append(best)
        low = np.maximum(boxes[best, :2], boxes[left, :2])
        high = np.minimum(boxes[best, 2:], boxes[left, 2:])
        shared = np.prod(np.maximum(high - low, 0), axis=1)
        union = area[best] + area[left] - shared
        far = shared <= overlap * np.maximum(union, 1e-9)
        left = left[far | (classes[left] != classes[best])]
    return np.array(kept, np.int64)
