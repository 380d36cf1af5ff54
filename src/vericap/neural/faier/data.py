"""Training examples: images with their captions, split by image, and mini-batches drawn from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from vericap.neural.faier.graphs import References
from vericap.neural.faier.inputs import Captions, Column, Ids, RegionBatch, TextBatch, region_batch
from vericap.vision.regions import Regions

MOST_REFERENCES = 4


@dataclass(frozen=True, eq=False)
class Examples:
    """Images with regions (row i of `regions`; None for a model that sees none) and captions.

    `captions` row 0 is the empty reference "."; `of_image` row i are the captions of image i.
    """

    captions: Captions
    of_image: Column
    regions: Regions | None
    words: list[str]  # what the ids of the captions' words mean

    def __len__(self) -> int:
        return len(self.of_image.offsets) - 1

    def captions_of(self, image: int) -> Ids:
        """The rows of an image's captions."""
        start, end = self.of_image.offsets[image : image + 2]
        return self.of_image.values[start:end]

    def look(self, images: Ids, most: int) -> RegionBatch | None:
        """The regions of these images, padded."""
        if self.regions is None:
            return None
        return region_batch(self.regions, images, most)


class Batch(NamedTuple):
    """Images, all captions that the batch needs once each, and which of them are candidates and references."""

    regions: RegionBatch | None
    texts: TextBatch
    candidates: Tensor  # [images]: rows of texts
    references: References  # at least the empty one for each image


def make_batch(examples: Examples, images: Ids, candidates: Ids, references: list[Ids], most: int) -> Batch:
    """A batch of images with a candidate each and any number of references; none gives the empty reference."""
    filled = [rows if len(rows) else np.zeros(1, np.int64) for rows in references]
    counts = np.array([len(rows) for rows in filled], np.int64)
    rows, place = np.unique(np.concatenate([candidates, *filled]), return_inverse=True)
    return Batch(
        examples.look(images, most),
        examples.captions.batch(rows),
        torch.from_numpy(place[: len(images)]),
        References.of(torch.from_numpy(place[len(images) :]), torch.from_numpy(counts)),
    )


def draw(examples: Examples, images: Ids, turn: int, references: str, rng: np.random.Generator, most: int) -> Batch:
    """A training batch: in turn t an image's t-th caption is the candidate, and the references are drawn from the
    others: a fixed number, or with "r" none to four."""
    # The same number for the whole batch: images are compared on equal terms, as they are when the metric is used.
    number = int(rng.integers(MOST_REFERENCES + 1)) if references == "r" else int(references)
    candidates, drawn = np.empty(len(images), np.int64), []
    for i, image in enumerate(images):
        own = examples.captions_of(int(image))
        candidate = (turn + int(image)) % len(own)
        candidates[i] = own[candidate]
        drawn.append(rng.permutation(np.delete(own, candidate))[:number])
    return make_batch(examples, images, candidates, drawn, most)
