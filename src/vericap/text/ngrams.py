"""N-grams as integers: counts per caption, document frequencies, and which n-grams a candidate shares
with each of its references, all as array operations over the whole corpus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vericap.text.vocabulary import Ragged, Tokens
from vericap.threads import in_threads

Ints = NDArray[np.int64]
BLOCK = 1 << 16  # n-grams sorted at once


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
class ReferenceCounts:
    """Counts in reference captions, in the order (image, n-gram, reference).

    There are millions: the caption of an entry is kept as its place among the references of its image.
    """

    place: NDArray[np.integer]
    ngram: NDArray[np.int32]
    count: NDArray[np.integer]
    per_image: NDArray[np.int32]
    first_reference: Ints

    @property
    def caption(self) -> NDArray[np.int32]:
        caption = np.repeat(self.first_reference.astype(np.int32), self.per_image)
        caption += self.place
        return caption


@dataclass(frozen=True, eq=False)
class NGrams:
    """The n-grams of one order in a corpus.

    `match_*` list every n-gram that a candidate shares with one of its references: the entry in `candidates`,
    the entry in `references`, and the pair (see `Pairs`) they belong to. `document_frequency[g]` is the number
    of images whose references hold n-gram g. `example[g]` is where its words stand in the token column.
    """

    order: int
    candidates: Counts
    references: ReferenceCounts
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


def longer_stream(shorter: NGramStream, captions: Ragged, vocabulary_size: int) -> NGramStream:
    """The stream of order n + 1: an n-gram id and the next word make a new id.

    >>> captions = Ragged(np.array([0, 1, 0, 1], np.int32), np.array([0, 4]))
    >>> bigrams = longer_stream(unigram_stream(captions.values, 2), captions, 2)
    >>> bigrams.ngram.tolist(), bigrams.distinct
    ([0, 1, 0], 2)
    """
    tokens = captions.values
    # The last n-gram of each caption that has one does not grow.
    count = np.maximum(captions.lengths - (shorter.order - 1), 0)
    fits = np.ones(len(shorter.start), bool)
    fits[np.cumsum(count)[count > 0] - 1] = False
    start = shorter.start[fits]
    key = shorter.ngram[fits].astype(np.int64)
    key *= vocabulary_size
    key += tokens[start + np.int32(shorter.order)]
    by_key, is_new = _sort_with_positions(key)
    del key
    ids = np.cumsum(is_new, dtype=np.int32)
    ids -= 1
    ngram = np.empty(len(start), np.int32)
    ngram[by_key] = ids
    return NGramStream(shorter.order + 1, start, ngram, int(ids[-1]) + 1 if len(ids) else 0)


def _sort_with_positions(key: Ints) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Where each value of the sorted array stood, and which begin a run of equal values. `key` is overwritten.

    Sorting one integer that holds key and position is five times faster than argsort, where 63 bits suffice.

    >>> _sort_with_positions(np.array([7, 3, 7]))[0].tolist()
    [1, 0, 2]
    """
    bits = max(len(key) - 1, 1).bit_length()
    if int(key.max(initial=0)).bit_length() + bits < 63:
        key <<= bits
        key |= np.arange(len(key))
        key.sort()
        position = np.empty(len(key), np.int32)
        np.bitwise_and(key, (1 << bits) - 1, out=position, casting="unsafe")
        key >>= bits
    else:
        position = np.argsort(key, kind="stable").astype(np.int32)
        key = key[position]
    return position, _is_first(key)


