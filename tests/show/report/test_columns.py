"""Captions in columns."""

from __future__ import annotations

import numpy as np

from vericap.corpus import Corpus, Objects
from vericap.options.page import PageOptions
from vericap.results.explanation import Explanation, Matrix, Part
from vericap.show.report.columns import caption_columns, described, explained


def two_captions_of_one_image() -> Corpus:
    objects = Objects(
        ("dog", "cat"), np.array([0, 1]), np.array([0, 2]), boxes=np.array([[1.0, 2, 3, 4], [np.nan] * 4])
    )
    return Corpus(
        ["x", "x"], ["a dog", "a cat"], np.array([0, 0]), ["dogs"], np.array([0, 1]), {"who": ["a", None]}, (), objects
    )


def test_what_belongs_to_an_image_is_there_once() -> None:
    columns, _ = caption_columns(two_captions_of_one_image(), {"bleu-1": np.array([1.0, np.nan])}, PageOptions())
    assert (columns["image"], columns["image_ids"], columns["references"]) == ([0, 0], ["x"], [["dogs"]])
    assert columns["objects"] == [[{"label": "dog", "box": [1, 2, 3, 4]}, {"label": "cat"}]]
    assert (columns["fields"], columns["scores"]) == ({"who": ["a", ""]}, {"bleu-1": [1.0, None]})


def test_how_much_there_is() -> None:
    assert described(two_captions_of_one_image()) == "2 captions of 1 image, 1 reference each"
    assert (
        described(Corpus.from_lists(["a", "b"], [["c"], ["d", "e"]]))
        == "2 captions of 2 images, 1 to 2 references each"
    )
    assert described(Corpus.from_lists(["a"])) == "1 caption of 1 image, without references"


def test_all_heat_maps_of_a_metric_share_one_scale_whose_middle_is_0() -> None:
    maps = [
        Explanation("faier", 1.0, "a", [], matrices={"words": Matrix(["dog"], ["a", "b"], np.array([[0.5, -2.0]]))}),
        Explanation("faier", 1.0, "b", [], matrices={"words": Matrix(["dog"], ["c"], np.array([[0.25]]))}),
    ]
    found = explained({0: [maps[0]], 4: [maps[1]]})
    assert [found[row][0]["matrices"]["words"]["reach"] for row in ("0", "4")] == [2.0, 2.0]


def test_what_does_not_exist_is_null_and_parts_keep_their_numbers() -> None:
    sections = {"1-grams": [Part("dog", {"count": 1, "adds": 1 / 3})]}
    [[found]] = explained({0: [Explanation("cider-d", float("nan"), "a", [], {"x": 0.5}, sections)]}).values()
    assert found["score"] is None and found["values"] == {"x": 0.5}
    assert found["sections"] == {"1-grams": [{"text": "dog", "count": 1, "adds": 0.333333}]}
