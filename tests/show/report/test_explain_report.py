"""The report of explanations."""

from __future__ import annotations

import vericap
from vericap.results.explanation import Explanation, Explanations
from vericap.show.report.explain_report import explain_report


def test_image_id_signature_range_and_objects_are_there() -> None:
    found = vericap.explain(
        {"seven": "a dog"},
        {"seven": ["the dog"]},
        objects={"seven": ["dog", "cat"]},
        image_id="seven",
        metrics="ter,bleu-1",
    )
    report = explain_report(found)
    assert report["captions"]["image_ids"] == ["seven"]
    assert report["captions"]["objects"] == [[{"label": "dog", "hue": 0}, {"label": "cat"}]]
    assert [(each["key"], each["range"], each["higher_is_better"]) for each in report["metrics"]] == [
        ("ter", [0.0, None], False),
        ("bleu-1", [0.0, 1.0], True),
    ]
    assert all(each["signature"].startswith(f"metric:{each['key']}|") for each in report["metrics"])


def test_an_explanation_made_by_hand_is_drawn_as_well() -> None:
    report = explain_report(Explanations([Explanation("mine", 0.5, "a dog", [])], [7]))
    assert report["metrics"][0]["key"] == "mine" and report["captions"]["scores"] == {"mine": [0.5]}
    assert list(report["explanations"]) == ["0"]


def test_words_for_objects_have_the_colour_of_their_boxes() -> None:
    detected = {"label": "dog", "box": [1, 2, 9, 8], "score": 0.9}
    found = vericap.explain(
        {7: "😀 a puppy, a Dog and a <b>cup</b>", 8: "cups"},
        objects={7: [detected, {"label": "cup"}, {"label": "chair"}], 8: [{"label": "cup"}]},
        image_id=[7, 8],
        metrics="vifidel",
    )
    captions = explain_report(found)["captions"]
    dog, cup, chair = captions["objects"][0]
    assert dog == {"label": "dog", "box": [1.0, 2.0, 8.0, 6.0], "confidence": 0.9, "hue": 0}
    assert cup == {"label": "cup", "hue": 1}
    assert chair == {"label": "chair"}  # no caption names it
    # JavaScript counts the emoji as two characters.
    assert captions["mentions"] == [[[5, 10, 0], [14, 17, 0], [27, 30, 1]], [[0, 4, 1]]]
    written = found.to_dict()["explanations"]
    assert [each["words"] for each in written[0]["objects"]] == [["puppy", "Dog"], ["cup"], []]
    assert written[0]["objects"][0]["confidence"] == 0.9
    assert written[1]["objects"] == [{"label": "cup", "words": ["cups"]}]
