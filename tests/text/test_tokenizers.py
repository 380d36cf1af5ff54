"""The tokenizers by name, and that any number of processes gives the same ids."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.text import tokenizers
from vericap.text.tokenizers import TOKENIZERS, encode_sides, register_tokenizer, tokenizer

CAPTION = "Two dogs'  x-rays, at 5 p.m.\u00a0(1/2)…"


def words_of(name: str, *captions: str) -> list[list[str]]:
    vocabulary: dict[str, int] = {}
    rows = tokenizer(name)(captions, vocabulary)
    words = list(vocabulary)
    return [[words[i] for i in row] for row in rows]


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("ptb", ["two", "dogs", "x-rays", "at", "5", "p.m.", "-lrb-", "1/2", "-rrb-"]),
        ("unicode", ["two", "dogs", "x", "rays", "at", "5", "p.m", "1", "2"]),
        ("whitespace", ["Two", "dogs'", "x-rays,", "at", "5", "p.m.", "(1/2)…"]),
        ("none", ["Two", "dogs'", "", "x-rays,", "at", "5", "p.m.\u00a0(1/2)…"]),
        ("rouge", ["two", "dogs", "x", "rays", "at", "5", "p", "m", "1", "2"]),
    ],
)
def test_what_each_tokenizer_makes_of_a_caption(name: str, tokens: list[str]) -> None:
    assert words_of(name, CAPTION, "") == [tokens, []]


def test_a_tokenizer_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizers, "TOKENIZERS", dict(TOKENIZERS))
    register_tokenizer("commas", lambda caption: caption.split(","))
    assert words_of("commas", "a b,c", "c") == [["a b", "c"], ["c"]]


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(InputError, match="no tokenizer is called 'bert'; use one of ptb, unicode"):
        tokenizer("bert")


LINE = st.sampled_from(["a sign that reads K.", "A man", "two men", "", "  ", "house no.", "5 cats", "a dog"])


@settings(max_examples=25)
@given(st.lists(st.lists(LINE, max_size=6), min_size=1, max_size=3), st.integers(2, 4))
def test_any_number_of_processes_gives_the_same_ids_and_words(sides: list[list[str]], workers: int) -> None:
    """PTB looks at the next caption of a side, also where the next process begins."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenizers, "LONG_COLUMN", 0)
        one: dict[str, int] = {}
        more: dict[str, int] = {}
        whole = encode_sides(tokenizer("ptb"), sides, one, 1)
        shared = encode_sides(tokenizer("ptb"), sides, more, workers)
    assert whole.values.tolist() == shared.values.tolist()
    assert whole.offsets.tolist() == shared.offsets.tolist()
    assert list(one) == list(more)


def test_each_side_is_a_text_of_its_own() -> None:
    """A candidate that ends with an abbreviation is not followed by the first reference."""
    vocabulary: dict[str, int] = {}
    rows = encode_sides(tokenizer("ptb"), [["type K."], ["The end"]], vocabulary, 1)
    assert [list(vocabulary)[i] for i in rows[0]] == ["type", "k."]
    vocabulary = {}
    rows = encode_sides(tokenizer("ptb"), [["type K.", "The end"]], vocabulary, 1)
    assert [list(vocabulary)[i] for i in rows[0]] == ["type", "k"]


def test_a_short_column_is_done_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(tokenizers, "in_fork", forbidden)
    assert [a <= b for a, b in pairwise(encode_sides(tokenizer("ptb"), [["a dog"]], {}, 4).offsets.tolist())] == [True]
