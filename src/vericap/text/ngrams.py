"""N-grams as integers: counts per caption, document frequencies, and which n-grams a candidate shares
with each of its references, all as array operations over the whole corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged
from vericap.engine.local import in_threads
from vericap.text.vocabulary import Tokens

Ints = NDArray[np.int64]
# from positions of examples and the order: number of documents, and document frequency of each n-gram
LookUp: TypeAlias = Callable[[NDArray[np.int32], int], tuple[int, NDArray[np.int32]]]
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
class NGrams:
    """The n-grams of one order in a corpus, and their tf-idf weights.

    `match_*` list every n-gram that a candidate shares with one of its references: the entry in `candidates`, the
    pair (see `Pairs`) it belongs to, and its count in the reference. `document_frequency[g]` is the number of
    documents, out of `documents`, that hold n-gram g. `norm` and `reference_norm` are the lengths of the tf-idf
    vectors of candidates and references. `example[g]` is where the words of g stand in the token column.
    """

    order: int
    candidates: Counts
    match_candidate: NDArray[np.int32]
    match_pair: NDArray[np.int32]
    match_count: NDArray[np.integer]
    documents: int
    document_frequency: NDArray[np.int32]
    norm: NDArray[np.float64]
    reference_norm: NDArray[np.float64]
    example: NDArray[np.int32]

    def inverse_document_frequency(self, ngram: NDArray[np.integer]) -> NDArray[np.float64]:
        """idf of n-grams by id."""
        return inverse_document_frequency(self.documents, self.document_frequency[ngram])

    def take(self, rows: Ints, references: Ints, pairs: Pairs, own_pairs: Pairs) -> NGrams:
        """The n-grams of some candidates and references, in ascending order, with the frequencies of the whole corpus.

        `pairs` are those of the whole corpus, `own_pairs` those of the rows taken.
        """
        place = np.full(len(pairs.offsets) - 1, -1, np.int64)
        place[rows] = np.arange(len(rows))
        entries = np.flatnonzero(place[self.candidates.caption] >= 0)
        caption = place[self.candidates.caption[entries]].astype(np.int32)
        counts = Counts(caption, self.candidates.ngram[entries], self.candidates.count[entries])
        new_entry = np.full(len(self.candidates.caption), -1, np.int64)
        new_entry[entries] = np.arange(len(entries))
        matches = np.flatnonzero(new_entry[self.match_candidate] >= 0)
        entry, pair = self.match_candidate[matches], self.match_pair[matches]
        row = self.candidates.caption[entry]
        return replace(
            self,
            candidates=counts,
            match_candidate=new_entry[entry].astype(np.int32),
            match_pair=(pair - pairs.offsets[row] + own_pairs.offsets[place[row]]).astype(np.int32),
            match_count=self.match_count[matches],
            norm=self.norm[rows],
            reference_norm=self.reference_norm[references],
        )


def inverse_document_frequency(documents: int, frequency: NDArray[np.integer]) -> NDArray[np.float64]:
    """log N − log max(1, df): a word of every document weighs nothing, one of none as much as one of one.

    >>> inverse_document_frequency(8, np.array([8, 1, 0])).round(4).tolist()
    [0.0, 2.0794, 2.0794]
    """
    idf: NDArray[np.float64] = np.log(max(documents, 1.0)) - np.log(np.maximum(1.0, frequency))
    return idf


@dataclass(frozen=True, eq=False)
class NGramStream:
    """The ids of all n-grams of one order, caption after caption; the next order grows from it."""

    order: int
    ngram: NDArray[np.int32]
    distinct: int


def unigram_stream(tokens: NDArray[np.int32], vocabulary_size: int) -> NGramStream:
    """Every token is a 1-gram whose id is the token's."""
    return NGramStream(1, tokens, vocabulary_size)


def starts_in_column(captions: Ragged, order: int) -> NDArray[np.int32]:
    """Where each n-gram of a stream starts in the token column: anywhere but at the last words of a caption.

    >>> starts_in_column(Ragged(np.array([7, 8, 9, 7], np.int32), np.array([0, 3, 4])), 2).tolist()
    [0, 1]
    """
    starts = np.ones(len(captions.values), bool)
    ends, lengths = captions.offsets[1:], captions.lengths
    for last in range(1, order):
        starts[ends[lengths >= last] - last] = False
    return np.flatnonzero(starts).astype(np.int32)


