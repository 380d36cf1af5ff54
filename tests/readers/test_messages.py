"""How errors write what they talk about: on one line, and not longer than it helps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.readers.messages import count, describe, listed, listed_ids, one_line, shown


@given(st.text() | st.text("a \n\u2028", max_size=300))
def test_whatever_others_say_is_on_one_short_line(text: str) -> None:
    line = one_line(text)
    assert len(line) <= 200 and len(line.splitlines()) <= 1
    assert line.split() == text.split() or len(" ".join(text.split())) > 200


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (pandas.NA, "null"),
        (pandas.NaT, "null"),
        (True, "a truth value (true)"),
        (np.bool_(False), "a truth value (false)"),
        (7, "a number (7)"),
        (np.float32(1.5), "a number (1.5)"),
        (10**50, "a number (10000000000000000000)"),
        (float("nan"), "NaN"),
        ([1], "a list"),
        ((1,), "a list"),
        ({}, "an object"),
        ("a", "of type str"),
        (b"a", "of type bytes"),
    ],
)
def test_a_value_in_words(value: Any, words: str) -> None:
    assert describe(value) == words


def test_ids_are_shown_as_they_are_written() -> None:
    assert shown(42) == "42" and shown("42") == "'42'" and len(shown("x" * 500)) == 80
    assert listed_ids([1, "a", 3], [0, 1]) == "1, 'a'"
    assert listed_ids(range(9), range(6)) == "0, 1, 2, 3, 4, …"


def test_names_of_fields() -> None:
    assert listed([]) == "none" and listed(["a", "b\nc"]) == "a, b c"
    assert len(listed(range(100)).split(", ")) == 12


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 images"), (1, "1 image"), (2, "2 images"), (1200, "1,200 images")]
)
def test_a_number_of_things(number: int, words: str) -> None:
    assert count(number, "image") == words
