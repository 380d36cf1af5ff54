"""The `unicode` tokenizer: any language, rows stay rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.text.tokenizers import TOKENIZERS, tokenizer
from vericap.text.unicode import tokenize


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
    assert tokenize(caption) == words


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
    from vericap.text import unicode

    boundary, token = unicode._patterns()
    plain = [word for segment in boundary.split(chunk) for word in token.findall(segment)]
    assert list(unicode._words(chunk)) == [word for word in plain if any(c.isalnum() for c in word)]


def test_a_row_of_flag_letters_is_split_in_time_that_grows_with_its_length(bounded):
    code = "from vericap.text.unicode import tokenize; print(tokenize('\\U0001f1e6' * 300_000 + 'a'))"
    assert bounded(code) == "['a']"
