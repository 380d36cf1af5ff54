"""The PTB tokens are those of CoreNLP 3.4.1 as COCO's evaluation runs it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from vericap.text import ptb
from vericap.text.ptb import encode_coco, tokenize, tokenize_coco, tokenize_coco_many

LINE_ENDS = dict.fromkeys(map(ord, "\n\r\v\f\u2028\u2029"), " ")
ODD_LINES = Path(__file__).with_name("ptb_lines.jsonl")


def captions_in(content: Any) -> Iterator[str]:
    """Every string of a JSON value, in order."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list | dict):
        for part in content.values() if isinstance(content, dict) else content:
            yield from captions_in(part)


@pytest.mark.parametrize("side", ["cands", "refs"])
@pytest.mark.parametrize("name", ["fakecap1000", "k5k_nn", "pascal1000"])
def test_every_line_equals_cocos(name, side, oracle):
    captions = list(captions_in(oracle(f"{name}.input")[side]))
    expected = list(captions_in(oracle(f"{name}.tokenized")[side]))
    assert [" ".join(tokens) for tokens in tokenize_coco_many(captions)] == expected
    vocabulary: dict[str, int] = {}
    ids, offsets = encode_coco(captions, vocabulary)
    words = list(vocabulary)
    spelled = [" ".join(words[i] for i in ids[offsets[r] : offsets[r + 1]]) for r in range(len(captions))]
    assert spelled == expected


def test_odd_captions_alone(oracle):
    for case in oracle("ptb_edge_solo"):
        if case["in"] == case["in"].translate(LINE_ENDS):
            assert [" ".join(tokenize_coco(case["in"]))] == case["out"]


def test_odd_captions_in_a_batch_keep_their_rows(oracle):
    """The original's rows shift by one at each carriage return or U+2028; here every caption has its own tokens."""
    captions = [case["in"] for case in oracle("ptb_edge_batch")]
    alone = {case["in"]: case["out"][0] for case in oracle("ptb_edge_solo")}
    alone |= {"carriage\rreturn inside": "carriage return inside", "a b\u2028c line sep": "a b c line sep"}
    alone |= {"line1\nline2": "line1 line2"}
    assert [" ".join(tokens) for tokens in tokenize_coco_many(captions)] == [alone[caption] for caption in captions]


def test_punctuation_is_kept_as_in_the_pairs(data):
    raw = (data / "ptb_tokenizer_pairs" / "hypo.txt").read_text("utf-8").split("\n")
    expected = (data / "ptb_tokenizer_pairs" / "tokenized_hypo.txt").read_text("utf-8").split("\n")
    assert [" ".join(tokenize(*pair)) for pair in zip(raw, [*raw[1:], ""], strict=True)] == expected


def test_odd_lines():
    """Lines made up by chance, with the tokens the original gave them: `tools/compare_ptb.py`."""
    rows = [json.loads(row) for row in ODD_LINES.read_text("utf-8").split("\n") if row]
    lines = [line for line, _ in rows]
    for (line, expected), following in zip(rows, [*lines[1:], ""], strict=True):
        assert tokenize(line, following) == expected


def spelled(captions: list[str]) -> list[list[str]]:
    """Tokens by the kernel that reads bytes, however few captions there are."""
    ids, offsets = ptb.encode_coco(captions, vocabulary := {})
    words = list(vocabulary)
    return [[words[i] for i in ids[a:b]] for a, b in pairwise(offsets)]


def test_odd_lines_as_bytes() -> None:
    rows = [json.loads(row) for row in ODD_LINES.read_text("utf-8").split("\n") if row]
    expected = [[token for token in tokens if token not in ptb.PUNCTUATION] for _, tokens in rows]
    assert spelled([line for line, _ in rows]) == expected


def test_pairs_as_bytes(data: Path) -> None:
    raw, tokenized = ((data / "ptb_tokenizer_pairs" / name) for name in ("hypo.txt", "tokenized_hypo.txt"))
    expected = [line.split(" ") if line else [] for line in tokenized.read_text("utf-8").split("\n")]
    without = [[token for token in tokens if token not in ptb.PUNCTUATION] for tokens in expected]
    assert spelled(raw.read_text("utf-8").split("\n")) == without


def test_odd_captions_as_bytes(oracle: Any) -> None:
    for case in oracle("ptb_edge_solo"):
        if case["in"] == case["in"].translate(LINE_ENDS):
            assert [" ".join(tokens) for tokens in spelled([case["in"]])] == case["out"]


@pytest.mark.parametrize(
    "file, digest",
    [
        ("ciderr/pracegover_triplets.json", "897f06af64734a52"),
        ("ciderr/pracegover_duplications.json", "de8824a3440ec1f8"),
        ("coco_val2017/captions_val2017.json", "a1dcf5f749336ec4"),
        ("composite/composite_joined.json", "dc4f168c2e0ba59f"),
        ("pascal50s/pascal50s_refs_by_image.json", "fb9602c8fcea052f"),
    ],
)
def test_captions_as_people_wrote_them(file, digest, data):
    """The digest is of what the original prints; Portuguese with hashtags and emoji, and English."""
    text = (data / file).read_text("utf-8")
    captions = list(dict.fromkeys(caption.translate(LINE_ENDS) for caption in captions_in(json.loads(text))))
    captions = captions[:: max(1, len(captions) // 6000)]
    printed = "\n".join(" ".join(tokenize(*pair)) for pair in zip(captions, [*captions[1:], ""], strict=True))
    assert hashlib.sha256(printed.encode()).hexdigest().startswith(digest)
