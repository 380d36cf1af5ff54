"""Trees and scores are the original's, whatever else is parsed with a sentence."""

from __future__ import annotations

import json
import lzma
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from vericap.kernels import is_compiled
from vericap.scene.stanford.parser import MAX_WORDS, StanfordParser, batches_by_length, lanes_for

SETS = ("odd", "dev", "raw", "coco", "flickr8k", "vg", "long")
SHORT = {
    "a dog": ("(ROOT (FRAG (NP (DT a) (NN dog))))", -21.98109531402588),
    "reflection of boat": ("(ROOT (NP (NP (NN reflection)) (PP (IN of) (NP (NN boat)))))", None),
}


def sentences_of(data: Path, name: str) -> list[dict[str, Any]]:
    with lzma.open(data / "oracle" / "stanford" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [sentence for line in lines for sentence in json.loads(line)["sentences"]]


def check(parser: StanfordParser, sentences: list[dict[str, Any]]) -> None:
    trees = parser.parse([each["words"] for each in sentences])
    assert [str(tree) for tree in trees] == [each["tree"] for each in sentences]
    assert [tree.tags for tree in trees] == [each["tags"] for each in sentences]
    for tree, each in zip(trees, sentences, strict=True):
        assert tree.score == each["score"] or (math.isnan(tree.score) and each["score"] is None), each["words"]


@pytest.mark.parametrize("text", SHORT)
def test_short_captions(parser: StanfordParser, text: str) -> None:
    tree, score = SHORT[text]
    (found,) = parser.parse([text.split()])
    assert str(found) == tree and score in (None, found.score)


@pytest.mark.skipif(not is_compiled("chart"), reason="takes minutes without compiled kernels")
@pytest.mark.parametrize("name", SETS)  # a sample of each: tools/compare_stanford.py compares all
def test_trees_and_scores_are_the_originals(parser: StanfordParser, data: Path, name: str) -> None:
    sentences = sentences_of(data, name)
    few = [each for each in sentences if len(each["words"]) < 32]
    check(parser, few[:: max(len(few) // (10 if name == "long" else 200), 1)])


def test_a_tree_does_not_depend_on_the_batch_or_on_processes(parser: StanfordParser) -> None:
    sentences = [
        f"a {color} {thing}".split() for color in ("red", "grey", "qx") for thing in ("dog", "boats", "Zq")
    ] * 12
    alone = [parser.parse([words])[0] for words in sentences[:9]] * 12
    for workers in (1, 2):
        found = parser.parse_each(sentences, lambda tree: (str(tree), tree.score), workers)
        assert found == [(str(tree), tree.score) for tree in alone]


def test_threads_do_not_share_a_chart(parser: StanfordParser) -> None:
    sentences = [f"a {color} {thing}".split() for color in ("red", "grey", "qx") for thing in ("dog", "boats", "Zq")]
    alone = [str(tree) for tree in parser.parse(sentences)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda words: str(parser.parse([words])[0]), sentences * 4))
    assert found == alone * 4


def test_words_are_shown_as_they_were_given(parser: StanfordParser) -> None:
    grey, gray = parser.parse([["grey", "dog"], ["gray", "dog"]])
    assert str(grey).replace("grey", "gray") == str(gray) and grey.score == gray.score


def test_a_sentence_without_a_parse_is_flat(parser: StanfordParser) -> None:
    boundary, long, empty = parser.parse([["a", ".$.", "dog"], ["a"] * (MAX_WORDS + 1), []])
    assert str(boundary) == "(X (XX a) (XX .$.) (XX dog))" and math.isnan(boundary.score)
    assert len(long.tags) == MAX_WORDS + 1 and set(long.tags) == {"XX"}
    assert empty.tags == []


def test_every_sentence_is_in_one_batch_and_no_batch_is_too_large() -> None:
    sentences = [["a"] * (length % 90) for length in range(2000)]
    batches = list(batches_by_length(sentences))
    assert sorted(i for batch in batches for i in batch) == list(range(2000))
    assert all(len(batch) <= lanes_for(len(sentences[batch[0]])) for batch in batches)
    assert lanes_for(1) == 64 and lanes_for(MAX_WORDS) == 1
