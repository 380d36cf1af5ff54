"""Which metrics are computed: those named must be possible, those of a set are left out with a reason."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.metrics import parse
from vericap.options.inputs import Inputs
from vericap.run.prepare import prepare
from vericap.run.selection import select


@pytest.fixture
def views():
    return prepare(Inputs({1: "a dog", 2: "a cat"}, {1: ["the dog"], 2: ["a cat"]}))


@pytest.fixture
def bare():
    """Captions without references."""
    return prepare(Inputs({1: "a dog"}))


def test_metrics_are_in_the_order_asked_for_and_each_once(views):
    found = select("rouge-l,bleu-1,ROUGE_L", views)
    assert [metric.key for metric in found.metrics] == ["rouge-l", "bleu-1"] and found.notes == ()


def test_what_is_named_must_be_possible(views):
    with pytest.raises(InputError, match="vifidel compares with the objects in the picture, and none were given"):
        select("bleu-1,vifidel", views)
    lenient = select("bleu-1,vifidel", views, lenient=True)
    assert [metric.key for metric in lenient.metrics] == ["bleu-1"]


def test_of_all_those_that_lack_the_same_are_named_in_one_note(views):
    found = select("all", views)
    assert {"bleu-4", "spice", "fluency"} <= {metric.key for metric in found.metrics}
    [note] = [note for note in found.notes if note.startswith("no objects were given")]
    assert all(key in note for key in ("chair-i", "chair-s", "vifidel")) and "add --objects FILE" in note


def test_with_pictures_the_note_names_the_detector(tmp_path):
    seen = prepare(Inputs({1: "a dog"}, {1: ["the dog"]}, images=tmp_path), metrics="all")
    notes = [note for note in select("all", seen).notes if "vifidel" in note or note.startswith("faier left out")]
    assert len(notes) == 2 and all("add --detector ssd" in note and "or --objects FILE" in note for note in notes)


def test_where_nothing_is_left_the_error_says_why(bare):
    with pytest.raises(InputError, match=r"no metric of 'default' can be computed: no references were given"):
        select("default", bare)
    with pytest.raises(InputError, match="no metric was asked for"):
        select([], bare)


def test_cider_by_name_says_which_cider_it_is(views):
    [note] = select("cider", views).notes
    assert "cider-d" in note
    assert not any("COCO's evaluation" in note for note in select("cider-d", views).notes)


def test_metrics_come_as_keys_or_as_objects(views):
    found = select([parse("bleu-1"), "rouge-l"], views)
    assert [metric.key for metric in found.metrics] == ["bleu-1", "rouge-l"]
