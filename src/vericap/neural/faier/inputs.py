"""Captions and regions as tensors without padding, from columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vericap.corpus import Regions
from vericap.neural.faier.captions import Caption

Ids: TypeAlias = NDArray[np.int64]


class Lexicon(NamedTuple):
    """Vectors [words, x] that word ids point to, and the row of each word's learned offset [words]."""

    vectors: Tensor
    learned: Tensor


class Sequences(NamedTuple):
    """Sequences packed as `Recurrence` takes them.

    `items` are the packed items, `place` [sequences, longest] is where item k of sequence i stands (0 behind its end),
    `mask` [sequences, longest] where it has one, `turned` [items] where an item's mirror image in its sequence stands.
    """

    items: Tensor
    running: list[int]
    place: Tensor
    mask: Tensor
    turned: Tensor
    last: Tensor  # [sequences]: where the last item of each stands

    @classmethod
    def pack(cls, values: Ids, lengths: Ids) -> Sequences:
        """Sequences given one after the other, none of them empty.

        >>> packed = Sequences.pack(np.array([5, 6, 7, 8, 9]), np.array([2, 3]))
        >>> packed.items.tolist(), packed.running, packed.place.tolist()
        ([7, 5, 8, 6, 9], [2, 2, 1], [[1, 3, 0], [0, 2, 4]])
        """
        longest = int(lengths.max(initial=0))
        rank = np.empty(len(lengths), np.int64)
        rank[np.argsort(-lengths, kind="stable")] = np.arange(len(lengths))
        running = len(lengths) - np.cumsum(np.bincount(lengths, minlength=longest + 1))[:longest]
        mask = np.arange(longest) < lengths[:, None]
        place = np.where(mask, (np.cumsum(running) - running) + rank[:, None], 0)
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
class Column:
    """Rows of different lengths, one after the other: row i is values[offsets[i]:offsets[i + 1]]."""

    values: Ids
    offsets: Ids

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Column:
        """A column from rows.

        >>> Column.of([[5, 6], [], [7]]).offsets.tolist()
        [0, 2, 2, 3]
        """
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        return cls(np.fromiter((v for row in rows for v in row), np.int64, int(offsets[-1])), offsets)

    def take(self, rows: Ids) -> tuple[Ids, Ids]:
        """The values of these rows, one row after the other, and the rows' lengths.

        >>> [x.tolist() for x in Column.of([[5, 6], [], [7]]).take(np.array([2, 0]))]
        [[7, 5, 6], [1, 2]]
        """
        lengths = self.offsets[rows + 1] - self.offsets[rows]
        before = np.cumsum(lengths) - lengths
        return self.values[np.repeat(self.offsets[rows] - before, lengths) + np.arange(int(lengths.sum()))], lengths


@dataclass(frozen=True)
class Captions:
    """Captions as columns of word ids; rows of `triplets` are triplets, rows of `of_caption` those of a caption."""

    words: Column
    triplets: Column
    of_caption: Column

    @classmethod
    def encode(cls, captions: Sequence[Caption], vocabulary: dict[str, int]) -> Captions:
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
        return cls(Column.of(words), Column.of(triplets), Column.of(owned))

    def __len__(self) -> int:
        return len(self.words.offsets) - 1

    def batch(self, rows: Ids) -> TextBatch:
        """These captions."""
        words, lengths = self.words.take(rows)
        triplets, counts = self.of_caption.take(rows)
        triplet_words, triplet_lengths = self.triplets.take(triplets)
        distinct, place = np.unique(np.concatenate([words, triplet_words]), return_inverse=True)
        return TextBatch(
            torch.from_numpy(distinct),
            Sequences.pack(place[: len(words)], lengths),
            Sequences.pack(place[len(words) :], triplet_lengths),
            *grouped(counts),
        )


def grouped(counts: Ids) -> tuple[Tensor, Tensor]:
    """Where the members of each group stand when all stand one after the other, padded with 0, and the mask.

    >>> [x.tolist() for x in grouped(np.array([1, 0, 2]))]
    [[[0, 0], [0, 0], [1, 2]], [[True, False], [False, False], [True, True]]]
    """
    start = np.cumsum(counts) - counts
    width = max(1, int(counts.max(initial=0)))
    mask = np.arange(width) < counts[:, None]
    return torch.from_numpy(np.where(mask, start[:, None] + np.arange(width), 0)), torch.from_numpy(mask)


def region_batch(regions: Regions, rows: Ids, most: int) -> RegionBatch:
    """The regions of these images; an image keeps its first `most` regions.

    An image without any gets one region of zeros: a candidate has to be matched with something. Boxes are in parts of
    the image's width and height, so that equation 1 does not depend on the resolution; where the size is not known, of
    the part of the image that its boxes reach.
    """
    offsets, features, boxes = regions.offsets, regions.features, regions.boxes
    found = np.minimum(offsets[rows + 1] - offsets[rows], most)
    counts = np.maximum(found, 1)
    position = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    index, there = np.repeat(offsets[rows], counts) + position, np.repeat(found > 0, counts)
    taken = np.zeros((len(index), features.shape[1]), np.float32)
    taken[there] = features[index[there]]
    place, mask = grouped(counts)
    if boxes is None:
        return RegionBatch(torch.from_numpy(taken), None, place, mask)
    frames = np.zeros((len(index), 4), np.float32)
    frames[there] = boxes[index[there]]
    first = np.cumsum(counts) - counts
    sizes = np.maximum.reduceat(frames[:, 2:], first) if regions.sizes is None else regions.sizes[rows]
    frames /= np.tile(np.maximum(np.repeat(sizes, counts, axis=0), 1e-6), 2)
    return RegionBatch(torch.from_numpy(taken), torch.from_numpy(frames), place, mask)
