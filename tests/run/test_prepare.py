"""Inputs become views in one place, whatever shape they have."""

from __future__ import annotations

from typing import Any

import pytest

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.options.inputs import Captioners, Inputs
from vericap.options.settings import Settings
from vericap.readers.objects import add_objects
from vericap.run.prepare import prepare, with_detector


def test_a_ready_corpus_is_taken_as_it_is() -> None:
    corpus = Corpus.from_lists(["a dog"], [["the dog"]])
    assert prepare(Inputs(corpus)).corpus is corpus


def test_captioners_are_texts_of_their_own() -> None:
    systems = {"one": {1: "a dog", 2: "a cat"}, "two": {1: "dogs", 2: "cats"}, "three": {2: "x", 1: "y"}}
    views = prepare(Inputs(Captioners(systems), {1: ["a dog"], 2: ["a cat"]}))
    assert views.source.first_rows == [2, 4]
    assert views.corpus.candidates == ["a dog", "a cat", "dogs", "cats", "x", "y"]


def test_settings_reach_the_views() -> None:
    views = prepare(Inputs({1: "Ein Hund"}, {1: ["Hund"]}), Settings(tokenizer="unicode", language="de", workers=2))
    assert (views.tokenizer, views.language, views.workers) == ("unicode", "de", 2)


def test_objects_become_columns_of_the_corpus() -> None:
    views = prepare(Inputs({1: "a dog"}, objects={1: [{"label": "dog", "score": 0.4}, "cat"]}, confidence=0.3))
    assert views.corpus.objects_of(0) == ["dog", "cat"]


@pytest.mark.parametrize(("field", "value"), [("missing", "sometimes"), ("repeated", "maybe")])
def test_a_setting_that_is_not_a_choice_is_refused(field: str, value: str) -> None:
    with pytest.raises(InputError, match=f"{field}={value} is not a choice"):
        Settings(**{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "metrics", ["vifidel", "chair-i", "faier", "mean(vifidel,cider-d)", ["bleu-4", "chair-s"], [parse("vifidel")]]
)
def test_metrics_that_need_objects(metrics: Any) -> None:
    assert with_detector(Inputs({7: "a dog"}, images="pictures"), metrics).detector == "ssd"


@pytest.mark.parametrize("metrics", ["bleu-4", "default", "all", "fluency,aier", "vifidel(objects=references)"])
def test_metrics_that_need_none(metrics: str) -> None:
    assert with_detector(Inputs({7: "a dog"}, images="pictures"), metrics).detector is None


@pytest.mark.parametrize(
    "more",
    [
        {"objects": {7: ["dog"]}},
        {"regions": "regions.npz"},
        {"detector": "other"},
        {"images": None},
        {"images": "https://example.org/{id}.jpg"},
        {"candidates": add_objects(Corpus.from_lists(["a dog"], image_ids=[7]), {7: ["dog"]})},
    ],
)
def test_what_was_given_is_not_looked_for(more: dict[str, Any]) -> None:
    inputs = Inputs(**{"candidates": {7: "a dog"}, "images": "pictures", **more})
    assert with_detector(inputs, "vifidel") is inputs
