"""A server's numbers are those of `evaluate`."""

import pytest

import vericap
from tests.streaming.demo_rows import demo_rows, references_by_id
from vericap.errors import InputError
from vericap.options.settings import Settings
from vericap.serve.request import ScoreRequest
from vericap.serve.scorer import Scorer

METRICS = "bleu-4,cider-d,rouge-l,fluency"


@pytest.fixture(scope="module")
def scorer():
    return Scorer.load(Settings(df="coco"), METRICS, references_by_id())


def test_scores_are_those_of_evaluate(scorer):
    rows = demo_rows(20)
    captions, references = [row["caption"] for row in rows], [row["references"] for row in rows]
    found = scorer.score(ScoreRequest([None] * 20, captions, references))
    expected = vericap.evaluate(captions, references, metrics=METRICS, df="coco").to_dict()
    assert found["metrics"] == expected["metrics"] and found["captions"] == expected["captions"]


def test_loaded_references_are_found_by_any_spelling_of_the_id(scorer):
    references = references_by_id()
    found = [
        scorer.score(ScoreRequest([image_id], ["a woman cooks"], [given], ["bleu-4", "cider-d"]))["metrics"]
        for image_id, given in ((1, None), ("0001.jpg", None), (None, references[1]))
    ]
    assert found[0] == found[1] == found[2]


def test_a_row_without_an_id_does_not_take_the_references_of_an_image(scorer):
    with pytest.raises(InputError, match='row 2, field "references": the row has no references; send them'):
        scorer.score(ScoreRequest([None, None], ["a", "b"], [["a"], None]))
    with pytest.raises(InputError, match="and those of image 999 are not loaded"):
        scorer.score(ScoreRequest([999], ["a"], [None]))


def test_captions_alone_are_enough_for_metrics_that_need_no_references(scorer):
    assert scorer.score(ScoreRequest([None], ["a dog"], [None], ["fluency"]))["captions"][0]["scores"]["fluency"] > 0


def test_metrics_of_pictures_cannot_be_offered():
    with pytest.raises(InputError, match="vifidel needs objects, which requests do not have"):
        Scorer.load(Settings(), "vifidel")
