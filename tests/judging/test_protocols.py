"""Protocols by name: every choice is spelled out, and none is made in silence."""

from __future__ import annotations

from dataclasses import fields

import pytest

from vericap.errors import FormerWord, InputError
from vericap.judging import benchmark, names
from vericap.judging.protocols import AgreementTests, Protocol, ProtocolChoice, named, task_of


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
    assert Protocol("mine").changed(references_used=3).sampling == "first"
    assert Protocol("mine", sampling="random").changed(references_used=3).sampling == "random"
    assert Protocol("mine").changed(references_used=3, sampling="random").sampling == "random"


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ({"ties": "draw"}, "half, random, lose, win"),
        ({"sampling": "some"}, "all, first, random"),
        ({"level": "word"}, "caption"),
    ],
)
def test_a_choice_that_does_not_exist_names_those_that_do(choice, problem):
    with pytest.raises(InputError, match=problem):
        Protocol("mine").changed(**choice)


def test_fewer_than_no_references_are_refused():
    with pytest.raises(InputError, match="use a whole number from 0"):
        Protocol("mine").changed(references_used=-1)


def test_scores_depend_on_references_and_tokens_and_not_on_ties():
    protocol = Protocol("mine")
    assert protocol.changed(ties="lose", judges="averaged").scoring() == protocol.scoring()
    assert protocol.changed(tokenizer="unicode").scoring() != protocol.scoring()
    assert protocol.changed(references_used=2).scoring() != protocol.scoring()


def test_nothing_chosen_changes_nothing():
    assert ProtocolChoice("own-kept").changes() == {}
    protocol = Protocol("mine", ties="lose")
    assert protocol.changed(**ProtocolChoice().changes()) is protocol


def test_zero_references_are_a_choice_too():
    assert ProtocolChoice(references_used=0).changes() == {"references_used": 0}
    assert Protocol("mine").changed(**ProtocolChoice(references_used=0).changes()).references_used == 0


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"bootstrap": -1}, "bootstrap=-1 is out of bounds for judge"),
        ({"bootstrap": 10**12}, "out of bounds"),
        ({"test": "permutation"}, "use one of studentised, bootstrap"),
    ],
)
def test_what_cannot_be_is_refused(options, problem):
    with pytest.raises(InputError, match=problem):
        AgreementTests(**options)


def test_by_default_p_is_not_bounded_by_the_resamples():
    assert (AgreementTests().test, AgreementTests().bootstrap, AgreementTests().against) == ("studentised", 1000, "all")


def test_every_choice_is_one_of_the_protocol():
    choices = {each.name for each in fields(ProtocolChoice)} - {"protocol", "documents"}
    assert choices <= {each.name for each in fields(Protocol)}


def test_options_reach_what_they_belong_to():
    task, tests = task_of(
        "pairs", "mine.csv", "bleu-4", {"ties": "lose", "objects": {1: ["dog"]}, "seed": 4, "against": "bleu-4"}
    )
    assert (task.choice.changes(), task.inputs.objects, task.settings.seed) == ({"ties": "lose"}, {1: ["dog"]}, 4)
    assert tests.against == "bleu-4"


def test_document_frequencies_are_asked_for_as_in_every_verb():
    images = Protocol("mine", df="images")
    assert images.changed(**ProtocolChoice(df="corpus").changes()) is images
    assert Protocol("mine", df="coco").changed(df="corpus").df == "rows"
    assert images.changed(**ProtocolChoice(df="corpus", documents="rows").changes()).df == "rows"
    assert images.changed(**ProtocolChoice(df="my.df").changes()).df == "my.df"
    with pytest.warns(FormerWord, match="df=rows is called documents=rows now"):
        assert ProtocolChoice(df="rows").changes() == {"df": "rows"}
    with pytest.raises(InputError, match="df=coco has documents of its own"):
        ProtocolChoice(df="coco", documents="images")


def test_a_protocol_is_made_and_read_by_former_words_too():
    with pytest.warns(FormerWord, match="drawn is called sampling now|over is called"):
        protocol = Protocol("mine", drawn="random", over="image")
    assert (protocol.sampling, protocol.correlation) == ("random", "image")
    with pytest.warns(FormerWord, match="over is called correlation now"):
        assert protocol.over == "image"
    assert {"drawn", "over"} <= protocol.choices().keys()
