"""From patterns to the tables of an automaton."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.automata import CharacterSet, make_tables


@pytest.mark.parametrize("pattern", ["(a", "a)", "*a", "a | + b"])
def test_broken_patterns_are_refused(pattern):
    with pytest.raises(ValueError, match="of pattern"):
        make_tables([(pattern, "")])


def test_states_that_behave_alike_are_one():
    """Behind "ab" and behind "cb" any number of d may come: one state for both."""
    together, apart = make_tables([("a b d* | c b d*", "")]), make_tables([("a b d*", ""), ("c b d*", "")])
    assert len(together["patterns"]) == 4  # dead, start, behind a or c, behind b
    assert len(apart["patterns"]) == 6


def test_characters_that_no_pattern_tells_apart_share_a_symbol():
    symbols = make_tables([("[a-f] [d-z]", "")])["symbols"]
    assert len(set(symbols[[ord(c) for c in "abc"]])) == 1
    assert len(np.unique(symbols)) == 4


def test_nothing_leads_out_of_the_dead_state():
    tables = make_tables([("a+", "b"), ("[^a]", "")])
    width = len(tables["steps"]) // len(tables["patterns"])
    assert not tables["steps"][:width].any() and tables["patterns"][0] == 0


@given(st.sets(st.integers(0, 60)), st.integers(0, 60))
def test_sets_of_characters(codes, code):
    characters = CharacterSet((c, c) for c in codes)
    assert (chr(code) in characters) == (code in codes)
    assert (chr(code) in characters.complement()) == (code not in codes)
