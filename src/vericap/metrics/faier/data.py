"""Training examples: images with their captions, split by image, and mini-batches drawn from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vericap.arrays import Integers, Ragged
from vericap.corpus import Regions
from vericap.metrics.faier.batch import Batch
from vericap.metrics.faier.inputs import CaptionColumns, RegionBatch, region_batch
from vericap.metrics.faier.symbolic import without_classes

MOST_REFERENCES = 4
EMPTY_ROW = 0  # of the captions of examples: the empty reference "."


@dataclass(frozen=True, eq=False)
class Examples:
    """Images with regions (row i of `regions`; None for a model that uses none) and captions.

    Row 0 of `captions` is the empty reference "."; row i of `of_image` are the captions of image i.
    """

    captions: CaptionColumns
    of_image: Ragged
    regions: Regions | None
    words: list[str]  # what the ids of the captions' words mean

    def __len__(self) -> int:
        return len(self.of_image)

    def captions_of(self, image: int) -> Integers:
        """The rows of an image's captions."""
        return self.of_image[image]

    def region_batch(self, images: Integers, most: int) -> RegionBatch | None:
        """The regions of these images, at most this many of each."""
        if self.regions is None:
            return None
        return region_batch(self.regions, images, most)

    @cached_property
    def classes(self) -> Integers:
        """The class of each region's label, as a number [regions]; symbolic regions have labels."""
        labels = [] if self.regions is None or self.regions.labels is None else self.regions.labels
        return np.unique(labels, return_inverse=True)[1].astype(np.int64)

    def with_fewer_classes(
        self, images: Integers, most: int, share: float, rng: np.random.Generator
    ) -> RegionBatch | None:
        """As `region_batch`, but half the time only some classes of labels are known, a share of them between this and
        all: other people's annotations and detectors know fewer classes than those that a model is trained on."""
        if share == 1 or self.regions is None or rng.random() < 0.5:
            return self.region_batch(images, most)
        known = rng.random(int(self.classes.max()) + 1) < rng.uniform(share, 1)
        return region_batch(without_classes(self.regions, images, self.classes, known), np.arange(len(images)), most)


def make_batch(
    examples: Examples, regions: RegionBatch | None, candidates: Integers, references: Sequence[Integers]
) -> Batch:
    """A batch of images with a candidate each and any number of references; none gives the empty reference."""
    filled = Ragged.of([rows.tolist() or [EMPTY_ROW] for rows in references])
    return Batch.of(examples.captions, regions, candidates, filled)


def draw(
    examples: Examples,
    images: Integers,
    epoch: int,
    references: str,
    rng: np.random.Generator,
    most: int,
    share: float = 1.0,
) -> Batch:
    """A training batch: in epoch t an image's t-th caption is the candidate, and the references are drawn from the
    others: a fixed number, or with "r" none to four. For `share` see `Examples.with_fewer_classes`."""
    # The same number for the whole batch: images are compared on equal terms, as they are when the metric is used.
    number = int(rng.integers(MOST_REFERENCES + 1)) if references == "r" else int(references)
    candidates, drawn = np.empty(len(images), np.int64), []
    for i, image in enumerate(images):
        own = examples.captions_of(int(image))
        candidate = (epoch + int(image)) % len(own)
        candidates[i] = own[candidate]
        drawn.append(rng.permutation(np.delete(own, candidate))[:number])
    return make_batch(examples, examples.with_fewer_classes(images, most, share, rng), candidates, drawn)
