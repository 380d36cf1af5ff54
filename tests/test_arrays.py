"""Ragged columns against lists of lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.arrays import Ragged, distinct, gather, offsets_of

ROWS = st.lists(st.lists(st.integers(-9, 9), max_size=4), max_size=6)


def lists(column: Ragged) -> list[list[int]]:
    return [row.tolist() for row in column]


@given(ROWS)
def test_a_column_holds_its_rows(rows: list[list[int]]) -> None:
    column = Ragged.of(rows)
    assert lists(column) == rows
    assert len(column) == len(rows)
    assert column.lengths.tolist() == [len(row) for row in rows]
    assert column.row.tolist() == [i for i, row in enumerate(rows) for _ in row]
    assert offsets_of(column.lengths).tolist() == column.offsets.tolist()


@given(ROWS, st.data())
def test_some_rows_in_any_order(rows: list[list[int]], data: st.DataObject) -> None:
    places = st.lists(st.integers(0, len(rows) - 1)) if rows else st.just([])
    wanted = data.draw(places)
    chosen = np.array(wanted, np.int64)
    column = Ragged.of(rows)
    assert lists(column.take(chosen)) == [rows[i] for i in wanted]
    places_of, offsets = gather(column.offsets, chosen)
    assert lists(Ragged(column.values[places_of], offsets)) == [rows[i] for i in wanted]


@given(ROWS, st.data())
def test_a_window_is_a_slice_of_the_same_memory(rows: list[list[int]], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(rows)))
    last = data.draw(st.integers(first, len(rows)))
    column = Ragged.of(rows)
    window = column.window(first, last)
    assert lists(window) == rows[first:last]
    assert not len(window.values) or np.shares_memory(window.values, column.values)


@given(st.lists(ROWS, min_size=1, max_size=3))
def test_columns_join_row_after_row(columns: list[list[list[int]]]) -> None:
    joined = Ragged.join([Ragged.of(rows) for rows in columns])
    assert lists(joined) == [row for rows in columns for row in rows]


@pytest.mark.parametrize(("ufunc", "plain"), [(np.add, sum), (np.maximum, max), (np.minimum, min)])
@given(rows=ROWS)
def test_rows_are_reduced_and_empty_ones_are_named(ufunc: np.ufunc, plain: object, rows: list[list[int]]) -> None:
    reduced = Ragged.of(rows).reduce(ufunc, empty=-99.0)
    assert reduced.tolist() == [plain(row) if row else -99.0 for row in rows]  # type: ignore[operator]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=6))
def test_spans_are_ranges(spans: list[tuple[int, int]]) -> None:
    first = np.array([start for start, _ in spans], np.int64)
    found = Ragged.spans(first, first + np.array([length for _, length in spans], np.int64))
    assert lists(found) == [list(range(start, start + length)) for start, length in spans]


@given(ROWS, st.data())
def test_others_stand_in_place_of_some_rows(rows: list[list[int]], data: st.DataObject) -> None:
    chosen = sorted(data.draw(st.sets(st.sampled_from(range(len(rows))))) if rows else [])
    others = [data.draw(st.lists(st.integers(0, 9), max_size=3)) for _ in chosen]
    expected = list(rows)
    for row, other in zip(chosen, others, strict=True):
        expected[row] = other
    found = Ragged.of(rows).replace(np.array(chosen, np.int64), Ragged.of(others))
    assert [row.tolist() for row in found] == expected


@given(st.lists(st.integers(-3, 3)))
def test_distinct_numbers_are_in_order(numbers: list[int]) -> None:
    assert distinct(np.array(numbers, np.int64)).tolist() == sorted(set(numbers))
