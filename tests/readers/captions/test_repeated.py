"""Several captions for one image: one rule, whatever the shape in which they come."""

from __future__ import annotations

from typing import Any

import pytest

import vericap
from vericap.errors import InputError
from vericap.readers import load

SHAPES: list[Any] = [
    {7: ["a dog", "dogs"], 8: ["a cat"]},
    [{"image_id": 7, "caption": "a dog"}, {"image_id": 7, "caption": "dogs"}, {"image_id": 8, "caption": "a cat"}],
    {"image_id": [7, 7, 8], "caption": ["a dog", "dogs", "a cat"]},
    {7: [{"caption": "a dog"}, {"caption": "dogs"}], 8: [{"caption": "a cat"}]},
]
REFERENCES = {7: ["dogs"], 8: ["a cat"]}


@pytest.mark.parametrize("shape", SHAPES)
def test_one_rule_for_every_shape(shape: Any) -> None:
    with pytest.raises(InputError, match=r"image 7 has .*--repeated first, keep or best"):
        load(shape, REFERENCES)
    assert load(shape, REFERENCES, repeated="first").candidates == ["a dog", "a cat"]
    assert load(shape, REFERENCES, repeated="keep").candidates == ["a dog", "dogs", "a cat"]
    best = vericap.evaluate(shape, REFERENCES, metrics="rouge-l,bleu-1", repeated="best")
    assert best.corpus.candidates == ["dogs", "a cat"]
    assert best["rouge-l"].score == 1 and len(best["bleu-1"].captions) == 2
    assert "the best of each image by rouge-l" in best.notes[-1]


def test_a_list_with_one_caption_is_one_caption() -> None:
    assert load({7: ["a dog"], 8: ["a cat"]}, REFERENCES).candidates == ["a dog", "a cat"]
    assert load([["a dog"], ["a cat"]]).candidates == ["a dog", "a cat"]


def test_first_says_how_many_it_left_out_and_keeps_the_fields_of_the_rest() -> None:
    rows = [{"image_id": i, "caption": c, "model": m} for i, c, m in [(7, "a", "x"), (7, "b", "y"), (8, "c", "z")]]
    corpus = load(rows, repeated="first", fields=["model"])
    assert corpus.fields["model"] == ["x", "z"]
    assert corpus.notes == ("1 caption of images that have one already left out",)


def test_the_best_of_an_error_rate_is_the_lowest() -> None:
    best = vericap.evaluate({7: ["a dog", "dogs"], 8: "a cat"}, REFERENCES, metrics="ter", repeated="best")
    assert best.corpus.candidates == ["dogs", "a cat"] and best["ter"].score == 0


def test_each_captioner_has_its_own_best() -> None:
    found = vericap.compare(
        {"one": {7: ["a dog", "dogs"], 8: "a cat"}, "two": {7: ["dogs", "x"], 8: "cat"}},
        REFERENCES,
        metrics="rouge-l",
        repeated="best",
        bootstrap=10,
    )
    assert found.results["one"].corpus.candidates == ["dogs", "a cat"]
    assert found.results["two"].corpus.candidates == ["dogs", "cat"]
