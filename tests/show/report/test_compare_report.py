"""The report of a comparison."""

from __future__ import annotations

import pytest

import vericap
from vericap.options.page import PageOptions
from vericap.show.report.compare_report import compare_report

REFERENCES = {i: [f"a {animal} runs"] for i, animal in enumerate(["dog", "cat", "cow", "pig"])}
EXACT = {i: given[0] for i, given in REFERENCES.items()}
VAGUE = {**dict.fromkeys(REFERENCES, "an animal"), 1: "a cat"}


@pytest.fixture(scope="module")
def found() -> vericap.Comparison:
    return vericap.compare({"exact": EXACT, "vague": VAGUE}, REFERENCES, metrics="rouge-l,cider-d", bootstrap=50)


def test_captions_that_differ_most_are_explained_for_both(found: vericap.Comparison) -> None:
    report = compare_report(found, options=PageOptions(explain="2"))
    rows = [sorted(each) for each in report["explanations"]]
    assert rows[0] == rows[1] and 0 < len(rows[0]) <= 2
    # The two captions of image 1 are nearest to each other.
    assert "1" not in rows[0]


def test_explanations_have_the_scores_of_the_comparison(found: vericap.Comparison) -> None:
    report = compare_report(found, options=PageOptions(explain="all"))
    for name, explained in zip(found, report["explanations"], strict=True):
        for row, each in explained.items():
            scores = {one["metric"]: one["score"] for one in each}
            assert scores == pytest.approx({key: found[name][key].captions[int(row)] for key in scores}, abs=1e-5)


def test_differences_of_all_metrics_are_on_one_axis(found: vericap.Comparison) -> None:
    for metric in compare_report(found)["metrics"]:
        [pair] = metric["pairs"]
        # In standard deviations: the sign stays, and the metric's own range does not matter.
        assert pair["scaled"] * pair["difference"] > 0 and abs(pair["scaled"]) < 3
