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
    assert report["captions"]["objects"] == [[{"label": "dog"}, {"label": "cat"}]]
    assert [(each["key"], each["range"], each["higher_is_better"]) for each in report["metrics"]] == [
        ("ter", [0.0, None], False),
        ("bleu-1", [0.0, 1.0], True),
    ]
    assert all(each["signature"].startswith(f"metric:{each['key']}|") for each in report["metrics"])


def test_an_explanation_made_by_hand_is_drawn_as_well() -> None:
    report = explain_report(Explanations([Explanation("mine", 0.5, "a dog", [])], [7]))
    assert report["metrics"][0]["key"] == "mine" and report["captions"]["scores"] == {"mine": [0.5]}
    assert list(report["explanations"]) == ["0"]
