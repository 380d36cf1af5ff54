"""Word pieces are those of the `tokenizers` package, to the last id and character."""

from __future__ import annotations

import json
import random
import unicodedata
from pathlib import Path

import pytest

from tests.encoders.models import PIECES
from vericap.encoders.wordpiece import LONGEST_WORD, WordPiece
from vericap.errors import InputError

tokenizers = pytest.importorskip("tokenizers")

ODD = [
    "",
    " \t\n ",
    "Ｗide　space, no‐break\u00a0space\u2028line",
    "zero\u200bwidth joi\u200dner soft\u00adhyphen \ufeffmark \ufffd\x00\x1f\x85\x0b\x1c",
    "ÉLÈVE e\u0301le\u0300ve Ångström İstanbul ΣΊΣΥΦΟΣ straße ǅ ﬁne ½ x² ½",
    "中文dog字 한국어 日本語ｶﾞ ไทย नमस्ते اَلْعَرَبِيَّة",
    "🐕👨‍👩‍👧‍👦 dog™ …–—‘’“” $5.00 a_b <tag> 50% C++",
    "[MASK] the[CLS]dog [UNK] [mask] [SEP",
    "x" * LONGEST_WORD + " " + "x" * (LONGEST_WORD + 1) + " " + "é" * LONGEST_WORD,
]


def ours(folder: Path) -> WordPiece:
    return WordPiece((folder / "vocab.txt").read_text("utf-8").removesuffix("\n").split("\n"))


def original(pieces: list[str], *, lower: bool = True):
    """The tokenizer that transformers makes of a BERT vocabulary."""
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=lower)
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.post_processor = tokenizers.processors.BertProcessing(
        ("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"])
    )
    made.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    return made


def assert_same(pieces: WordPiece, other, texts: list[str]) -> None:
    found = pieces(texts)
    for i, (text, expected) in enumerate(zip(texts, other.encode_batch(texts), strict=True)):
        assert found.ids[i].tolist() == expected.ids, text
        assert found.spans(i)[1:-1] == expected.offsets[1:-1], text


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("text", ODD)
def test_odd_texts(text: str, lower: bool) -> None:
    assert_same(WordPiece(PIECES, lower=lower), original(PIECES, lower=lower), [text])


def test_odd_texts_with_the_vocabulary_of_bert(minilm: Path) -> None:
    pieces = ours(minilm)
    assert_same(pieces, original(list(pieces.pieces)), ODD)


def test_random_characters(minilm: Path) -> None:
    draw = random.Random(0)
    pool = [*map(chr, range(0x250)), *"".join(ODD), "dog", "running", "[MASK]", " ", " "]
    texts = ["".join(draw.choices(pool, k=draw.randint(0, 30))) for _ in range(3000)]
    pieces = ours(minilm)
    assert_same(pieces, original(list(pieces.pieces)), texts)


def test_every_character_of_unicode_3(minilm: Path) -> None:
    """Later versions of Unicode moved a few characters between categories; the two packages know different versions."""
    old = unicodedata.ucd_3_2_0
    codes = [code for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    texts = [f"do{chr(code)}g" for code in codes if old.category(chr(code)) == unicodedata.category(chr(code)) != "Cn"]
    assert len(texts) > 90_000
    pieces = ours(minilm)
    assert_same(pieces, original(list(pieces.pieces)), texts)


def test_captions_of_coco(minilm: Path, data: Path) -> None:
    annotations = json.loads((data / "coco_val2017" / "captions_val2017.json").read_text("utf-8"))["annotations"]
    captions = [annotation["caption"] for annotation in annotations]
    assert len(captions) == 25_014
    pieces = ours(minilm)
    assert_same(pieces, original(list(pieces.pieces)), captions)


def test_cutting_keeps_the_last_piece() -> None:
    pieces, other = WordPiece(PIECES), original(PIECES)
    other.enable_truncation(6)
    texts = ["a dog runs on the street", "a dog runs on", "a dog runs on it"]
    found = pieces(texts, 6)
    assert [ids.tolist() for ids in found.ids] == [each.ids for each in other.encode_batch(texts)]
    assert found.cut.tolist() == [True, False, True]
    assert found.spans(0)[-1] == (13, 13)  # [SEP] stands after the last word that is left


def test_words_are_numbered() -> None:
    found = WordPiece(PIECES)(["dogs, a cat"])
    words = [PIECES[i] for i in found.ids[0].tolist()]
    assert words == ["[CLS]", "dog", "##s", ",", "a", "cat", "[SEP]"]
    assert found.word.tolist() == [-1, 0, 0, 1, 2, 3, -1]


def test_a_vocabulary_without_unknown_words_is_an_error() -> None:
    with pytest.raises(InputError, match=r"has no piece \[UNK\]"):
        WordPiece(["[CLS]", "[SEP]", "dog"])
