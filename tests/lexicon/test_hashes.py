"""Words as numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vericap.lexicon import hashes
from vericap.lexicon.hashes import java_hashes


def java_hash(word: str) -> int:
    """String.hashCode by its definition: the sum of units times powers of 31, as 32 bits with a sign."""
    units = memoryview(word.encode("utf-16-le")).cast("H").tolist()
    value = sum(unit * 31 ** (len(units) - 1 - place) for place, unit in enumerate(units)) % 2**32
    return value - 2**32 if value >= 2**31 else value


@pytest.mark.parametrize("few", [0, 4096])  # all words at once, and one after the other
@given(words=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=100)))
@example(words=["a" * 63, "", "\U0001f415" * 63, "b" * 64, "c" * 200])
def test_hashes_are_those_of_java(few: int, words: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashes, "FEW", few)
        assert java_hashes(words).tolist() == [java_hash(word) for word in words]


def test_a_long_token_is_hashed_in_time_that_grows_with_its_length(bounded: Callable[[str], str]) -> None:
    code = "from vericap import evaluate; print(evaluate(['a' * 1_000_000], [['a dog']], metrics='meteor'))"
    assert "meteor 0.0000" in bounded(code)
