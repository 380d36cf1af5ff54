"""N-grams of orders 1 to 4 by compiled kernels: the same arrays as `ngrams.count_ngrams` makes, bit by bit, after one
sort for all orders."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, offsets_of, rows_of
from vericap.engine.local import in_threads
from vericap.kernels import is_compiled
from vericap.kernels.ngrams import (
    MOST_WORDS,
    ORDERS,
    Collector,
    Matcher,
    count_distinct,
    count_runs,
    examples,
    sort_places,
    squared_norms,
)
from vericap.text.ngrams import Counts, LookUp, NGrams, Pairs, inverse_document_frequency, narrow
from vericap.text.vocabulary import Tokens

__all__ = ["NGramCounter", "can_count"]


def can_count(order: int, vocabulary_size: int) -> bool:
    """Whether kernels count n-grams of this order."""
    return order <= ORDERS and vocabulary_size <= MOST_WORDS and is_compiled("ngrams")


class NGramCounter:
    """Counts the n-grams of candidates and their references; `image` has the image of each candidate.

    >>> from vericap.arrays import Ragged
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
        group = np.empty(len(words.captions), np.int32)
        group[self._rows] = np.arange(candidates)
        group[candidates:] = candidates + rows_of(np.diff(reference_offsets))
        self._column = np.ascontiguousarray(words.captions.values, np.int32)
        share = partial(in_threads, workers=workers)
        self._places = sort_places(self._column, words.captions.offsets, len(words.words), share)
        self._collector = Collector(self._column, self._places, group, candidates)

    def count(self, order: int, look_up: LookUp | None = None, workers: int = 1) -> NGrams:
        """Counts, document frequencies, matches and tf-idf norms of one order; see `count_ngrams`."""
        words, pairs = self._words, self._pairs
        candidates, references = len(words.candidates), len(words.references)
        place, _, shared, left = self._places
        distinct = len(words.words) if order == 1 else count_distinct(shared, left, order)
        find_examples = partial(examples, self._column, place, shared, left, order, distinct)
        starts = self._starts(order)
        records, frequency = self._collect(order, starts, max(distinct, 1), workers)
        documents = len(self._reference_offsets) - 1
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
        """Where the n-grams of each group begin, if the groups lie one behind the other, and the end."""
        ours, theirs = (
            np.maximum(each.lengths - (order - 1), 0) for each in (self._words.candidates, self._words.references)
        )
        before = offsets_of(ours[self._rows])
        return np.append(before[:-1], before[-1] + offsets_of(theirs)[self._reference_offsets])

    def _collect(self, order: int, starts: Integers, distinct: int, workers: int) -> tuple[Integers, NDArray[np.int32]]:
        """The records of all groups (see `Collector`), and the document frequency of each n-gram."""
        shares = np.linspace(0, starts[-1], workers + 1)[1:-1]
        cuts = [0, *np.searchsorted(starts, shares).tolist(), len(starts) - 1]

        def of_groups(first: int, last: int) -> tuple[Integers, NDArray[np.int32]]:
            return self._collector.collect(order, starts[first : last + 1], first, distinct)

        found = in_threads(of_groups, cuts[:-1], cuts[1:], workers=workers)
        if len(found) == 1:
            return found[0]
        return np.concatenate([records for records, _ in found]), np.sum([counts for _, counts in found], 0, np.int32)
