"""The report of one captioner."""

from __future__ import annotations

import numpy as np

import vericap
from vericap.corpus import Corpus
from vericap.options.page import PageOptions
from vericap.results.scores import MetricResult, Result
from vericap.show.report.score_report import chosen_rows, place, score_report
from vericap.show.report.slices import most_different

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


def result(**columns: list[float]) -> Result:
    rows = len(next(iter(columns.values())))
    corpus = Corpus.from_lists([f"caption {row}" for row in range(rows)])
    scored = {k: MetricResult(k, 0.0, np.array(v), "", higher_is_better=k != "ter") for k, v in columns.items()}
    return Result(corpus, scored)


def test_the_worst_the_best_and_the_most_disputed() -> None:
    # Row 0 is worst and row 7 best by both; on row 3 one metric is highest and the other lowest.
    ours = [0.0, 0.2, 0.3, 0.9, 0.4, 0.5, 0.6, 1.0]
    theirs = [0.1, 0.3, 0.4, 0.0, 0.5, 0.6, 0.7, 1.0]
    assert chosen_rows(result(spice=ours, cider=theirs), 1) == [0, 3, 7]


def test_lower_is_worse_only_where_higher_is_better() -> None:
    found = result(ter=[0.1, 0.5, 0.9])
    assert place(found["ter"]).tolist() == [1.0, 0.5, 0.0]


def test_a_caption_without_a_score_is_not_the_worst() -> None:
    assert 1 not in chosen_rows(result(spice=[0.0, float("nan"), 0.5, 0.9]), 1)


def test_all_are_chosen_where_there_are_no_more() -> None:
    assert chosen_rows(result(spice=[0.1, 0.2]), 2) == [0, 1]
    assert chosen_rows(result(spice=[0.1, 0.2]), 0) == []


def test_both_captioners_get_images_on_which_they_are_better() -> None:
    better = [np.array([5.0, 4.0, 3.0, -0.1]), np.array([5.0, np.nan, 3.0, -0.2])]
    assert most_different(better, 2) == [0, 3]
