"""CHAIR counts mentions of objects that are not in the picture."""

from __future__ import annotations

import numpy as np
import pytest

from vericap import evaluate, explain
from vericap.errors import InputError
from vericap.metrics import parse

CANDIDATES = {1: "A dog and two cats on a bench.", 2: "a man rides a horse", 3: "the sky is blue", 4: "a bus and a bus"}
REFERENCES = {1: ["a puppy sleeps"], 2: ["a cowboy on his pony"], 3: ["a plane in the sky"], 4: ["a street"]}
OBJECTS = {1: ["bench"], 2: ["Person", "horse"], 3: [], 4: ["car", "tree", "Traffic_Light"]}


def run(key: str, **given: object):
    return evaluate(CANDIDATES, REFERENCES, objects=OBJECTS, metrics=key, **given)[parse(key).key]


@pytest.mark.parametrize(
    "truth, captions, corpus",
    [
        ("union", [1 / 3, 0, 0, 1], 3 / 7),
        ("labels", [2 / 3, 0, 0, 1], 4 / 7),
        ("references", [2 / 3, 0, 0, 1], 4 / 7),
    ],
)
def test_chair_i_is_hallucinated_mentions_over_mentions(truth, captions, corpus):
    result = run(f"chair-i(truth={truth})")
    assert result.captions.tolist() == pytest.approx(captions)
    assert result.score == pytest.approx(corpus)  # no mean over captions


def test_chair_s_is_the_share_of_captions_with_a_hallucination():
    result = run("chair-s")
    assert result.captions.tolist() == [1, 0, 0, 1] and result.score == 0.5


def test_lower_is_better_and_both_are_between_0_and_1():
    for key in ("chair-i", "chair-s"):
        metric = parse(key)
        assert not metric.higher_is_better and metric.range == (0.0, 1.0) and metric.question == "fidelity"


def test_each_truth_asks_for_what_it_needs_only():
    assert parse("chair-i").needs == ("objects", "references")
    assert parse("chair-i(truth=labels)").needs == ("objects",)
    with pytest.raises(InputError, match="chair-i compares with the objects in the picture"):
        evaluate(CANDIDATES, REFERENCES, metrics="chair-i")
    assert evaluate(CANDIDATES, objects=OBJECTS, metrics="chair-s(truth=labels)").results
    alone = evaluate(CANDIDATES, objects=OBJECTS, metrics="chair-s")
    assert list(alone.results) == ["chair-s(truth=labels)"]
    assert "no references were given, so chair-s is computed without them, as chair-s(truth=labels)" in alone.notes
    assert evaluate(CANDIDATES, REFERENCES, metrics="chair-s(truth=references)").results
    with pytest.raises(InputError, match="'gold' is not one of union, labels, references"):
        parse("chair-i(truth=gold)")


def test_words_are_english():
    with pytest.raises(InputError, match="finds objects by English words"):
        evaluate({1: "ein Hund"}, {1: ["Hund"]}, metrics="chair-i(truth=references)", language="de")


def test_the_original_rules_do_not_see_a_bus():
    assert run("chair-i(rules=original)").captions[3] == 0


def test_no_mention_anywhere_leaves_the_corpus_undefined():
    result = evaluate({1: "the sky"}, {1: ["blue"]}, metrics="chair-i(truth=references)")
    [chair] = result.values()
    assert np.isnan(chair.score) and chair.captions.tolist() == [0.0]
    assert result.to_dict()["metrics"][chair.key]["score"] is None


def test_resampling_sums_first():
    metric = parse("chair-i")
    statistics = np.array([[4.0, 1.0], [1.0, 1.0]])
    assert metric.aggregate(statistics, np.array([2.0, 1.0])) == pytest.approx(3 / 9)
    low, high = run("chair-i", bootstrap=100).interval
    assert 0 <= low < 3 / 7 < high <= 1


def test_explain_shows_what_was_hallucinated_and_what_was_left_out():
    [why] = explain(CANDIDATES, REFERENCES, objects=OBJECTS, image_id=1, metrics="chair-i")
    assert [(part.text, part.values["object"]) for part in why.sections["hallucinated"]] == [("cats", "cat")]
    assert [part.text for part in why.sections["in the picture"]] == ["dog", "bench"]
    [why] = explain(CANDIDATES, REFERENCES, objects=OBJECTS, image_id=4, metrics="chair-s")
    assert [part.text for part in why.sections["not mentioned"]] == ["car", "traffic light"]


def test_the_signature_names_truth_words_and_objects():
    signature = run("chair-i").signature
    assert "|truth:union|words:mended@" in signature and "|objects:" in signature
    assert "|objects:" not in run("chair-i(truth=references)").signature


def test_in_a_combination_hallucination_is_turned_round():
    key = "mean(chair-s,rouge-l,normalize=range)"
    both, rouge = run(key).captions, run("rouge-l").captions
    assert both == pytest.approx(([0, 1, 1, 0] + rouge) / 2)


def test_several_captions_of_an_image_share_its_truth():
    rows = [{"image_id": 1, "caption": "a dog"}, {"image_id": 1, "caption": "a cat"}]
    result = evaluate(rows, {1: ["a puppy"]}, metrics="chair-s(truth=references)", repeated="keep")
    assert next(iter(result.values())).captions.tolist() == [0, 1]


def test_labels_that_are_not_cocos_are_named():
    result = evaluate(CANDIDATES, REFERENCES, objects=OBJECTS, metrics="chair-i,chair-s(truth=references)")
    assert [note for note in result.notes if "80 classes" in note] == [
        "chair-i: labels outside COCO's 80 classes do not count: tree"
    ]
