"""Captions longer than CLIP reads are cut off as in OpenAI's code, refused, or read in pieces."""

from __future__ import annotations

import pytest

from vericap.encoders.clip.tokenizer import shipped
from vericap.encoders.clip.windows import windows, with_prompt
from vericap.errors import InputError

TOKENIZER = shipped()
PROMPT = "A photo depicts"
LONG = "snow " * 80


def test_a_text_has_its_marks() -> None:
    made = windows(["a dog", ""], TOKENIZER, PROMPT, 77, "truncate")
    head = TOKENIZER.tokens(PROMPT)
    assert made.rows == [[49406, *head, *TOKENIZER.tokens("a dog"), 49407], [49406, *head, 49407]]
    assert (made.offsets, made.longer) == ([0, 1, 2], 0)


def test_truncation_keeps_the_mark_of_the_end() -> None:
    [row] = windows([LONG], TOKENIZER, PROMPT, 77, "truncate").rows
    # OpenAI: the first 77 tokens, the last of them replaced by the mark.
    assert row == [*[49406, *TOKENIZER.tokens(with_prompt(LONG, PROMPT))][:76], 49407]


def test_75_tokens_fit_and_76_do_not() -> None:
    room = 75 - len(TOKENIZER.tokens(PROMPT))
    fits, does_not = "snow " * room, "snow " * (room + 1)
    assert windows([fits], TOKENIZER, PROMPT, 77, "error").longer == 0
    with pytest.raises(InputError, match=r'field "long": a caption has 76 tokens with the prompt.*long=chunks'):
        windows([does_not], TOKENIZER, PROMPT, 77, "error")
    assert windows([does_not, fits], TOKENIZER, PROMPT, 77, "truncate").longer == 1


def test_pieces_hold_all_words_and_each_has_the_prompt() -> None:
    text = "strawberries and incomprehensibilities " * 20
    made = windows(["a dog", text], TOKENIZER, PROMPT, 77, "chunks")
    head = [49406, *TOKENIZER.tokens(PROMPT)]
    pieces = made.rows[made.offsets[1] : made.offsets[2]]
    assert len(pieces) > 1 and all(len(row) <= 77 and row[: len(head)] == head and row[-1] == 49407 for row in pieces)
    assert [token for row in pieces for token in row[len(head) : -1]] == TOKENIZER.tokens(text)
    assert all(TOKENIZER.ends_word(row[-2]) for row in pieces)  # no word is cut


def test_one_endless_word_is_cut_inside() -> None:
    made = windows(["qzx" * 200], TOKENIZER, "", 20, "chunks")
    assert [token for row in made.rows for token in row[1:-1]] == TOKENIZER.tokens("qzx" * 200)
    assert max(map(len, made.rows)) == 20


def test_a_prompt_longer_than_the_network_reads() -> None:
    with pytest.raises(InputError, match="the prompt has 80 tokens"):
        windows(["a dog"], TOKENIZER, LONG, 77, "chunks")
