"""The lexer: longest match, first pattern among equals, in linear time; what it reads, and how often."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.automata import make_lexer


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


def test_longest_match_wins_over_the_first_alternative():
    assert make_lexer([("a | a b", "")]).scan("ab").longest(0).end == 2
    assert re.match("a|ab", "ab").end() == 1


def test_first_pattern_wins_among_equals():
    assert make_lexer([("[a-z]+", ""), ("cat", "")]).scan("cat").longest(0).pattern == 0
    assert make_lexer([("cat", ""), ("[a-z]+", "")]).scan("cat").longest(0).pattern == 0
    assert make_lexer([("cat", ""), ("[a-z]+", "")]).scan("cats").longest(0) == (1, 4)


def test_what_follows_counts_for_the_length_but_not_for_the_token():
    lexer = make_lexer([("[a-z]+ '", ""), ("[a-z]+", "' s")])
    assert lexer.scan("dog's").longest(0) == (1, 3)
    assert lexer.scan("dog'").longest(0) == (0, 4)


def test_the_longest_token_is_cut_before_what_follows():
    assert make_lexer([("a+", "a b")]).scan("aaab").longest(0).end == 2


def test_literals_match_in_either_case_and_sets_as_they_stand():
    lexer = make_lexer([("mrs?", ""), ("[T]he", "")])
    assert [lexer.scan(text).longest(0) is not None for text in ("MR", "mRs", "mrſ", "THE", "the")] == [
        True,
        True,
        True,
        True,
        False,
    ]


def test_nothing_matches():
    assert make_lexer([("a", "")]).scan("b").longest(0) is None


PATTERNS = st.recursive(
    st.sampled_from(["a", "b", "[ab]", "[^a]", r"\.", "c{2}", "[a-c]"]),
    lambda part: st.one_of(
        st.tuples(part, part).map("".join),
        st.tuples(part, part).map(lambda pair: f"({pair[0]}|{pair[1]})"),
        st.tuples(part, st.sampled_from(["?", "*", "+", "{1,2}", "{2,}"])).map(lambda pair: f"({pair[0]}){pair[1]}"),
    ),
    max_leaves=6,
)


@given(st.lists(PATTERNS, min_size=1, max_size=3), st.text("abc.", max_size=8))
def test_matches_are_those_of_regular_expressions(patterns, text):
    """`re` says which whole strings match; the longest such beginning of the text is the token."""
    ends = [
        (end, -number)
        for number, pattern in enumerate(patterns)
        for end in range(1, len(text) + 1)
        if re.fullmatch(pattern, text[:end])
    ]
    found = make_lexer([(pattern, "") for pattern in patterns]).scan(text).longest(0)
    assert found == ((-max(ends)[1], max(ends)[0]) if ends else None)


@given(st.lists(PATTERNS, min_size=1, max_size=3), st.text("abc.", min_size=1, max_size=8))
def test_only_what_is_in_reach_can_make_a_match_longer(patterns, text):
    lexer = make_lexer([(pattern, "") for pattern in patterns])
    scan = lexer.scan(text)
    found = scan.longest(0)
    for character in "abc.":
        if lexer.symbol(character) not in scan.reach():
            assert lexer.scan(text + character).longest(0) == found


def test_a_character_of_more_than_16_bits_is_known_by_its_first_half():
    lexer = make_lexer([(r"[\ud83d]", ""), ("a", "")])
    assert lexer.symbol("\U0001f436") == lexer.symbol("\ud83d") != lexer.symbol("a")
