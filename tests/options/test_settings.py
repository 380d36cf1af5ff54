"""Settings hold for every verb, and what cannot be is refused before any work."""

from __future__ import annotations

import pytest

from vericap import evaluate
from vericap.errors import InputError
from vericap.options.settings import Settings


@pytest.mark.parametrize(("field", "value"), [("missing", "ignore"), ("repeated", "last of all")])
def test_a_choice_that_does_not_exist_names_those_that_do(field, value):
    with pytest.raises(InputError, match=rf'field "{field}".*use one of error, '):
        Settings(**{field: value})
    with pytest.raises(InputError, match=f'field "{field}"'):
        evaluate({1: "a dog"}, {1: ["a dog"]}, **{field: value})


def test_the_defaults_are_cocos():
    settings = Settings()
    assert (settings.tokenizer, settings.language, settings.df, settings.seed) == ("ptb", "en", "corpus", 0)
    assert (settings.missing, settings.repeated) == ("error", "error")


def test_the_seed_moves_intervals_and_nothing_else():
    captions = {k: "a dog runs" if k % 3 else "a cat" for k in range(30)}
    references = {k: ["a dog runs on grass"] for k in captions}
    same, again, other = (
        evaluate(captions, references, metrics="rouge-l", bootstrap=50, seed=seed)["rouge-l"] for seed in (1, 1, 2)
    )
    assert same.interval == again.interval != other.interval
    assert same.score == other.score and same.signature == other.signature
