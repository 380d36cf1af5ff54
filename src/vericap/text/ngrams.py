"""N-grams as integers: counts per caption, document frequencies, and which n-grams a candidate shares
with each of its references, all as array operations over the whole corpus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vericap.text.vocabulary import Ragged
from vericap.threads import in_threads

Ints = NDArray[np.int64]
BLOCK = 1 << 18  # n-grams sorted at once


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every (candidate, reference) pair of a corpus, grouped by candidate.

    `offsets[row]:offsets[row + 1]` are the pairs of a row; `reference` is the index of the reference caption.

    >>> pairs = Pairs.of(np.array([0, 1, 1]), np.array([0, 2, 3]))
    >>> pairs.candidate.tolist(), pairs.reference.tolist()
    ([0, 0, 1, 2], [0, 1, 2, 2])
    """

    candidate: Ints
    reference: Ints
    offsets: Ints

    @classmethod
    def of(cls, image: Ints, reference_offsets: Ints) -> Pairs:
        first, last = reference_offsets[image], reference_offsets[image + 1]
        offsets = np.concatenate([[0], np.cumsum(last - first)])
        candidate = np.repeat(np.arange(len(image)), last - first)
        return cls(candidate, np.arange(offsets[-1]) - offsets[candidate] + first[candidate], offsets)

    def __len__(self) -> int:
        return len(self.candidate)

    def sum_by_candidate(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over the references of each candidate."""
        return np.bincount(self.candidate, values, len(self.offsets) - 1).astype(np.float64, copy=False)

    def max_by_candidate(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Maximum over the references of each candidate; 0 where there is none."""
        return self._reduce(np.maximum, values)

    def min_by_candidate(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Minimum over the references of each candidate; 0 where there is none."""
        return self._reduce(np.minimum, values)

    def _reduce(self, ufunc: np.ufunc, values: NDArray[np.float64]) -> NDArray[np.float64]:
        # reduceat gives nonsense on empty segments: only candidates with references take part.
        result = np.zeros(len(self.offsets) - 1)
        some = np.flatnonzero(np.diff(self.offsets))
        if len(some):
            result[some] = ufunc.reduceat(values, self.offsets[some])
        return result


@dataclass(frozen=True, eq=False)
class Counts:
    """How often each n-gram stands in each caption: entry e says caption, n-gram id, count."""

    caption: NDArray[np.int32]
    ngram: NDArray[np.int32]
    count: NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class NGrams:
    """The n-grams of one order in a corpus.

    `match_*` list every n-gram that a candidate shares with one of its references: the entry in `candidates`,
    the entry in `references`, and the pair (see `Pairs`) they belong to. `document_frequency[g]` is the number
    of images whose references hold n-gram g. `example[g]` is where its words stand in the token column.
    """

    order: int
    candidates: Counts
    references: Counts
    document_frequency: NDArray[np.int32]
    example: NDArray[np.int32]
    match_candidate: NDArray[np.int32]
    match_reference: NDArray[np.int32]
    match_pair: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class NGramStream:
    """Where n-grams of one order start in the token column, and their ids; the next order grows from it."""

    order: int
    start: NDArray[np.int32]
    ngram: NDArray[np.int32]
    distinct: int


def unigram_stream(tokens: NDArray[np.int32], vocabulary_size: int) -> NGramStream:
    """Every token is a 1-gram whose id is the token's."""
    return NGramStream(1, np.arange(len(tokens), dtype=np.int32), tokens, vocabulary_size)


def longer_stream(
    shorter: NGramStream, tokens: NDArray[np.int32], end: NDArray[np.int32], vocabulary_size: int
) -> NGramStream:
    """The stream of order n + 1: an n-gram id and the next word make a new id.

    `end[position]` is where the caption of that token ends.

    >>> tokens = np.array([0, 1, 0, 1], np.int32)
    >>> bigrams = longer_stream(unigram_stream(tokens, 2), tokens, np.array([4, 4, 4, 4], np.int32), 2)
    >>> bigrams.ngram.tolist(), bigrams.distinct
    ([0, 1, 0], 2)
    """
    fits = shorter.start + shorter.order < end[shorter.start]
    start = shorter.start[fits]
    key = shorter.ngram[fits].astype(np.int64) * vocabulary_size + tokens[start + shorter.order]
    by_key, is_new = _sort_with_positions(key)
    ids = np.cumsum(is_new, dtype=np.int32)
    ids -= 1
    ngram = np.empty(len(key), np.int32)
    ngram[by_key] = ids
    return NGramStream(shorter.order + 1, start, ngram, int(ids[-1]) + 1 if len(ids) else 0)


def _sort_with_positions(key: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Where each value of the sorted array stood, and which begin a run of equal values.

    Sorting one integer that holds key and position is five times faster than argsort, where 63 bits suffice.

    >>> _sort_with_positions(np.array([7, 3, 7]))[0].tolist()
    [1, 0, 2]
    """
    bits = max(len(key) - 1, 1).bit_length()
    if int(key.max(initial=0)).bit_length() + bits < 63:
        packed = key << bits
        packed |= np.arange(len(key))
        packed.sort()
        position = packed & ((1 << bits) - 1)
        packed >>= bits
        ordered = packed
    else:
        position = np.argsort(key, kind="stable")
        ordered = key[position]
    is_new = np.ones(len(key), bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return position, is_new


def count_ngrams(
    stream: NGramStream,
    candidates: Ragged,
    references: Ragged,
    image: Ints,
    reference_offsets: Ints,
    pairs: Pairs,
    workers: int = 1,
) -> NGrams:
    """Counts, document frequencies and matches of one order.

    The token column holds the candidates' tokens, then the references'. Sorting puts the references' n-grams
    in the order (image, n-gram, reference); counts are runs in it, document frequency counts the (image,
    n-gram) runs, and a candidate finds its matches by binary search.
    """
    distinct = max(stream.distinct, 1)
    example = np.zeros(distinct, np.int32)
    example[stream.ngram] = stream.start
    split = int(np.searchsorted(stream.start, len(candidates.values)))
    candidate_counts = _count_candidates(stream.ngram[:split], candidates.lengths - (stream.order - 1), distinct)
    reference_counts, image_ngram = _count_references(
        stream.ngram[split:], references.lengths - (stream.order - 1), reference_offsets, distinct, workers
    )
    first = np.ones(len(image_ngram), bool)
    first[1:] = image_ngram[1:] != image_ngram[:-1]
    document_frequency = np.bincount(reference_counts.ngram[first], minlength=distinct).astype(np.int32)

    wanted = image[candidate_counts.caption] * distinct + candidate_counts.ngram
    low = np.searchsorted(image_ngram, wanted)
    found = np.flatnonzero((low < len(image_ngram)) & (image_ngram.take(low, mode="clip") == wanted))
    low = low[found]
    times = np.searchsorted(image_ngram, wanted[found], "right") - low
    match_candidate = np.repeat(found.astype(np.int32), times)
    match_reference = np.arange(len(match_candidate)) + np.repeat(low - _starts(times), times)
    row = candidate_counts.caption[match_candidate]
    match_pair = (
        pairs.offsets[row] + reference_counts.caption[match_reference] - reference_offsets[image[row]]
    )
    return NGrams(
        stream.order,
        candidate_counts,
        reference_counts,
        document_frequency,
        example,
        match_candidate,
        match_reference.astype(np.int32),
        match_pair.astype(np.int32),
    )


def _count_candidates(ngram: NDArray[np.int32], per_caption: Ints, distinct: int) -> Counts:
    """Counts in the order (caption, n-gram)."""
    caption = np.repeat(np.arange(len(per_caption)), np.maximum(per_caption, 0))
    key = caption * distinct + ngram
    key.sort()
    key, count = _runs(key)
    return Counts((key // distinct).astype(np.int32), (key % distinct).astype(np.int32), _narrow(count))


def _count_references(
    ngram: NDArray[np.int32], per_caption: Ints, reference_offsets: Ints, distinct: int, workers: int
) -> tuple[Counts, Ints]:
    """Counts in the order (image, n-gram, reference), and the number image × distinct + n-gram of each.

    Images are taken in blocks: they are independent, a block fits the cache, and workers share the blocks.
    """
    ends = np.concatenate([[0], np.cumsum(np.maximum(per_caption, 0))])
    most = int(np.diff(reference_offsets).max(initial=1))
    images = len(reference_offsets) - 1
    cuts = np.searchsorted(ends[reference_offsets], np.arange(0, max(ends[-1], 1), BLOCK))
    blocks = [*np.unique(np.minimum(cuts, images)).tolist(), images]

    def count_block(first: int, last: int) -> tuple[NDArray[np.integer], ...]:
        captions = slice(reference_offsets[first], reference_offsets[last])
        per_image = np.diff(reference_offsets[first : last + 1])
        image = np.repeat(np.arange(first, last), per_image)
        # (image × distinct) × most + the reference's number within its image, once for each caption
        base = image * (distinct * most) + (np.arange(captions.start, captions.stop) - reference_offsets[image])
        key: Ints = np.repeat(base, np.diff(ends[captions.start : captions.stop + 1]))
        key += ngram[ends[captions.start] : ends[captions.stop]] * np.int64(most)
        key.sort()
        key, count = _runs(key)
        image_ngram = key // most
        caption = reference_offsets[image_ngram // distinct] + key % most
        return caption.astype(np.int32), (image_ngram % distinct).astype(np.int32), _narrow(count), image_ngram

    parts = in_threads(count_block, blocks[:-1], blocks[1:], workers=workers)
    caption, ngram_of_entry, count, image_ngram = map(np.concatenate, zip(*parts, strict=True))
    return Counts(caption, ngram_of_entry, count), image_ngram


def _narrow(count: Ints) -> NDArray[np.integer]:
    """The same counts in the smallest type that holds them: nearly all are 1."""
    return count.astype(np.min_scalar_type(int(count.max(initial=0))))


def _runs(ordered: Ints) -> tuple[Ints, Ints]:
    """The distinct values of a sorted array and how often each stands in it."""
    is_first = np.ones(len(ordered), bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    first = np.flatnonzero(is_first)
    return ordered[first], np.diff(np.append(first, len(ordered)))


def _starts(lengths: Ints) -> Ints:
    return np.cumsum(lengths) - lengths
