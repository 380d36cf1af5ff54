"""Protocols by name: every choice is spelled out, and none is made in silence."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.judging import benchmark, names
from vericap.judging.protocols import Protocol, named


@pytest.mark.parametrize("name", names())
def test_every_benchmark_has_protocols_of_distinct_names(name):
    protocols = benchmark(name).protocols
    assert len({each.name for each in protocols}) == len(protocols) > 0


def test_without_a_name_the_first_is_taken():
    two = (Protocol("first"), Protocol("second"))
    assert named(two, None, "mine").name == "first"
    assert named(two, "second", "mine").name == "second"
    with pytest.raises(InputError, match="mine has no protocol 'third'; use one of first, second"):
        named(two, "third", "mine")


def test_a_number_of_references_means_the_first_unless_they_are_drawn():
    assert Protocol("mine").changed(references_used=3).drawn == "first"
    assert Protocol("mine", drawn="random").changed(references_used=3).drawn == "random"
    assert Protocol("mine").changed(references_used=3, drawn="random").drawn == "random"


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ({"ties": "draw"}, "half, random, lose, win"),
        ({"df": "corpus"}, "rows, images, coco"),
        ({"level": "word"}, "caption"),
    ],
)
def test_a_choice_that_does_not_exist_names_those_that_do(choice, problem):
    with pytest.raises(InputError, match=problem):
        Protocol("mine").changed(**choice)


def test_fewer_than_no_references_are_refused():
    with pytest.raises(InputError, match="give 0 or more"):
        Protocol("mine").changed(references_used=-1)


def test_scores_depend_on_references_and_tokens_and_not_on_ties():
    protocol = Protocol("mine")
    assert protocol.changed(ties="lose", judges="averaged").scoring() == protocol.scoring()
    assert protocol.changed(tokenizer="unicode").scoring() != protocol.scoring()
    assert protocol.changed(references_used=2).scoring() != protocol.scoring()
