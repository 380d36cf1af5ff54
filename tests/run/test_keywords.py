"""Keyword arguments are the declared fields, no more and no fewer, in signatures, documentation and static types."""

from __future__ import annotations

import inspect
from typing import Any, get_type_hints

import pytest

import vericap
from vericap.judging.protocols import JUDGE, JudgeOptions
from vericap.options.keywords import Keywords
from vericap.run.keywords import COMPARE, EVALUATE, RUN, CompareOptions, EvaluateOptions, Options

FUNCTIONS = {
    vericap.evaluate: (EVALUATE, EvaluateOptions),
    vericap.compare: (COMPARE, CompareOptions),
    vericap.explain: (RUN, Options),
    vericap.stream: (RUN, Options),
    vericap.judge: (JUDGE, JudgeOptions),
}


@pytest.mark.parametrize(("keywords", "types"), FUNCTIONS.values(), ids=[each.__name__ for each in FUNCTIONS])
def test_the_types_for_static_checkers_are_those_that_are_declared(keywords: Keywords, types: Any) -> None:
    from vericap.lexicon.frequencies import DocumentFrequencies
    from vericap.vision.detectors import Detector

    names = {"DocumentFrequencies": DocumentFrequencies, "Detector": Detector}
    hints = get_type_hints(types, localns=names)
    former = {word: keywords.types[name] for word, name in keywords.former.items() if name in keywords.fields}
    assert hints.keys() == keywords.types.keys() | former.keys()
    for name, declared in (keywords.types | former).items():
        assert declared is Any or hints[name] == declared, name


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_every_option_is_in_the_signature_and_in_the_documentation(function: Any) -> None:
    keywords, _ = FUNCTIONS[function]
    parameters = inspect.signature(function).parameters
    for name, (_, each) in keywords.fields.items():
        assert parameters[name].default == each.default
        assert f"    {name} : " in function.__doc__ and each.metadata["help"] in function.__doc__
        assert each.metadata["help"].endswith("."), name
    assert not any(each.kind is each.VAR_KEYWORD for each in parameters.values())
