"""N-grams as integers: counts per caption, document frequencies, and which n-grams a candidate shares with each of its
references, for a whole corpus at once. `kernels.ngrams` sorts and counts them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, Ragged, offsets_of, rows_of
from vericap.engine.local import in_threads
from vericap.kernels.ngrams import (
    Collector,
    Matcher,
    count_distinct,
    count_runs,
    examples,
    longest_order,
    sort_places,
    squared_norms,
)
from vericap.text.vocabulary import Tokens

# from positions of examples and the order: number of documents, and document frequency of each n-gram
LookUp: TypeAlias = Callable[[NDArray[np.int32], int], tuple[int, NDArray[np.int32]]]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every (candidate, reference) pair of a corpus, grouped by candidate.

    `offsets[row]:offsets[row + 1]` are the pairs of a row; `reference` is the index of the reference caption.

    >>> pairs = Pairs.of(np.array([0, 1, 1]), np.array([0, 2, 3]))
    >>> pairs.candidate.tolist(), pairs.reference.tolist()
    ([0, 0, 1, 2], [0, 1, 2, 2])
    """

    candidate: Integers
    reference: Integers
    offsets: Integers

    @classmethod
    def of(cls, image: Integers, reference_offsets: Integers) -> Pairs:
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
    """The number of times each n-gram occurs in each caption: entry e has caption, n-gram id, count."""

    caption: NDArray[np.int32]
    ngram: NDArray[np.int32]
    count: NDArray[np.integer]


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
        """The place in the token column where each n-gram occurs last."""
        return self.find_examples()

    def inverse_document_frequency(self, ngram: NDArray[np.integer]) -> NDArray[np.float64]:
        """idf of n-grams by id."""
        return inverse_document_frequency(self.documents, self.document_frequency[ngram])

    def take(self, rows: Integers, references: Integers, pairs: Pairs, own_pairs: Pairs) -> NGrams:
        """Return the n-grams of some candidates and references, in ascending order, with the corpus's frequencies.

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
    """Return log N − log max(1, df): a word of every document weighs nothing, one of none as much as one of one.

    >>> inverse_document_frequency(8, np.array([8, 1, 0])).round(4).tolist()
    [0.0, 2.0794, 2.0794]
    """
    return np.asarray(np.log(max(documents, 1.0)) - np.log(np.maximum(1.0, frequency)))


class SortedNGrams:
    """The n-grams of captions, which are numbers of `size` words: an n-gram's number is its rank among the different
    ones of its order, a single word's its own.

    The kernel sorts n-grams of up to four words. Longer ones are n-grams of the longest of these: five words are a pair
    of n-grams of four.

    >>> ngrams = SortedNGrams(Ragged.of([[1, 0, 1], [1, 0]], np.int32), 2)
    >>> ngrams.distinct(2), ngrams.column(2).tolist(), ngrams.examples(2).tolist()
    (2, [1, 0, -1, 1, -1], [1, 3])
    """

    def __init__(self, captions: Ragged, size: int, workers: int = 1) -> None:
        self._size, self._longest, self._workers = size, longest_order(size), workers
        self._words, self._offsets = np.ascontiguousarray(captions.values, np.int32), captions.offsets
        self._places = sort_places(self._words, self._offsets, size, partial(in_threads, workers=workers))

    @cached_property
    def _longer(self) -> tuple[SortedNGrams, Integers]:
        """The n-grams whose words are the longest n-grams of these, and where each of those words begins here."""
        column = self.column(self._longest)
        starts = np.flatnonzero(column >= 0)
        words = Ragged(column[starts], offsets_of(self.lengths(self._longest)))
        return SortedNGrams(words, self.distinct(self._longest), self._workers), starts

    def _order(self, order: int) -> int:
        """Return how many words of `_longer` an n-gram has."""
        return order - self._longest + 1

    def lengths(self, order: int) -> Integers:
        """Return how many n-grams of an order each caption has."""
        return np.asarray(np.maximum(np.diff(self._offsets) - (order - 1), 0))

    def distinct(self, order: int) -> int:
        """Return the number of different n-grams of an order; for single words that of the vocabulary."""
        if order > self._longest:
            return self._longer[0].distinct(self._order(order))
        return self._size if order == 1 else count_distinct(self._places[2], self._places[3], order)

    def examples(self, order: int) -> NDArray[np.int32]:
        """Return the last place of each n-gram of an order; where there is no n-gram, one place all the same."""
        if order > self._longest:
            longer, starts = self._longer
            found = longer.examples(self._order(order))
            return starts[found].astype(np.int32) if self.distinct(order) else found
        place, _, shared, left = self._places
        return examples(self._words, place, shared, left, order, self.distinct(order))

    def column(self, order: int) -> NDArray[np.int32]:
        """Return the n-gram of an order that begins at each place of the column, -1 where none does."""
        if order == 1:
            return self._words
        column = np.full(len(self._words), -1, np.int32)
        if order > self._longest:
            longer, starts = self._longer
            column[starts] = longer.column(self._order(order))
        else:
            place, _, shared, left = self._places
            begins = left >= order
            column[place[begins]] = np.cumsum(shared[begins] < order, dtype=np.int32) - 1
        return column

    def collect(
        self, order: int, group: NDArray[np.int32], single: int, starts: Integers, first: int = 0
    ) -> tuple[Integers, NDArray[np.int32]]:
        """Return the records of groups of captions, and the number of groups that hold each n-gram; see `Collector`."""
        if order > self._longest:
            return self._longer[0].collect(self._order(order), group, single, starts, first)
        collector = Collector(self._words, self._places, group, single)
        return collector.collect(order, starts, first, max(self.distinct(order), 1))


class NGramCounter:
    """Counts the n-grams of candidates and their references; `image` has the image of each candidate.

    >>> words = Tokens.split(Ragged.of([[0, 1, 2], [0, 1, 1]], np.int32), 1, ["a", "dog", "runs"])
    >>> counter = NGramCounter(words, np.array([0]), np.array([0, 1]), Pairs.of(np.array([0]), np.array([0, 1])))
    >>> bigrams = counter.count(2)
    >>> bigrams.candidates.ngram.tolist(), bigrams.match_candidate.tolist(), bigrams.document_frequency.tolist()
    ([0, 2], [0], [1, 1, 0])
    """

    def __init__(
        self, words: Tokens, image: Integers, reference_offsets: Integers, pairs: Pairs, workers: int = 1
    ) -> None:
        self._words, self._pairs = words, pairs
        self._reference_offsets = reference_offsets
        # Groups of captions: each candidate, by image, and behind them the references of each image.
        candidates = len(words.candidates)
        self._rows = np.argsort(image, kind="stable")
        self._image = image[self._rows].astype(np.int32)
        self._group = np.empty(len(words.captions), np.int32)
        self._group[self._rows] = np.arange(candidates)
        self._group[candidates:] = candidates + rows_of(np.diff(reference_offsets))
        self._sorted = SortedNGrams(words.captions, len(words.words), workers)

    def count(self, order: int, look_up: LookUp | None = None, workers: int = 1) -> NGrams:
        """Return counts, document frequencies, matches and tf-idf norms of one order. `look_up` gives documents and
        document frequencies from elsewhere; without it they are those of the references."""
        words, pairs = self._words, self._pairs
        candidates, references = len(words.candidates), len(words.references)
        starts = self._starts(order)
        records, frequency = self._collect(order, starts, workers)
        documents = len(self._reference_offsets) - 1
        find_examples = partial(self._sorted.examples, order)
        if look_up is not None:
            documents, frequency = look_up(find_examples(), order)
        weight = inverse_document_frequency(documents, np.arange(int(frequency.max(initial=0)) + 1))
        ngram, row, count = count_runs(records[: starts[candidates]])
        entries = offsets_of(np.bincount(row, minlength=candidates)[self._rows])
        matcher = Matcher(records, starts[candidates:], candidates + self._reference_offsets)
        both = [
            partial(squared_norms, records, frequency, weight, 0, candidates + references),
            partial(matcher.match, entries, ngram, self._image, pairs.offsets[self._rows].astype(np.int32)),
        ]
        squares, (entry, pair, found) = in_threads(lambda work: work(), both, workers=min(workers, 2))
        norms = np.sqrt(squares)
        return NGrams(
            order,
            Counts(row, ngram, narrow(count)),
            entry,
            pair,
            narrow(found),
            documents,
            frequency,
            norms[:candidates],
            norms[candidates:],
            find_examples,
        )

    def _starts(self, order: int) -> Integers:
        """Return where the n-grams of each group begin, if the groups follow each other, and the end."""
        lengths, candidates = self._sorted.lengths(order), len(self._words.candidates)
        before = offsets_of(lengths[:candidates][self._rows])
        return np.append(before[:-1], before[-1] + offsets_of(lengths[candidates:])[self._reference_offsets])

    def _collect(self, order: int, starts: Integers, workers: int) -> tuple[Integers, NDArray[np.int32]]:
        """Return the records of all groups (see `Collector`), and the document frequency of each n-gram."""
        shares = np.linspace(0, starts[-1], workers + 1)[1:-1]
        cuts = [0, *np.searchsorted(starts, shares).tolist(), len(starts) - 1]
        self._sorted.distinct(order)  # sorts longer n-grams before threads ask for them

        def of_groups(first: int, last: int) -> tuple[Integers, NDArray[np.int32]]:
            single = len(self._words.candidates)
            return self._sorted.collect(order, self._group, single, starts[first : last + 1], first)

        found = in_threads(of_groups, cuts[:-1], cuts[1:], workers=workers)
        if len(found) == 1:
            return found[0]
        return np.concatenate([records for records, _ in found]), np.sum([counts for _, counts in found], 0, np.int32)


def narrow(count: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return the counts in the smallest type that holds them: nearly all are 1."""
    return count.astype(np.min_scalar_type(int(count.max(initial=0))))
