"""Inputs become views in one place, whatever shape they have."""

from __future__ import annotations

import pytest

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.options.inputs import Captioners, Inputs
from vericap.options.settings import Settings
from vericap.run.prepare import prepare


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
