"""Training examples: images with their captions, split by image, and mini-batches drawn from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from vericap.corpus import Regions
from vericap.neural.faier.graphs import References
from vericap.neural.faier.inputs import Captions, Column, Ids, RegionBatch, TextBatch, region_batch
from vericap.neural.faier.symbolic import without_classes

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

    @cached_property
    def classes(self) -> Ids:
        """The class of each region's label, as a number [regions]; symbolic regions have labels."""
        labels = [] if self.regions is None or self.regions.labels is None else self.regions.labels
        return np.unique(labels, return_inverse=True)[1].astype(np.int64)

    def glance(self, images: Ids, most: int, share: float, rng: np.random.Generator) -> RegionBatch | None:
        """As `look`, but half the time only some classes of labels are known, a share of them between this and all:
        other people's annotations and detectors know fewer classes than those that a model is trained on."""
        if share == 1 or self.regions is None or rng.random() < 0.5:
            return self.look(images, most)
        known = rng.random(int(self.classes.max()) + 1) < rng.uniform(share, 1)
        return region_batch(without_classes(self.regions, images, self.classes, known), np.arange(len(images)), most)


class Batch(NamedTuple):
    """Images, all captions that the batch needs once each, and which of them are candidates and references."""

    regions: RegionBatch | None
    texts: TextBatch
    candidates: Tensor  # [images]: rows of texts
    references: References  # at least the empty one for each image


def make_batch(examples: Examples, seen: RegionBatch | None, candidates: Ids, references: list[Ids]) -> Batch:
    """A batch of images with a candidate each and any number of references; none gives the empty reference."""
    filled = [rows if len(rows) else np.zeros(1, np.int64) for rows in references]
    counts = np.array([len(rows) for rows in filled], np.int64)
    rows, place = np.unique(np.concatenate([candidates, *filled]), return_inverse=True)
    return Batch(
        seen,
        examples.captions.batch(rows),
        torch.from_numpy(place[: len(candidates)]),
        References.of(torch.from_numpy(place[len(candidates) :]), torch.from_numpy(counts)),
    )


def draw(
    examples: Examples,
    images: Ids,
    turn: int,
    references: str,
    rng: np.random.Generator,
    most: int,
    share: float = 1.0,
) -> Batch:
    """A training batch: in turn t an image's t-th caption is the candidate, and the references are drawn from the
    others: a fixed number, or with "r" none to four. `share` of the label classes: see `Examples.glance`."""
    # The same number for the whole batch: images are compared on equal terms, as they are when the metric is used.
    number = int(rng.integers(MOST_REFERENCES + 1)) if references == "r" else int(references)
    candidates, drawn = np.empty(len(images), np.int64), []
    for i, image in enumerate(images):
        own = examples.captions_of(int(image))
        candidate = (turn + int(image)) % len(own)
        candidates[i] = own[candidate]
        drawn.append(rng.permutation(np.delete(own, candidate))[:number])
    return make_batch(examples, examples.glance(images, most, share, rng), candidates, drawn)
