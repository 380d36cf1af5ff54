"""Columns of texts and numbers are read as lists are: same items, same slices, same order."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vericap.corpus import Corpus
from vericap.corpus.columns import IntegerColumn, TextColumn, blank_rows, take

TEXTS = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(["", " ", "\t\n", "\u2003"]),
    max_size=12,
)
PLACES = st.none() | st.integers(-14, 14)


@given(TEXTS, PLACES, PLACES, st.none() | st.integers(-3, 3).filter(bool))
def test_texts_are_those_of_the_list(texts: list[str], first: int | None, last: int | None, step: int | None) -> None:
    column = TextColumn.of(texts)
    assert list(column) == texts and [column[row] for row in range(-len(texts), len(texts))] == texts + texts
    assert list(column[first:last:step]) == texts[first:last:step]
    assert column == texts and repr(column) == repr(texts)


@given(TEXTS)
def test_a_slice_of_a_slice_and_rows_of_it(texts: list[str]) -> None:
    part = TextColumn.of(texts)[1:-1][1:]
    assert list(part) == texts[1:-1][1:]
    rows = np.arange(len(part))[::-1]
    assert list(take(part, rows)) == texts[1:-1][1:][::-1]


@given(TEXTS)
def test_white_space_is_blank_whatever_its_character(texts: list[str]) -> None:
    assert blank_rows(TextColumn.of(texts)) == blank_rows(texts)


def test_more_texts_than_are_made_at_once() -> None:
    texts = [f"caption {n}" if n % 5000 else "café" for n in range(10_000)]
    assert list(TextColumn.of(texts)) == texts


def test_numbers_are_pythons_own() -> None:
    column = IntegerColumn(np.array([2**62, -7, 0]))
    assert column == [2**62, -7, 0] and column[-1:] == [0]
    assert {type(number) for number in column} == {int}


def test_a_corpus_of_columns_keeps_rows_as_one_of_lists_does() -> None:
    texts, references = ["a dog", "a cat", "an owl"], ["dogs", "cats", "owls"]
    columns = Corpus(
        IntegerColumn(np.array([7, 8, 9])), TextColumn.of(texts), np.arange(3), TextColumn.of(references), np.arange(4)
    )
    kept = columns.keep(np.array([0, 2]))
    assert (kept.image_ids, kept.candidates, kept.references) == ([7, 9], ["a dog", "an owl"], ["dogs", "owls"])
    assert kept.references_of(1) == ["owls"]
