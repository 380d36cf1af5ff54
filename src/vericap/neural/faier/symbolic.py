"""Regions from object labels, without a detector: a label's word vector stands for what a network would see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.corpus import ImageId
from vericap.vision.regions import Regions

# Labels → vectors [labels, e], zeros where unknown; `words.WordVectors` is one.
Vectors: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]


def feature_size(words: int) -> int:
    """D of symbolic regions for word vectors of length e."""
    return 2 * words + 1


def label_regions(
    image_ids: Sequence[ImageId],
    labels: Sequence[Sequence[str]],
    vectors: Vectors,
    boxes: Sequence[NDArray[np.float32] | None] | None = None,
) -> Regions:
    """A region for each label of an image: u_i = [w_i; ½ Σ_j w_j; log n], where w_i is the vector of label i and n the
    number of the image's regions.

    A network's region vector shows what is around the region; the sum over the image's labels does it here (a sum and
    not a mean: that there is a fork besides nine other things still shows). Without boxes, a label that an image has
    several times is one region: label sets have no counts.

    >>> table = {"dog": [1.0, 0.0], "cat": [0.0, 1.0]}
    >>> def vectors(words): return np.array([table.get(word, [0, 0]) for word in words], np.float32)
    >>> label_regions([7], [["dog", "cat", "dog"]], vectors).features[:, :4].tolist()
    [[1.0, 0.0, 0.5, 0.5], [0.0, 1.0, 0.5, 0.5]]
    """
    kept = [list(dict.fromkeys(own)) if boxes is None else list(own) for own in labels]
    known = {label: row for row, label in enumerate(dict.fromkeys(label for own in kept for label in own))}
    table = vectors(list(known) or [""])
    size = table.shape[1]
    offsets = np.cumsum([0, *map(len, kept)], dtype=np.int64)
    features = np.zeros((int(offsets[-1]), feature_size(size)), np.float32)
    for start, own in zip(offsets, kept, strict=False):
        if own:
            rows = table[[known[label] for label in own]]
            block = features[start : start + len(own)]
            block[:, :size], block[:, size:-1], block[:, -1] = rows, rows.sum(axis=0) / 2, np.log(len(own))
    frames = None
    if boxes is not None:
        frames = np.concatenate([np.zeros((0, 4), np.float32), *(b for b in boxes if b is not None)])
    return Regions(image_ids, offsets, features, frames, [label for own in kept for label in own], source="labels")
