"""The tokenizers by name, and that any number of processes gives the same ids."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.text import tokenizers
from vericap.text.tokenizers import TOKENIZERS, encode_sides, register_tokenizer, tokenize_unicode, tokenizer

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


@pytest.mark.parametrize(
    "caption, words",
    [
        ("Don't stop!", ["don't", "stop"]),
        ("Это кошка, не собака.", ["это", "кошка", "не", "собака"]),
        ("カタカナ", ["カ", "タ", "カ", "ナ"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("cafe\u0301 e pão-de-açúcar", ["cafe\u0301", "e", "pão", "de", "açúcar"]),
        ("#PraCegoVer Foto 😀", ["pracegover", "foto"]),
        ("line\u2028two\r\nthree", ["line", "two", "three"]),
        ("", []),
    ],
)
def test_words_of_many_languages(caption, words):
    assert tokenize_unicode(caption) == words


@pytest.mark.parametrize("name", TOKENIZERS)
@given(captions=st.lists(st.text(), max_size=5))
def test_every_tokenizer_gives_each_caption_its_own_row(name, captions):
    """Carriage returns, U+2028, empty captions, lone surrogates: nothing shifts a row or raises."""
    vocabulary: dict[str, int] = {}
    together = tokenizer(name)(captions, vocabulary)
    assert len(together) == len(captions)
    words = list(vocabulary)
    for row in range(len(captions)):
        # Not the caption alone: COCO's tokenizer looks at the next one where an abbreviation ends a caption.
        onwards: dict[str, int] = {}
        first = tokenizer(name)(captions[row:], onwards)[0]
        assert [words[i] for i in together[row]] == [list(onwards)[i] for i in first]


@pytest.mark.parametrize("workers", [2, 3, 7])
def test_a_column_shared_by_processes_has_the_same_ids(workers, monkeypatch, oracle):
    """Blank captions and abbreviations at the end of a caption are where a cut could show."""
    from vericap.text import tokenizers

    monkeypatch.setattr(tokenizers, "LONG_COLUMN", 1)
    odd = ["a sign that reads K.", "", " ", "Main St.", "The end", "", "U.S.", ""]
    sides = [odd, [*odd, *oracle("k5k_nn.input")["cands"]]]
    whole: dict[str, int] = {}
    parts: dict[str, int] = {}
    expected = tokenizers.encode_sides(tokenizer("ptb"), sides, whole, 1)
    found = tokenizers.encode_sides(tokenizer("ptb"), sides, parts, workers)
    assert found.values.tolist() == expected.values.tolist()
    assert found.offsets.tolist() == expected.offsets.tolist()
    assert list(parts) == list(whole)


def test_sides_of_few_captions_do_not_change_the_order_of_words(monkeypatch):
    """A process that gets no caption of a side must not look at its first one."""
    from vericap.text import tokenizers

    monkeypatch.setattr(tokenizers, "LONG_COLUMN", 1)
    sides = [["a dog", "two cats", "K.", "one bird"], ["the horse"], [], ["a red car"]]
    orders = []
    for workers in (1, 2, 3, 5, 9):
        vocabulary: dict[str, int] = {}
        found = tokenizers.encode_sides(tokenizer("ptb"), sides, vocabulary, workers)
        orders.append((list(vocabulary), found.values.tolist(), found.offsets.tolist()))
    assert orders == [orders[0]] * 5


@given(st.text("\U0001f1e6\U0001f1fa\U0001f1ff\U0001f1e9a1._'\u0301\u200d\u4e00\u30a2\u2139-", max_size=12))
def test_flags_in_front_of_flags_do_not_move_a_boundary(chunk: str):
    boundary, token = tokenizers._unicode_patterns()
    plain = [word for segment in boundary.split(chunk) for word in token.findall(segment)]
    assert list(tokenizers._unicode_words(chunk)) == [word for word in plain if any(c.isalnum() for c in word)]


def test_a_row_of_flag_letters_is_split_in_time_that_grows_with_its_length(bounded):
    code = "from vericap.text.tokenizers import tokenize_unicode as t; print(t('\\U0001f1e6' * 300_000 + 'a'))"
    assert bounded(code) == "['a']"
