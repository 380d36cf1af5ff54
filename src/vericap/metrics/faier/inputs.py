"""Captions and regions as tensors without padding, from columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from vericap.arrays import Integers, Ragged, offsets_of
from vericap.corpus import Regions
from vericap.metrics.faier.triplets import Caption


class Lexicon(NamedTuple):
    """Vectors [words, x] that word ids point to, and the row of each word's learned offset [words]."""

    vectors: Tensor
    learned: Tensor


class Sequences(NamedTuple):
    """Sequences packed as `PackedGRU` takes them.

    `items` are the packed items. `place` [sequences, longest] is the place of item k of sequence i among them, 0 behind
    its end, and `mask` [sequences, longest] says whether there is one. `turned` [items] is the place of the item that
    an item changes with when its sequence is reversed.
    """

    items: Tensor
    running: list[int]
    place: Tensor
    mask: Tensor
    turned: Tensor
    last: Tensor  # [sequences]: the place of the last item of each

    @classmethod
    def pack(cls, values: Integers, lengths: Integers) -> Sequences:
        """Sequences given one after the other, none of them empty.

        >>> packed = Sequences.pack(np.array([5, 6, 7, 8, 9]), np.array([2, 3]))
        >>> packed.items.tolist(), packed.running, packed.place.tolist()
        ([7, 5, 8, 6, 9], [2, 2, 1], [[1, 3, 0], [0, 2, 4]])
        """
        longest = int(lengths.max(initial=0))
        rank = np.empty(len(lengths), np.int64)
        rank[np.argsort(-lengths, kind="stable")] = np.arange(len(lengths))
        mask = np.arange(longest) < lengths[:, None]
        running = mask.sum(axis=0)
        place = np.where(mask, offsets_of(running)[:-1] + rank[:, None], 0)
        mirrored = np.where(mask, lengths[:, None] - 1 - np.arange(longest), 0)
        items, turned = np.empty(len(values), np.int64), np.empty(len(values), np.int64)
        items[place[mask]] = values
        turned[place[mask]] = np.take_along_axis(place, mirrored, axis=1)[mask]
        last = place[np.arange(len(lengths)), lengths - 1]
        return cls(
            torch.from_numpy(items),
            running.tolist(),
            torch.from_numpy(place),
            torch.from_numpy(mask),
            torch.from_numpy(turned),
            torch.from_numpy(last),
        )


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
        """Captions with words as ids; a word that is new to the vocabulary is added to it."""

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
        """These captions."""
        words, of_caption = self.words.take(rows), self.of_caption.take(rows)
        triplets = self.triplets.take(of_caption.values)
        distinct, place = np.unique(np.concatenate([words.values, triplets.values]), return_inverse=True)
        return TextBatch(
            torch.from_numpy(distinct),
            Sequences.pack(place[: len(words.values)], words.lengths),
            Sequences.pack(place[len(words.values) :], triplets.lengths),
            *grouped(of_caption.lengths),
        )


def grouped(counts: Integers) -> tuple[Tensor, Tensor]:
    """The place of each member of each group where all are in one row, padded with 0, and the mask.

    >>> [x.tolist() for x in grouped(np.array([1, 0, 2]))]
    [[[0, 0], [0, 0], [1, 2]], [[True, False], [False, False], [True, True]]]
    """
    first = offsets_of(counts)[:-1]
    width = max(1, int(counts.max(initial=0)))
    mask = np.arange(width) < counts[:, None]
    return torch.from_numpy(np.where(mask, first[:, None] + np.arange(width), 0)), torch.from_numpy(mask)


def region_batch(regions: Regions, rows: Integers, most: int) -> RegionBatch:
    """The regions of these images; an image keeps its first `most` regions.

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
