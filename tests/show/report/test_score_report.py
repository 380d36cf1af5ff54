"""The report of one captioner."""

from __future__ import annotations

import vericap
from vericap.options.page import PageOptions
from vericap.show.report.score_report import score_report

CAPTIONS = [
    {"image_id": i, "caption": f"a {word} runs", "kind": "animal"} for i, word in enumerate(["dog", "cat", "cow"])
]
REFERENCES = {0: ["a dog runs"], 1: ["the cats"], 2: ["one cow"]}


def test_explanations_are_those_of_explain() -> None:
    result = vericap.evaluate(CAPTIONS, REFERENCES, metrics="cider-d,rouge-l")
    found = score_report(result, options=PageOptions(explain="all"))["explanations"]
    why = vericap.explain(CAPTIONS, REFERENCES, image_id=2, metrics="cider-d,rouge-l")
    assert sorted(found) == ["0", "1", "2"]
    assert [each["metric"] for each in found["2"]] == ["cider-d", "rouge-l"]
    # Document frequencies are those of the whole corpus, as in explain.
    assert [list(each["sections"]) for each in found["2"]] == [list(each.sections) for each in why]
    assert [round(each.score, 5) for each in why] == [round(each["score"], 5) for each in found["2"]]


def test_groups_are_there_with_their_intervals() -> None:
    result = vericap.evaluate(CAPTIONS, REFERENCES, metrics="rouge-l", group_by="kind", bootstrap=20)
    [group] = score_report(result)["groups"]
    assert (group["label"], group["captions"]) == ("animal", 3) and len(group["intervals"]["rouge-l"]) == 2
    assert score_report(result)["captions"]["fields"] == {"kind": ["animal"] * 3}
