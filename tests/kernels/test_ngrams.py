"""Sorted places against Python's own sort, and what is taken from them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.arrays import Ragged
from vericap.kernels.ngrams import (
    Collector,
    Matcher,
    count_distinct,
    count_runs,
    examples,
    sort_places,
    squared_norms,
)

CAPTIONS = st.lists(st.lists(st.integers(0, 3), max_size=7), min_size=1, max_size=8)


def numbered(captions: list[list[int]]) -> list[tuple[list[int], int, int]]:
    """Up to four words from each place of the column on, the place, and the caption, in order."""
    places = iter(range(sum(map(len, captions))))
    return sorted(
        (caption[at : at + 4], next(places), row) for row, caption in enumerate(captions) for at in range(len(caption))
    )


@given(CAPTIONS, st.integers(4, 70_000))
def test_places_are_sorted_by_the_words_that_begin_there(captions: list[list[int]], size: int) -> None:
    column = Ragged.of(captions, np.int32)
    place, caption, shared, left = sort_places(column.values, column.offsets, size)
    expected = numbered(captions)
    assert place.tolist() == [at for _, at, _ in expected]
    assert caption.tolist() == [row for _, _, row in expected]
    assert left.tolist() == [len(words) for words, _, _ in expected]
    for (before, after), words in zip(pairwise(expected), shared[1:].tolist(), strict=True):
        common = next((i for i in range(4) if before[0][i : i + 1] != after[0][i : i + 1]), 4)
        assert min(words, len(after[0])) == min(common, len(after[0]))


@pytest.mark.parametrize("size", [7, 3000, 100_000, (1 << 20) - 1])
def test_long_columns_are_sorted_in_blocks(size: int) -> None:
    random = np.random.default_rng(0)
    words = (random.integers(0, 300, 3000) ** 3 * size // 300**3).astype(np.int32)
    offsets = np.append(np.arange(0, 3000, 11), 3000)
    place, *_ = sort_places(words, offsets, size)
    captions = [words[a:b].tolist() for a, b in pairwise(offsets)]
    assert place.tolist() == [at for _, at, _ in numbered(captions)]


@given(CAPTIONS, st.integers(1, 4))
def test_records_are_by_group_number_and_caption(captions: list[list[int]], order: int) -> None:
    column = Ragged.of(captions, np.int32)
    places = sort_places(column.values, column.offsets, 4)
    # Two captions, the later one first, with a group each; then groups of two.
    single = min(2, len(captions))
    group = [*reversed(range(single)), *(single + i // 2 for i in range(len(captions) - single))]
    grams = [[tuple(c[i : i + order]) for i in range(len(c) - order + 1)] for c in captions]
    every = sorted({gram for row in grams for gram in row})
    number = {(word,): word for word in range(4)} if order == 1 else {gram: i for i, gram in enumerate(every)}
    rows = sorted((group[row], number[gram], row) for row in range(len(captions)) for gram in grams[row])
    groups = max(group) + 1
    starts = np.array([sum(of < each for of, _, _ in rows) for each in range(groups + 1)])
    collector = Collector(column.values, places, np.array(group, np.int32), single)
    distinct = 4 if order == 1 else count_distinct(places[2], places[3], order)
    assert distinct == len(number)
    for first in range(groups):
        records, frequency = collector.collect(order, starts[first:], first, max(distinct, 1))
        assert [divmod(each, 1 << 32) for each in records.tolist()] == [row[1:] for row in rows if row[0] >= first]
        documents = {(of, gram) for of, gram, _ in rows if of >= max(first, single)}
        assert frequency[:distinct].tolist() == [sum(gram == i for _, gram in documents) for i in range(distinct)]
    example = examples(column.values, places[0], places[2], places[3], order, distinct)
    assert all(tuple(column.values[example[number[gram]] :][:order].tolist()) == gram for gram in every)


def test_a_group_with_many_captions_that_share_a_word() -> None:
    captions = [[0, 200 - row] for row in range(200)]
    column = Ragged.of(captions, np.int32)
    collector = Collector(column.values, sort_places(column.values, column.offsets, 201), np.zeros(200, np.int32), 0)
    records, frequency = collector.collect(1, np.array([0, 400]), 0, 201)
    assert (records[:200] == np.arange(200)).all()
    assert frequency.tolist() == [1] * 201


RECORDS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=20).map(sorted)


def packed(records: list[tuple[int, int]]) -> np.ndarray:
    return np.array([(number << 32) + caption for number, caption in records], np.int64)


@given(RECORDS)
def test_runs_and_norms(records: list[tuple[int, int]]) -> None:
    different = sorted(set(records))
    number, caption, count = count_runs(packed(records))
    assert list(zip(number.tolist(), caption.tolist(), strict=True)) == different
    assert count.tolist() == [records.count(each) for each in different]
    weight, frequency = np.array([0.5, 2.0]), np.array([0, 1, 0, 1, 0, 1], np.int32)
    squares = squared_norms(packed(records), frequency, weight, 0, 4)
    for row in range(4):
        own = [each for each in different if each[1] == row]
        assert squares[row] == sum((weight[n % 2] * records.count((n, row))) ** 2 for n, _ in own)


@given(RECORDS, st.sets(st.integers(0, 5)), st.integers(0, 400))
def test_matches(records: list[tuple[int, int]], wanted: set[int], more: int) -> None:
    """The second image has the references; with many more n-grams than the candidate has, they are searched."""
    every = records + [(9, 3)] * more
    matcher = Matcher(packed(every), np.array([0, 0, len(every)]), np.array([0, 0]))
    number = np.array(sorted(wanted), np.int32)
    entries, image, pair = np.array([0, 0, len(number)]), np.array([0, 1], np.int32), np.array([0, 10], np.int32)
    entry, of_pair, count = matcher.match(entries, number, image, pair)
    found = zip(number[entry].tolist(), (of_pair - 10).tolist(), count.tolist(), strict=True)
    assert list(found) == [(*each, records.count(each)) for each in sorted(set(records)) if each[0] in wanted]
