"""An error of the input names the file, the row, the field and the fix, in this order, and leaves out what it lacks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import vericap
from vericap.compat.aligned import measured
from vericap.compat.lmms_eval import process_results
from vericap.compat.pycocoevalcap.bleu.bleu import Bleu
from vericap.compat.trl import reward_function
from vericap.compat.verl import compute_score, compute_score_batch
from vericap.compat.vlmevalkit import COCO_Caption_Scorer
from vericap.errors import InputError, MetricError, VericapError


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "the caption is a number"),
        ({"fix": "write a string"}, "the caption is a number; write a string"),
        ({"row": 0}, "row 0: the caption is a number"),
        ({"source": "a.json", "field": "caption"}, 'a.json, field "caption": the caption is a number'),
        (
            {"source": "a.json", "row": "3 (line 4)", "field": "caption", "fix": "write a string"},
            'a.json, row 3 (line 4), field "caption": the caption is a number; write a string',
        ),
    ],
)
def test_the_message_says_where_then_what_then_the_fix(given: dict[str, str], message: str) -> None:
    error = InputError("the caption is a number", **given)  # type: ignore[arg-type]
    assert str(error) == message
    assert error.problem == "the caption is a number"
    assert [error.source, error.row, error.field, error.fix] == [
        given.get(name) for name in ("source", "row", "field", "fix")
    ]


def test_wrong_input_is_a_value_error_and_a_broken_metric_is_not() -> None:
    assert issubclass(InputError, ValueError) and issubclass(InputError, VericapError)
    assert issubclass(MetricError, VericapError) and not issubclass(MetricError, ValueError)


CAPTIONS, REFERENCES = ["a dog runs", "a cat"], [["a dog", "dogs"], ["the cat"]]
SET = frozenset(CAPTIONS)
DOCUMENT = {"question_id": 1, "answer": ["a dog"]}


def reward() -> vericap.Reward:
    return vericap.Reward("rouge-l", {1: ["a dog runs"], 2: ["a cat"]})


@pytest.mark.parametrize(
    ("field", "call"),
    [
        ("candidates", lambda: vericap.evaluate(SET, REFERENCES)),
        ("candidates", lambda: vericap.evaluate(set(SET), REFERENCES)),
        ("references", lambda: vericap.evaluate(CAPTIONS, SET)),
        ("references", lambda: vericap.evaluate(CAPTIONS, {Path("a.txt"), Path("b.txt")})),
        ("metrics", lambda: vericap.evaluate(CAPTIONS, REFERENCES, metrics={"bleu-1", "cider-d"})),
        ("second", lambda: vericap.compare({"first": CAPTIONS, "second": SET}, REFERENCES)),
        ("metrics", lambda: vericap.compare({"a": CAPTIONS, "b": CAPTIONS}, REFERENCES, metrics={"bleu-1"})),
        ("candidates", lambda: vericap.explain(SET, REFERENCES, image_id=0)),
        ("image_id", lambda: vericap.explain(CAPTIONS, REFERENCES, image_id={0, 1})),
        ("metrics", lambda: vericap.explain(CAPTIONS, REFERENCES, image_id=0, metrics={"bleu-1"})),
        ("candidates", lambda: list(vericap.stream({"a.jsonl", "b.jsonl"}))),
        ("metrics", lambda: vericap.metrics.parse_list({"bleu-1", "cider-d"})),
        ("candidates", lambda: vericap.Corpus.from_lists(SET, REFERENCES)),
        ("references", lambda: vericap.Corpus.from_lists(CAPTIONS, SET)),
        ("references", lambda: vericap.Reward("rouge-l", SET)),
        ("samples", lambda: reward()(SET, [1, 2])),
        ("samples", lambda: reward()([["a", "dog"], {"a", "cat"}], [1, 2])),
        ("image_ids", lambda: reward()(CAPTIONS, {1, 2})),
        ("vocabulary", lambda: vericap.Reward("rouge-l", {1: ["a dog"]}, vocabulary={"a", "dog"})),
        ("captions", lambda: measured(SET, REFERENCES, "bleu-1")),
        ("references", lambda: measured(CAPTIONS, SET, "bleu-1")),
        ("metrics", lambda: measured(CAPTIONS, REFERENCES, {"bleu-1", "ter"})),
        ("solution_strs", lambda: compute_score_batch(["", ""], SET, REFERENCES)),
        ("ground_truths", lambda: compute_score_batch(["", ""], CAPTIONS, SET)),
        ("completions", lambda: reward_function(reward())(completions=SET, image_id=[1, 2])),
        ("image_id", lambda: reward_function(reward())(completions=CAPTIONS, image_id={1, 2})),
        ("ref", lambda: COCO_Caption_Scorer({1: SET}, {1: ["a dog"]}).compute_scores()),
        ("results", lambda: process_results(DOCUMENT, SET)),
        ("metrics", lambda: process_results(DOCUMENT, CAPTIONS, metrics={"bleu-1", "cider-d"})),
    ],
)
def test_a_set_is_refused_where_order_counts(field: str, call: Callable[[], object]) -> None:
    """The order of a set of strings is another one in each process, so rows would meet the references of others."""
    with pytest.raises(InputError, match=rf'field "{field}": .*(is a|of type) (frozen)?set.*; give .*list'):
        call()


def test_a_set_of_candidates_is_refused_with_both_ways_out() -> None:
    with pytest.raises(InputError) as caught:
        vericap.evaluate({"a dog", "a cat"}, REFERENCES)
    said = "this is a set, whose order differs from run to run; give a list, or {image id: caption}"
    assert str(caught.value) == f'field "candidates": {said}'


@pytest.mark.parametrize("references", [[{"a dog", "dogs"}], {0: {"a dog", "dogs"}}])
def test_a_set_of_the_references_of_one_image_is_refused_by_its_reader(references: object) -> None:
    with pytest.raises(InputError, match="of type set; write each caption as a string, several as a list"):
        vericap.evaluate(["a dog"], references)
    with pytest.raises(InputError, match=r"gts\[0\] is not a list of captions"):
        Bleu().compute_score({0: {"a dog"}}, {0: ["a dog"]})


def test_what_has_an_order_is_taken_as_it_was() -> None:
    by_id = dict(enumerate(CAPTIONS))
    listed = vericap.evaluate(CAPTIONS, REFERENCES, metrics=["bleu-1"])["bleu-1"].captions.tolist()
    for given in (by_id.values(), dict.fromkeys(CAPTIONS).keys(), iter(CAPTIONS), tuple(CAPTIONS)):
        found = vericap.evaluate(given, REFERENCES, metrics=dict.fromkeys(["bleu-1"]).keys())
        assert found["bleu-1"].captions.tolist() == listed
    # Among the references of one sample, order changes no number.
    assert compute_score("", "a dog", {"a dog", "dogs"}, metric="rouge-l") == 1
