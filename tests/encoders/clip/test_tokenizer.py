"""Tokens are those of transformers, and captions that are too long are cut off, refused or read in pieces."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import vericap.data
from tests.encoders.clip.tiny import tokenizer_files, vocabulary
from vericap.encoders.clip.tokenizer import Tokenizer, cleaned, of_folder, shipped, windows, with_prompt
from vericap.errors import InputError

DEMO = json.loads((vericap.data.FOLDER / "demo" / "references.json").read_text("utf-8"))


def transformers_tokenizer(words: dict[str, int], merges: list[tuple[str, str]]):
    from transformers import CLIPTokenizer

    return CLIPTokenizer(vocab=words, merges=merges)


def test_the_vocabulary_that_ships_is_openais() -> None:
    tokenizer = shipped()
    # Published with the models: 49,408 tokens, the last two are the marks; "a photo of a cat" is 320 1125 539 320 2368.
    assert (tokenizer.start, tokenizer.end, tokenizer.largest) == (49406, 49407, 49407)
    assert tokenizer.tokens("a photo of a cat") == [320, 1125, 539, 320, 2368]


@pytest.mark.torch
def test_tokens_are_those_of_transformers() -> None:
    tokenizer = shipped()
    words = {name: number for number, name in tokenizer.names.items()}
    packed = (vericap.data.FOLDER / "clip" / "merges.txt.gz").read_bytes()
    merges = [tuple(line.split()) for line in gzip.decompress(packed).decode().splitlines()]
    theirs = transformers_tokenizer(words, merges)
    captions = [each["caption"] for each in DEMO["annotations"]]
    captions += ["aaaaaaa hahahaha", "don't WE'RE it'll", "caf\u00e9 123456 \U0001f600\U0001f600 \u65e5\u672c"]
    captions += ["x<|endoftext|>y", ""]
    for caption in captions:
        assert tokenizer.tokens(caption) == theirs(caption)["input_ids"][1:-1], caption


def test_a_pair_is_merged_once_in_a_pass() -> None:
    tokenizer = Tokenizer.of_merges([("a", "a"), ("aa", "aa")])
    assert [tokenizer.names[token] for token in tokenizer.tokens("aaaaaa")] == ["aaaa", "a", "a</w>"]


def test_texts_are_repaired_as_in_openais_code() -> None:
    assert cleaned("It\u2019s &amp;quot;RED&amp;quot;\t now") == 'it\'s "red" now'
    assert cleaned("caf\u00c3\u00a9") == "caf\u00e9"  # UTF-8 that was read as Latin-1


@pytest.mark.torch
def test_files_of_a_folder(tmp_path: Path) -> None:
    assert of_folder(tmp_path) is None
    words, merges = vocabulary()
    whole = {"model": {"type": "BPE", "vocab": words, "merges": [f"{a} {b}" for a, b in merges]}}
    (tmp_path / "tokenizer.json").write_text(json.dumps(whole))
    from_one = of_folder(tmp_path)
    tokenizer_files(tmp_path)
    from_two = of_folder(tmp_path)
    assert from_one is not None and from_two is not None
    theirs = transformers_tokenizer(words, merges)("the dog and cats")["input_ids"][1:-1]
    assert from_one.tokens("The dog and cats") == from_two.tokens("the dog and cats") == theirs


def test_a_vocabulary_without_marks_is_refused(tmp_path: Path) -> None:
    tokenizer_files(tmp_path)
    (tmp_path / "vocab.json").write_text('{"a": 0}')
    with pytest.raises(InputError, match=r"vocab.json: the vocabulary has no <\|startoftext\|>"):
        of_folder(tmp_path)
    (tmp_path / "vocab.json").write_text("[1")
    with pytest.raises(InputError, match="not valid JSON"):
        of_folder(tmp_path)


def test_a_letter_that_the_vocabulary_lacks_is_named() -> None:
    words, merges = vocabulary()
    tokenizer = Tokenizer({name: number for name, number in words.items() if name != "q"}, merges, "vocab.json")
    with pytest.raises(InputError, match=r"vocab.json: the vocabulary has no token 'q'"):
        tokenizer.tokens("queue")


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
