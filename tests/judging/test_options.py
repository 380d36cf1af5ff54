"""Every keyword argument of `judge` belongs to one class, and every field of those classes is one."""

from __future__ import annotations

from dataclasses import fields

import pytest

from vericap import judge
from vericap.judging.options import JudgeOptions, task_of
from vericap.judging.protocol_choice import ProtocolChoice
from vericap.judging.protocols import Protocol
from vericap.judging.tests import AgreementTests


def test_every_option_is_a_field_and_every_field_an_option():
    of_run = {"objects", "confidence", "regions", "images", "detector", "cache", "megapixels"}
    of_run |= {"columns", "score_columns", "missing", "workers", "seed"}
    declared = {each.name for kind in (ProtocolChoice, AgreementTests) for each in fields(kind)}
    assert set(JudgeOptions.__annotations__) == of_run | declared


def test_every_choice_is_one_of_the_protocol():
    choices = {each.name for each in fields(ProtocolChoice)} - {"protocol"}
    assert choices <= {each.name for each in fields(Protocol)}


def test_options_reach_what_they_belong_to():
    task, tests = task_of(
        "pairs", "mine.csv", "bleu-4", {"ties": "lose", "objects": {1: ["dog"]}, "seed": 4, "against": "bleu-4"}
    )
    assert (task.choice.changes(), task.inputs.objects, task.settings.seed) == ({"ties": "lose"}, {1: ["dog"]}, 4)
    assert tests.against == "bleu-4"


def test_a_misspelt_option_is_named_with_the_right_one():
    with pytest.raises(TypeError, match="'reference_used'; did you mean 'references_used'"):
        judge("pairs", "mine.csv", reference_used=5)
