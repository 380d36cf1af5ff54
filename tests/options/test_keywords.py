"""An unknown keyword argument is refused, and a former one works and says when it goes."""

from __future__ import annotations

from typing import Any

import pytest

import vericap
from vericap.errors import FormerWord

REFERENCES = {1: ["a dog"]}


def test_a_misspelt_option_is_named_with_the_right_one() -> None:
    with pytest.raises(TypeError, match="'tokeniser'; did you mean 'tokenizer'"):
        vericap.evaluate({1: "a dog"}, REFERENCES, tokeniser="ptb")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="'reference_used'; did you mean 'references_used'"):
        vericap.judge("pairs", "mine.csv", reference_used=5)  # type: ignore[call-arg]


def test_a_former_word_works_and_says_at_the_users_line_when_it_goes() -> None:
    rows = [{"image_id": 1, "answer": "a dog"}]
    with pytest.warns(FormerWord, match="columns is called field now; columns goes in 0.4") as warned:
        found = vericap.evaluate(rows, REFERENCES, metrics="rouge-l", columns={"caption": "answer"})
    assert found.scores == vericap.evaluate(rows, REFERENCES, metrics="rouge-l", field=["caption=answer"]).scores
    assert warned[0].filename == __file__
    both: Any = {"columns": None, "field": None}
    with pytest.raises(TypeError, match="same argument"), pytest.warns(FormerWord):
        vericap.evaluate(rows, REFERENCES, **both)


def test_resamples_of_python_are_checked_like_those_of_the_command_line() -> None:
    with pytest.raises(vericap.InputError, match="bootstrap=-1 is out of bounds for a table of scores"):
        vericap.evaluate({1: "a dog"}, REFERENCES, bootstrap=-1)
