"""The lexer: longest match, first pattern among equals, in linear time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.text.lexer import CharacterSet, Lexer


def test_longest_match_wins_over_the_first_alternative():
    assert Lexer([("a | a b", "")]).scan("ab").longest(0).end == 2
    assert re.match("a|ab", "ab").end() == 1


def test_first_pattern_wins_among_equals():
    assert Lexer([("[a-z]+", ""), ("cat", "")]).scan("cat").longest(0).pattern == 0
    assert Lexer([("cat", ""), ("[a-z]+", "")]).scan("cat").longest(0).pattern == 0
    assert Lexer([("cat", ""), ("[a-z]+", "")]).scan("cats").longest(0) == (1, 4)


def test_what_follows_counts_for_the_length_but_not_for_the_token():
    lexer = Lexer([("[a-z]+ '", ""), ("[a-z]+", "' s")])
    assert lexer.scan("dog's").longest(0) == (1, 3)
    assert lexer.scan("dog'").longest(0) == (0, 4)


def test_the_longest_token_is_cut_before_what_follows():
    assert Lexer([("a+", "a b")]).scan("aaab").longest(0).end == 2


def test_literals_match_in_either_case_and_sets_as_they_stand():
    lexer = Lexer([("mrs?", ""), ("[T]he", "")])
    assert [lexer.scan(text).longest(0) is not None for text in ("MR", "mRs", "mrſ", "THE", "the")] == [
        True,
        True,
        True,
        True,
        False,
    ]


def test_nothing_matches():
    assert Lexer([("a", "")]).scan("b").longest(0) is None


@pytest.mark.parametrize("pattern", ["(a", "a)", "*a", "a | + b"])
def test_broken_patterns_are_refused(pattern):
    with pytest.raises(ValueError, match="of pattern"):
        Lexer([(pattern, "")])


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
    found = Lexer([(pattern, "") for pattern in patterns]).scan(text).longest(0)
    assert found == ((-max(ends)[1], max(ends)[0]) if ends else None)


@given(st.sets(st.integers(0, 60)), st.integers(0, 60))
def test_sets_of_characters(codes, code):
    characters = CharacterSet((c, c) for c in codes)
    assert (chr(code) in characters) == (code in codes)
    assert (chr(code) in characters.complement()) == (code not in codes)
