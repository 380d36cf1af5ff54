"""N-grams as integers: counts per caption, document frequencies, and which n-grams a candidate shares
with each of its references, all as array operations over the whole corpus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vericap.text.vocabulary import Ragged

Ints = NDArray[np.int64]


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
        return np.bincount(self.candidate, values, len(self.offsets) - 1)

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
    count: NDArray[np.int32]


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
    by_key = np.argsort(key)
    key = key[by_key]
    ids = np.cumsum(np.concatenate([[False], key[1:] != key[:-1]]), dtype=np.int32) if len(key) else key
    ngram = np.empty(len(key), np.int32)
    ngram[by_key] = ids
    return NGramStream(shorter.order + 1, start, ngram, int(ids[-1]) + 1 if len(ids) else 0)


def count_ngrams(
    stream: NGramStream,
    candidates: Ragged,
    references: Ragged,
    image: Ints,
    reference_offsets: Ints,
    pairs: Pairs,
) -> NGrams:
    """Counts, document frequencies and matches of one order.

    The token column holds the candidates' tokens, then the references'. One sort puts the references' n-grams
    in the order (image, n-gram, reference); counts are runs in it, document frequency counts the (image,
    n-gram) runs, and a candidate finds its matches by binary search.
    """
    distinct = max(stream.distinct, 1)
    caption = np.repeat(
        np.arange(len(candidates) + len(references), dtype=np.int32),
        np.maximum(np.concatenate([candidates.lengths, references.lengths]) - (stream.order - 1), 0),
    )
    split = int(np.searchsorted(stream.start, len(candidates.values)))

    key = caption[:split].astype(np.int64) * distinct + stream.ngram[:split]
    key.sort()
    key, count = _runs(key)
    candidate_counts = Counts(
        (key // distinct).astype(np.int32), (key % distinct).astype(np.int32), count.astype(np.int32)
    )

    images = len(reference_offsets) - 1
    per_image = np.diff(reference_offsets)
    most = int(per_image.max(initial=1))
    reference_image = np.repeat(np.arange(images), per_image)
    reference_rank = np.arange(len(references)) - reference_offsets[reference_image]
    reference = caption[split:] - len(candidates)
    key = (reference_image[reference] * distinct + stream.ngram[split:]) * most + reference_rank[reference]
    del reference, caption
    key.sort()
    key, count = _runs(key)
    image_ngram = key // most
    ngram = (image_ngram % distinct).astype(np.int32)
    caption_of_entry = (reference_offsets[image_ngram // distinct] + key % most).astype(np.int32)
    reference_counts = Counts(caption_of_entry, ngram, count.astype(np.int32))
    first = np.ones(len(key), bool)
    first[1:] = image_ngram[1:] != image_ngram[:-1]
    document_frequency = np.bincount(ngram[first], minlength=distinct).astype(np.int32)

    wanted = image[candidate_counts.caption] * distinct + candidate_counts.ngram
    low = np.searchsorted(image_ngram, wanted, "left")
    found = np.flatnonzero((low < len(image_ngram)) & (image_ngram.take(low, mode="clip") == wanted))
    low = low[found]
    high = np.searchsorted(image_ngram, wanted[found], "right")
    match_candidate = np.repeat(found, high - low)
    match_reference = np.arange(len(match_candidate)) + np.repeat(low - _starts(high - low), high - low)
    row = candidate_counts.caption[match_candidate]
    match_pair = pairs.offsets[row] + caption_of_entry[match_reference] - reference_offsets[image[row]]

    example = np.zeros(distinct, np.int32)
    example[stream.ngram] = stream.start
    return NGrams(
        stream.order,
        candidate_counts,
        reference_counts,
        document_frequency,
        example,
        match_candidate.astype(np.int32),
        match_reference.astype(np.int32),
        match_pair.astype(np.int32),
    )


def _runs(ordered: Ints) -> tuple[Ints, Ints]:
    """The distinct values of a sorted array and how often each stands in it."""
    is_first = np.ones(len(ordered), bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    first = np.flatnonzero(is_first)
    return ordered[first], np.diff(np.append(first, len(ordered)))


def _starts(lengths: Ints) -> Ints:
    return np.cumsum(lengths) - lengths