def count_ngrams(
    stream: NGramStream,
    words: Tokens,
    image: Ints,
    reference_offsets: Ints,
    pairs: Pairs,
    workers: int = 1,
) -> NGrams:
    """Counts, document frequencies and matches of one order.

    Images are taken in blocks: they are independent, a block fits the cache, and workers share the blocks. In a
    block, sorting puts the references' n-grams in the order (image, n-gram, reference); counts are runs in it,
    document frequency counts the (image, n-gram) runs, and a candidate finds its matches by binary search.
    """
    distinct = max(stream.distinct, 1)
    images = len(reference_offsets) - 1
    rows = np.argsort(image, kind="stable")
    row_cut = np.searchsorted(image[rows], np.arange(images + 1))
    # where the n-grams of each caption stand in the stream: candidates first, then references
    ends = _ends(np.maximum(words.captions.lengths - (stream.order - 1), 0))
    reference_ends = ends[len(words.candidates) :]
    cuts = np.searchsorted(
        reference_ends[reference_offsets], np.arange(reference_ends[0], reference_ends[-1] + 1, BLOCK)
    )
    blocks = [*np.unique(np.minimum(cuts, images)).tolist(), images]
    most = int(np.diff(reference_offsets).max(initial=1))

    def count_block(first: int, last: int) -> tuple[NDArray[np.integer], ...]:
        caption = np.arange(reference_offsets[first], reference_offsets[last])
        of_image = np.repeat(np.arange(first, last), np.diff(reference_offsets[first : last + 1]))
        # Image and n-gram of each reference entry as one number, and the reference's place within its image.
        base = (of_image - first) * (distinct * most) + (caption - reference_offsets[of_image])
        inside = slice(caption[0], caption[-1] + 2) if len(caption) else slice(0, 1)
        key: Ints = np.repeat(base, np.diff(reference_ends[inside]))
        key += stream.ngram[reference_ends[inside.start] : reference_ends[inside.stop - 1]] * np.int64(most)
        key.sort()
        key, count = _runs(key)
        image_ngram = key // most
        ngram = (image_ngram % distinct).astype(np.int32)
        place = key % most
        per_image = np.bincount(image_ngram // distinct, minlength=last - first)
        in_document = ngram[_is_first(image_ngram)]

        row = rows[row_cut[first] : row_cut[last]]
        length = ends[row + 1] - ends[row]
        position = np.arange(length.sum()) + np.repeat(ends[row] - _starts(length), length)
        key = np.repeat(np.arange(len(row)), length) * distinct + stream.ngram[position]
        key.sort()
        key, candidate_count = _runs(key)
        candidate, candidate_ngram = row[key // distinct], (key % distinct).astype(np.int32)

        wanted = (image[candidate] - first) * distinct + candidate_ngram
        low = np.searchsorted(image_ngram, wanted)
        found = np.flatnonzero(image_ngram.take(low, mode="clip") == wanted) if len(image_ngram) else low[:0]
        low = low[found]
        times = np.searchsorted(image_ngram, wanted[found], "right") - low
        match_candidate = np.repeat(found, times)
        match_reference = np.arange(len(match_candidate)) + np.repeat(low - _starts(times), times)
        matching_row = candidate[match_candidate]
        match_pair = pairs.offsets[matching_row] + place[match_reference]
        return (
            *(candidate.astype(np.int32), candidate_ngram, _narrow(candidate_count)),
            *(_narrow(place), ngram, _narrow(count), per_image.astype(np.int32)),
            *(match_candidate.astype(np.int32), match_reference.astype(np.int32), match_pair.astype(np.int32)),
            in_document,
        )

    parts = list(zip(*in_threads(count_block, blocks[:-1], blocks[1:], workers=workers), strict=True))
    # Matches name entries of their block; behind the other blocks they stand later.
    for entries, matches in ((0, 7), (3, 8)):
        for start, match in zip(_starts(np.array([len(part) for part in parts[entries]])), parts[matches], strict=True):
            match += start.astype(np.int32)
    document_frequency = np.zeros(distinct, np.int32)
    for in_document in parts.pop():
        document_frequency += np.bincount(in_document, minlength=distinct).astype(np.int32)
    columns = [np.concatenate(parts.pop(0)) for _ in range(len(parts))]
    example = np.zeros(distinct, np.int32)
    example[stream.ngram] = stream.start
    references = ReferenceCounts(columns[3], columns[4], columns[5], columns[6], reference_offsets[:-1])
    return NGrams(stream.order, Counts(*columns[:3]), references, document_frequency, example, *columns[7:])


def _narrow(count: Ints) -> NDArray[np.integer]:
    """The same counts in the smallest type that holds them: nearly all are 1."""
    return count.astype(np.min_scalar_type(int(count.max(initial=0))))


def _runs(ordered: Ints) -> tuple[Ints, Ints]:
    """The distinct values of a sorted array and how often each stands in it."""
    first = np.flatnonzero(_is_first(ordered))
    return ordered[first], np.diff(np.append(first, len(ordered)))


def _is_first(ordered: Ints) -> NDArray[np.bool_]:
    """Which values differ from the one before."""
    first = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


def _starts(lengths: Ints) -> Ints:
    return np.cumsum(lengths) - lengths


def _ends(lengths: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(lengths)])
