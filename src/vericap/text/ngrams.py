"""N-grams as integers: counts per caption, document frequencies, and which n-grams a candidate shares
with each of its references, all as array operations over the whole corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged, offsets_of
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
        references = Ragged.spans(reference_offsets[image], reference_offsets[image + 1])
        return cls(references.row, references.values, references.offsets)

    def __len__(self) -> int:
        return len(self.candidate)

    def sum_by_candidate(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over the references of each candidate."""
        return np.bincount(self.candidate, values, len(self.offsets) - 1).astype(np.float64, copy=False)

    def max_by_candidate(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Maximum over the references of each candidate; 0 where there is none."""
        return Ragged(values, self.offsets).reduce(np.maximum)

    def min_by_candidate(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Minimum over the references of each candidate; 0 where there is none."""
        return Ragged(values, self.offsets).reduce(np.minimum)


@dataclass(frozen=True, eq=False)
class Counts:
    """How often each n-gram stands in each caption: entry e says caption, n-gram id, count."""

    caption: NDArray[np.int32]
    ngram: NDArray[np.int32]
    count: NDArray[np.integer]

    @classmethod
    def join(cls, parts: Sequence[Counts]) -> Counts:
        """The entries of several, one after the other."""
        return cls(
            np.concatenate([part.caption for part in parts]),
            np.concatenate([part.ngram for part in parts]),
            np.concatenate([part.count for part in parts]),
        )


@dataclass(frozen=True, eq=False)
class NGrams:
    """The n-grams of one order in a corpus, and their tf-idf weights.

    `match_*` list every n-gram that a candidate shares with one of its references: the entry in `candidates`, the
    pair (see `Pairs`) it belongs to, and its count in the reference. `document_frequency[g]` is the number of
    documents, out of `documents`, that hold n-gram g. `norm` and `reference_norm` are the lengths of the tf-idf
    vectors of candidates and references. `find_examples` gives `example`.
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
    find_examples: Callable[[], NDArray[np.int32]]

    @cached_property
    def example(self) -> NDArray[np.int32]:
        """Where the words of each n-gram stand in the token column: asked for by those who spell it."""
        return self.find_examples()

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

    Images are taken in blocks: they are independent, a block fits the cache, and workers share the blocks.
    """
    counter = _Counter(stream, words, image, reference_offsets, pairs)
    cuts = counter.cuts()
    blocks = in_threads(counter.count, cuts[:-1], cuts[1:], workers=workers)

    def find_examples() -> NDArray[np.int32]:
        example = np.zeros(counter.distinct, np.int32)
        example[stream.ngram] = starts_in_column(words.captions, stream.order)
        return example

    if look_up is None:
        documents, document_frequency = len(reference_offsets) - 1, np.zeros(counter.distinct, np.int32)
        for block in blocks:
            document_frequency += np.bincount(block.in_document, minlength=counter.distinct).astype(np.int32)
    else:
        documents, document_frequency = look_up(find_examples(), stream.order)

    def norms(captions: int, parts: Iterable[Counts]) -> NDArray[np.float64]:
        squares = np.zeros(captions)
        for part in parts:
            weight = inverse_document_frequency(documents, document_frequency[part.ngram]) * part.count
            low, high = (part.caption.min(), part.caption.max() + 1) if len(part.caption) else (0, 0)
            squares[low:high] += np.bincount(part.caption - low, weight * weight, high - low)
        return np.sqrt(squares)

    candidates = Counts.join([block.candidates for block in blocks])
    # Matches name entries of their block; behind the other blocks they stand later.
    before = offsets_of([len(block.candidates.caption) for block in blocks])[:-1].astype(np.int32)
    return NGrams(
        stream.order,
        candidates,
        np.concatenate([block.match_candidate + start for block, start in zip(blocks, before, strict=True)]),
        np.concatenate([block.match_pair for block in blocks]),
        np.concatenate([block.match_count for block in blocks]),
        documents,
        document_frequency,
        norms(len(words.candidates), [candidates]),
        # The references' entries are needed for nothing but their norms, and there are millions: they go here.
        norms(len(words.references), (block.references for block in blocks)),
        find_examples,
    )


@dataclass(frozen=True, eq=False)
class _Block:
    """What is counted in some images; see `NGrams`. `in_document` has an n-gram for each image that it is in."""

    candidates: Counts
    references: Counts
    match_candidate: NDArray[np.int32]
    match_pair: NDArray[np.int32]
    match_count: NDArray[np.integer]
    in_document: NDArray[np.int32]


class _Counter:
    """Counts the n-grams of some images at a time.

    Sorting puts the references' n-grams in the order (image, n-gram, reference); counts are runs in it, document
    frequency counts the (image, n-gram) runs, and a candidate finds its matches by binary search.
    """

    def __init__(self, stream: NGramStream, words: Tokens, image: Ints, reference_offsets: Ints, pairs: Pairs) -> None:
        self.distinct = max(stream.distinct, 1)
        self.most = int(np.diff(reference_offsets).max(initial=1))  # references of an image
        self.image, self.pairs, self.reference_offsets = image, pairs, reference_offsets
        self.rows = np.argsort(image, kind="stable")
        self.row_cut = np.searchsorted(image[self.rows], np.arange(len(reference_offsets)))
        # The n-grams of each caption: candidates first, then references.
        lengths = np.maximum(words.captions.lengths - (stream.order - 1), 0)
        self.captions = Ragged(stream.ngram, offsets_of(lengths))
        self.first_reference = len(words.candidates)

    def cuts(self) -> list[int]:
        """Images at which blocks begin, and the last image's end."""
        images = len(self.reference_offsets) - 1
        ends = self.captions.offsets[self.first_reference :]
        cuts = np.searchsorted(ends[self.reference_offsets], np.arange(ends[0], ends[-1] + 1, BLOCK))
        return [*np.unique(np.minimum(cuts, images)).tolist(), images]

    def count(self, first: int, last: int) -> _Block:
        """Counts in the images first … last - 1."""
        image_ngram, place, count = self._count_references(first, last)
        ngram = (image_ngram % self.distinct).astype(np.int32)
        of_image = np.bincount(image_ngram // self.distinct, minlength=last - first)
        caption = np.repeat(self.reference_offsets[first:last], of_image) + place
        candidates = self._count_candidates(first, last)
        entries = self._matches(candidates, image_ngram, first)
        entry = entries.row
        pair = self.pairs.offsets[candidates.caption[entry]] + place[entries.values]
        return _Block(
            candidates,
            Counts(caption.astype(np.int32), ngram, narrow(count)),
            entry.astype(np.int32),
            pair.astype(np.int32),
            narrow(count[entries.values]),
            ngram[_is_first(image_ngram)],
        )

    def _count_references(self, first: int, last: int) -> tuple[Ints, Ints, Ints]:
        """Image (from 0 on) and n-gram as one number, the reference's place in its image, and the count."""
        offsets = self.reference_offsets[first : last + 1]
        captions = self.captions.window(self.first_reference + offsets[0], self.first_reference + offsets[-1])
        image = Ragged(np.arange(len(captions)), offsets - offsets[0]).row
        place = np.arange(len(captions)) + offsets[0] - offsets[image]
        key: Ints = np.repeat(image * (self.distinct * self.most) + place, captions.lengths)
        key += captions.values * np.int64(self.most)
        key.sort()
        key, count = _runs(key)
        return key // self.most, key % self.most, count

    def _count_candidates(self, first: int, last: int) -> Counts:
        row = self.rows[self.row_cut[first] : self.row_cut[last]]
        captions = self.captions.take(row)
        key = captions.row * self.distinct + captions.values
        key.sort()
        key, count = _runs(key)
        caption, ngram = row[key // self.distinct], key % self.distinct
        return Counts(caption.astype(np.int32), ngram.astype(np.int32), narrow(count))

    def _matches(self, candidates: Counts, image_ngram: Ints, first: int) -> Ragged:
        """Of each candidates' entry the references' entries with the same image and n-gram."""
        wanted = (self.image[candidates.caption] - first) * self.distinct + candidates.ngram
        first_found = np.searchsorted(image_ngram, wanted)
        last_found = first_found.copy()
        if len(image_ngram):
            found = np.flatnonzero(image_ngram.take(first_found, mode="clip") == wanted)
            last_found[found] = np.searchsorted(image_ngram, wanted[found], "right")
        return Ragged.spans(first_found, last_found)


def narrow(count: NDArray[np.integer]) -> NDArray[np.integer]:
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
