"""The lexer's loop: what it reads, and how often."""

from __future__ import annotations

import pytest

from vericap.text.lexer import make_lexer


def test_a_search_that_came_to_nothing_is_not_made_again() -> None:
    """Behind every a the lexer looks for a b: without a memory that would be two million steps."""
    scan = make_lexer([("a", ""), ("a+ b", "")]).scan("a" * 2000)
    assert [scan.longest(at) for at in range(2000)] == [(0, at + 1) for at in range(2000)]
    assert scan.reads() <= 16 * 2000


@pytest.mark.parametrize("length", [1, 7, 8, 9, 10, 50])
def test_a_search_is_the_same_whether_it_is_remembered_or_not(length: int) -> None:
    text = "a" * length + "c" + "a" * length + "b"
    scan = make_lexer([("a", ""), ("a+ b", ""), ("c", "")]).scan(text)
    found = [scan.longest(at) for at in range(len(text))]
    assert found[:length] == [(0, at + 1) for at in range(length)]
    assert found[length] == (2, length + 1)
    assert found[length + 1 : -1] == [(1, len(text))] * length
    assert found[-1] is None


def test_a_text_that_ends_too_early_leaves_symbols_in_reach() -> None:
    lexer = make_lexer([("a", ""), ("a b", "")])
    scan = lexer.scan("a")
    assert scan.longest(0) == (0, 1) and scan.reach() == {lexer.symbol("b"), lexer.symbol("B")}
    assert lexer.scan("ac").reach() == frozenset()


def test_an_empty_text_has_no_match() -> None:
    assert make_lexer([("a", "")]).scan("").longest(0) is None
