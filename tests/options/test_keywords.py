"""Keyword arguments are the fields of Inputs and Settings, no more and no fewer."""

from __future__ import annotations

from dataclasses import fields

import pytest

from vericap import evaluate
from vericap.options.inputs import Inputs
from vericap.options.keywords import Options
from vericap.options.settings import Settings


def test_every_field_is_an_option_and_every_option_a_field() -> None:
    names = {each.name for each in (*fields(Inputs), *fields(Settings))} - {"candidates", "references"}
    assert set(Options.__annotations__) == names


def test_every_field_has_a_help_text_for_the_command_line() -> None:
    for each in (*fields(Inputs)[1:], *fields(Settings)):
        assert each.metadata["help"].endswith("."), each.name


def test_a_misspelt_option_is_named_with_the_right_one() -> None:
    with pytest.raises(TypeError, match="'tokeniser'; did you mean 'tokenizer'"):
        evaluate({1: "a dog"}, {1: ["a dog"]}, tokeniser="ptb")  # type: ignore[call-arg]
