"""The inputs of the model: words with their vectors, captions, regions, and batches of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, Ragged, offsets_of
from vericap.corpus import Regions
from vericap.errors import InputError
from vericap.lexicon.vectors import Vectors, shipped
from vericap.metrics.faier.packed import Sequences
from vericap.metrics.faier.scenes import Caption, Triplet

# Word vectors have length 1; scaled, their numbers are of the size that a network's first layer is set up for.
SCALE = 4.0


class Lexicon(NamedTuple):
    """Vectors [words, x] that word ids point to, and the row of each word's learned offset [words]."""

    vectors: NDArray[np.float32]
    learned: Integers


@dataclass(frozen=True)
class WordVectors:
    """Vectors of words and of phrases (the mean over their words); zeros for those that have none."""

    table: Vectors

    @property
    def dimension(self) -> int:
        return self.table.dimensions

    @property
    def hash(self) -> str:
        return self.table.digest

    def __call__(self, phrases: Sequence[str]) -> NDArray[np.float32]:
        """Array [phrases, dimension]."""
        return (SCALE * self.table.of(phrases)[0]).astype(np.float32)


def lexicon(words: Sequence[str], learned: Mapping[str, int], vectors: WordVectors) -> Lexicon:
    """Return vectors of these words, and the row of the learned offset of each: 0 if it has none."""
    return Lexicon(vectors(words), np.array([learned.get(word, 0) for word in words], np.int64))


def shipped_vectors() -> WordVectors:
    """Return the vectors that ship."""
    return WordVectors(shipped())


def load_vectors(digest: str, source: str) -> WordVectors:
    """Return the vectors that ship, if they are those a checkpoint was trained with."""
    vectors = shipped_vectors()
    if vectors.hash != digest:
        problem = f"it was trained with the word vectors {digest}, and {vectors.hash} are here"
        raise InputError(problem, source=source, field="vectors", fix="train it again with `vericap train faier`")
    return vectors


class TextBatch(NamedTuple):
    """Captions: the distinct words in them (ids), their words as rows of these and the words of their distinct
    triplets, both onward and back; how many words each caption has, and which of the triplets."""

    distinct: Integers
    words: tuple[Sequences, Sequences]
    triplets: tuple[Sequences, Sequences]
    lengths: Integers
    of_caption: Ragged


class RegionBatch(NamedTuple):
    """features [regions, D] and boxes [regions, 4] or None of all images, one after the other, and how many regions
    each has."""

    features: NDArray[np.float32]
    boxes: NDArray[np.float32] | None
    counts: Integers


@dataclass(frozen=True)
class CaptionColumns:
    """Captions as columns of word ids; rows of `triplets` are distinct triplets, rows of `of_caption` those of a
    caption."""

    words: Ragged
    triplets: Ragged
    of_caption: Ragged

    @classmethod
    def encode(cls, captions: Sequence[Caption]) -> tuple[CaptionColumns, list[str]]:
        """Return captions with words as ids, and what the ids mean."""
        known: defaultdict[str, int] = defaultdict()
        known.default_factory = known.__len__
        rows: defaultdict[Triplet, int] = defaultdict()
        rows.default_factory = rows.__len__
        words = Ragged.of([[*map(known.__getitem__, caption.words)] for caption in captions])
        of_caption = Ragged.of([[*map(rows.__getitem__, caption.triplets)] for caption in captions])
        triplets = Ragged.of([[*map(known.__getitem__, " ".join(triplet).split())] for triplet in rows])
        return cls(words, triplets, of_caption), list(known)

    def __len__(self) -> int:
        return len(self.words)

    def batch(self, rows: Integers) -> TextBatch:
        """Return a batch of these captions."""
        words, of_caption = self.words.take(rows), self.of_caption.take(rows)
        distinct_triplets, triplet = np.unique(of_caption.values, return_inverse=True)
        triplets = self.triplets.take(distinct_triplets)
        distinct, place = np.unique(np.concatenate([words.values, triplets.values]), return_inverse=True)
        return TextBatch(
            distinct,
            Sequences.both_ways(Ragged(place[: len(words.values)], words.offsets)),
            Sequences.both_ways(Ragged(place[len(words.values) :], triplets.offsets)),
            words.lengths,
            Ragged(triplet, of_caption.offsets),
        )


def region_batch(regions: Regions, rows: Integers, most: int) -> RegionBatch:
    """Return the regions of these images; an image keeps its first `most` regions.

    An image without any gets one region of zeros: a candidate has to be matched with something. Boxes are in parts of
    the image's width and height, so that equation 1 does not depend on the resolution; where the size is not known, of
    the part of the image that its boxes reach.
    """
    found = np.minimum(regions.offsets[rows + 1] - regions.offsets[rows], most)
    counts = np.maximum(found, 1)
    first = offsets_of(counts)[:-1]
    # Where the regions of the images go, and where they come from.
    filled = np.repeat(found > 0, counts)
    taken = (np.repeat(regions.offsets[rows] - first, counts) + np.arange(len(filled)))[filled]
    features = np.zeros((len(filled), regions.dimension), np.float32)
    features[filled] = regions.features[taken]
    if regions.boxes is None:
        return RegionBatch(features, None, counts)
    boxes = np.zeros((len(filled), 4), np.float32)
    boxes[filled] = regions.boxes[taken]
    sizes = np.maximum.reduceat(boxes[:, 2:], first) if regions.sizes is None else regions.sizes[rows]
    boxes /= np.tile(np.maximum(np.repeat(sizes, counts, axis=0), 1e-6), 2)
    return RegionBatch(features, boxes, counts)


class Batch(NamedTuple):
    """The images and captions that a batch needs, once each, and which of them its scenes and candidates are."""

    regions: RegionBatch | None  # None for a model that uses no image
    images: Integers  # [scenes]: which of these images
    texts: TextBatch
    candidates: Integers  # [candidates]: rows of texts
    references: Ragged  # of each scene: rows of texts

    @classmethod
    def of(
        cls,
        captions: CaptionColumns,
        regions: RegionBatch | None,
        candidates: Integers,
        references: Ragged,
        images: Integers | None = None,
    ) -> Batch:
        """From rows of `captions`: those of the candidates, and those of each scene's references. Scene s shows image
        `images[s]`, by default image s."""
        rows, place = np.unique(np.concatenate([candidates, references.values]), return_inverse=True)
        of_references = Ragged(place[len(candidates) :], references.offsets)
        shown = np.arange(len(references)) if images is None else images
        return cls(regions, shown, captions.batch(rows), place[: len(candidates)], of_references)
