"""The inputs of the model, as tensors: words with their vectors, captions, regions, and batches of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vericap.arrays import Integers, Ragged, offsets_of
from vericap.corpus import Regions
from vericap.errors import InputError
from vericap.lexicon.vectors import Vectors, shipped
from vericap.metrics.faier.packed import ReferencePairs, Sequences, grouped
from vericap.metrics.faier.scenes import Caption

# Word vectors have length 1; scaled, their numbers are of the size that a network's first layer is set up for.
SCALE = 4.0


class Lexicon(NamedTuple):
    """Vectors [words, x] that word ids point to, and the row of each word's learned offset [words]."""

    vectors: Tensor
    learned: Tensor


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
    rows = torch.tensor([learned.get(word, 0) for word in words], dtype=torch.int64)
    return Lexicon(torch.from_numpy(vectors(words)), rows)


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
    """Captions: the distinct words in them (ids), their words as rows of these, and the words of all their triplets;
    `place` and `mask` [captions, most triplets] say which triplets each caption has."""

    distinct: Tensor
    words: Sequences
    triplets: Sequences
    place: Tensor
    mask: Tensor


class RegionBatch(NamedTuple):
    """features [regions, D] and boxes [regions, 4] or None of all images, one after the other; `place` and `mask`
    [images, most regions] say which each image has."""

    features: Tensor
    boxes: Tensor | None
    place: Tensor
    mask: Tensor


@dataclass(frozen=True)
class CaptionColumns:
    """Captions as columns of word ids; rows of `triplets` are triplets, rows of `of_caption` those of a caption."""

    words: Ragged
    triplets: Ragged
    of_caption: Ragged

    @classmethod
    def encode(cls, captions: Sequence[Caption], vocabulary: dict[str, int]) -> CaptionColumns:
        """Return captions with words as ids; a word that is new to the vocabulary is added to it."""

        def ids(words: Sequence[str]) -> list[int]:
            return [vocabulary.setdefault(word, len(vocabulary)) for word in words]

        words: list[list[int]] = []
        triplets: list[list[int]] = []
        owned: list[range] = []
        for caption in captions:
            words.append(ids(caption.words))
            owned.append(range(len(triplets), len(triplets) + len(caption.triplets)))
            triplets += [ids(" ".join(triplet).split()) for triplet in caption.triplets]
        return cls(Ragged.of(words), Ragged.of(triplets), Ragged.of(owned))

    def __len__(self) -> int:
        return len(self.words)

    def batch(self, rows: Integers) -> TextBatch:
        """Return a batch of these captions."""
        words, of_caption = self.words.take(rows), self.of_caption.take(rows)
        triplets = self.triplets.take(of_caption.values)
        distinct, place = np.unique(np.concatenate([words.values, triplets.values]), return_inverse=True)
        return TextBatch(
            torch.from_numpy(distinct),
            Sequences.pack(place[: len(words.values)], words.lengths),
            Sequences.pack(place[len(words.values) :], triplets.lengths),
            *grouped(of_caption.lengths),
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
    place, mask = grouped(counts)
    # Where the regions of the images go, and where they come from.
    filled = np.repeat(found > 0, counts)
    taken = (np.repeat(regions.offsets[rows] - first, counts) + np.arange(len(filled)))[filled]
    features = np.zeros((len(filled), regions.dimension), np.float32)
    features[filled] = regions.features[taken]
    if regions.boxes is None:
        return RegionBatch(torch.from_numpy(features), None, place, mask)
    boxes = np.zeros((len(filled), 4), np.float32)
    boxes[filled] = regions.boxes[taken]
    sizes = np.maximum.reduceat(boxes[:, 2:], first) if regions.sizes is None else regions.sizes[rows]
    boxes /= np.tile(np.maximum(np.repeat(sizes, counts, axis=0), 1e-6), 2)
    return RegionBatch(torch.from_numpy(features), torch.from_numpy(boxes), place, mask)


class Batch(NamedTuple):
    """Images, all captions that the batch needs once each, and which of them are candidates and references."""

    regions: RegionBatch | None  # None for a model that uses no image
    texts: TextBatch
    candidates: Tensor  # [candidates]: rows of texts
    references: ReferencePairs

    @classmethod
    def of(
        cls, captions: CaptionColumns, regions: RegionBatch | None, candidates: Integers, references: Ragged
    ) -> Batch:
        """From rows of `captions`: those of the candidates, and those of each image's references."""
        rows, place = np.unique(np.concatenate([candidates, references.values]), return_inverse=True)
        of_candidates, of_references = torch.from_numpy(place).split([len(candidates), len(references.values)])
        pairs = ReferencePairs.of(of_references, torch.from_numpy(references.lengths))
        return cls(regions, captions.batch(rows), of_candidates, pairs)
