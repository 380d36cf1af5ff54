"""Words as numbers."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from vericap.lexicon.hashes import java_hashes


def java_hash(word: str) -> int:
    """String.hashCode by its definition: the sum of units times powers of 31, as 32 bits with a sign."""
    units = memoryview(word.encode("utf-16-le")).cast("H").tolist()
    value = sum(unit * 31 ** (len(units) - 1 - place) for place, unit in enumerate(units)) % 2**32
    return value - 2**32 if value >= 2**31 else value


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_hashes_are_those_of_java(words: list[str]) -> None:
    assert java_hashes(words).tolist() == [java_hash(word) for word in words]


def test_a_long_token_is_hashed_in_time_that_grows_with_its_length(bounded: Callable[[str], str]) -> None:
    code = "from vericap import evaluate; print(evaluate(['a' * 1_000_000], [['a dog']], metrics='meteor'))"
    assert "meteor 0.0000" in bounded(code)
