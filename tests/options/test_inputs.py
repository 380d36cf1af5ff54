"""What a run is given, and what the command line makes of it."""

from __future__ import annotations

from dataclasses import fields

from vericap.options.inputs import Captioners, Inputs


def test_two_inputs_are_never_taken_for_the_same():
    """Tables and arrays have no plain equality: inputs are themselves alone."""
    captions = {1: "a dog"}
    assert Inputs(captions) != Inputs(captions)
    assert Captioners({"a": captions}) == Captioners({"a": captions})


def test_only_captions_must_be_given():
    assert {each.name for each in fields(Inputs) if each.default is not None and each.name != "candidates"} == {
        "confidence",
        "keep_graphs",
        "megapixels",
    }
    assert Inputs("results.json").references is None


def test_options_that_may_be_repeated_are_those_that_take_several_values():
    several = {each.name for each in fields(Inputs) if "list" in str(each.metadata.get("type"))}
    assert several == {"references", "objects", "confidence", "field"}
