"""Records in batches: columns are found in the first record, and every later one must have them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.readers.captions import caption_shapes
from vericap.readers.captions.caption_shapes import describe_record, from_batches, from_rows
from vericap.readers.fields import EVERY, Fields, Wanted

ROWS = [{"image_id": n, "caption": f"caption {n}", "score": n / 2} for n in range(7)]


@given(st.lists(st.integers(0, 7), max_size=4))
def test_batches_of_any_size_give_the_same_columns(cuts: list[int]) -> None:
    ends = [0, *sorted(cuts), 7]
    batches = [ROWS[first:last] for first, last in itertools.pairwise(ends)]
    found = from_batches(batches, Wanted(keep=("score",)), "rows")
    assert found.captions == [row["caption"] for row in ROWS] and found.ids == list(range(7))
    assert found.fields == {"score": [row["score"] for row in ROWS]}


def test_rows_that_come_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caption_shapes, "BATCH", 3)
    assert from_rows(iter(ROWS), Wanted(), "mine").ids == list(range(7))


def test_all_columns_are_kept_when_asked_and_what_a_record_lacks_is_none() -> None:
    rows = [{"caption": "a", "x": 1}, {"caption": "b", "y": 2}]
    found = from_batches([rows[:1], rows[1:]], Wanted(keep=(EVERY,)), "rows")
    assert found.fields == {"caption": ["a", "b"], "x": [1, None], "y": [None, 2]}


def test_records_without_names_are_captions_or_lists_of_them() -> None:
    assert from_batches([["a", "b"]], Wanted(), "rows").ids is None
    found = from_batches([[["a", "b"], ["c"]]], Wanted("references"), "rows")
    assert found.captions == ["a", "b", "c"] and found.records == 2


def test_named_records_have_one_caption_and_references_a_list() -> None:
    rows = [{"id": 1, "references": ["a", "b"]}]
    assert from_batches([rows], Wanted("references"), "rows").captions == ["a", "b"]
    with pytest.raises(InputError, match="the caption is a list"):
        from_batches([[{"id": 1, "caption": ["a", "b"]}]], Wanted(), "rows")


@pytest.mark.parametrize(
    ("rows", "row", "field", "problem"),
    [
        ([ROWS[0], "a string"], 2, None, "the row is a string, not an object"),
        (["a", ROWS[0]], 2, None, "the row is an object where the rows before are not"),
        ([ROWS[0], {"image_id": 1}], 2, "caption", "the field is not there; the fields are: image_id"),
        ([ROWS[0], {"caption": "a"}], 2, "image_id", "the field is not there"),
        ([ROWS[0], {"image_id": 1, "caption": "a"}], 2, "score", "the field is not there"),
        ([{"image_id": 1, "words": "a"}], 1, None, "no field holds the captions; the fields are: image_id, words"),
    ],
)
def test_what_is_wrong_names_row_and_field(rows: list[Any], row: int, field: str | None, problem: str) -> None:
    for batches in ([rows], [[each] for each in rows]):
        with pytest.raises(InputError, match=problem) as error:
            from_batches(batches, Wanted(keep=("score",)), "rows")
        assert (error.value.source, error.value.row, error.value.field) == ("rows", row, field)
        assert error.value.fix


@pytest.mark.parametrize("role", ["caption", "image_id"])
def test_a_column_that_was_named_must_be_there(role: str) -> None:
    with pytest.raises(InputError, match="there is no field of that name; the fields are") as error:
        from_batches([ROWS], Wanted(fields=Fields({role: "x"})), "rows")
    assert error.value.field == "x"


def test_a_record_in_words() -> None:
    assert describe_record("a") == "a string" and describe_record(7) == "a number (7)"