def longer_stream(shorter: NGramStream, captions: Ragged, vocabulary_size: int) -> NGramStream:
    """The stream of order n + 1: an n-gram id and the next word make a new id.

    >>> captions = Ragged(np.array([0, 1, 0, 1], np.int32), np.array([0, 4]))
    >>> bigrams = longer_stream(unigram_stream(captions.values, 2), captions, 2)
    >>> bigrams.ngram.tolist(), bigrams.distinct
    ([0, 1, 0], 2)
    """
    # The last n-gram of each caption that has one does not grow.
    count = np.maximum(captions.lengths - (shorter.order - 1), 0)
    grows = np.ones(len(shorter.ngram), bool)
    grows[np.cumsum(count)[count > 0] - 1] = False
    key = shorter.ngram[grows].astype(np.int64)
    key *= vocabulary_size
    key += captions.values[starts_in_column(captions, shorter.order + 1) + np.int32(shorter.order)]
    by_key, is_new = _sort_with_positions(key)
    del key
    ids = np.cumsum(is_new, dtype=np.int32)
    ids -= 1
    ngram = np.empty(len(ids), np.int32)
    ngram[by_key] = ids
    return NGramStream(shorter.order + 1, ngram, int(ids[-1]) + 1 if len(ids) else 0)


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
    look_up: LookUp | None = None,
    workers: int = 1,
) -> NGrams:
    """Counts, document frequencies, matches and tf-idf norms of one order.

    `look_up` gives documents and document frequencies from elsewhere; without it they are those of the references.

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
        per_image = np.bincount(image_ngram // distinct, minlength=last - first)
        reference_of_image = np.repeat(reference_offsets[first:last], per_image)
        return (
            *(candidate.astype(np.int32), candidate_ngram, _narrow(candidate_count)),
            *(match_candidate.astype(np.int32), match_pair.astype(np.int32), _narrow(count[match_reference])),
            *((reference_of_image + place).astype(np.int32), ngram, _narrow(count), in_document),
        )

    parts = list(zip(*in_threads(count_block, blocks[:-1], blocks[1:], workers=workers), strict=True))
    in_document, *reference_parts = (parts.pop() for _ in range(4))
    # Matches name entries of their block; behind the other blocks they stand later.
    for start, match in zip(_starts(np.array([len(part) for part in parts[0]])), parts[3], strict=True):
        match += start.astype(np.int32)
    candidate, candidate_ngram, candidate_count, match_candidate, match_pair, match_count = map(np.concatenate, parts)
    example = np.zeros(distinct, np.int32)
    example[stream.ngram] = starts_in_column(words.captions, stream.order)
    if look_up is None:
        documents, document_frequency = images, np.zeros(distinct, np.int32)
        for part in in_document:
            document_frequency += np.bincount(part, minlength=distinct).astype(np.int32)
    else:
        documents, document_frequency = look_up(example, stream.order)

    def norms(captions: int, entries: Iterable[tuple[NDArray[np.integer], ...]]) -> NDArray[np.float64]:
        squares = np.zeros(captions)
        for caption, ngram, count in entries:
            weight = inverse_document_frequency(documents, document_frequency[ngram]) * count
            low, high = (caption.min(), caption.max() + 1) if len(caption) else (0, 0)
            squares[low:high] += np.bincount(caption - low, weight * weight, high - low)
        return np.sqrt(squares)

    # The references' entries are needed for nothing but their norms, and there are millions: they go here.
    return NGrams(
        stream.order,
        Counts(candidate, candidate_ngram, candidate_count),
        match_candidate,
        match_pair,
        match_count,
        documents,
        document_frequency,
        norms(len(words.candidates), [(candidate, candidate_ngram, candidate_count)]),
        norms(len(words.references), zip(*reversed(reference_parts), strict=True)),
        example,
    )


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
