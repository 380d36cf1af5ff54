"""The report of a verdict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.results.test_verdict import VERDICT
from vericap.results.curve import Curve
from vericap.results.verdict import Disagreement, MetricRow
from vericap.show.report.judge_report import best_first, claims_of, clusters, judge_report, matrix
from vericap.stats.resampling import Estimate


def row(metric: str, value: float, *beats: int, higher_is_better: bool = True) -> MetricRow:
    return MetricRow(metric, {"kendall_b": Estimate(value)}, beats=beats, higher_is_better=higher_is_better)


def test_a_new_cluster_starts_where_a_metric_is_beaten_by_one_of_the_last() -> None:
    # a beats c; b beats neither: a and b share the first cluster. d is beaten by c.
    verdict = replace(VERDICT, rows=[row("a", 0.5, 2, 3), row("b", 0.48), row("c", 0.4, 3), row("d", 0.1)])
    assert clusters(verdict) == {"a": 1, "b": 1, "c": 2, "d": 3}


def test_a_negative_correlation_of_an_error_rate_is_agreement() -> None:
    verdict = replace(
        VERDICT, rows=[row("spice", 0.3), row("ter", -0.4, higher_is_better=False), row("x", float("nan"))]
    )
    assert best_first(verdict) == [1, 0, 2]


def test_the_first_sentence_names_the_best_and_the_ceiling_is_said() -> None:
    verdict = replace(VERDICT, ceiling={"kendall_b": 0.75}, bootstrap=100)
    said = claims_of(verdict)
    assert said[0] == "spice agrees best with people: kendall_b 45.0."
    assert said[-1] == "A person agrees with the mean of the other people at 75.0."


def test_disagreements_and_curves_are_there() -> None:
    curve = Curve("accuracy", "references", "accuracy", [1, 2], {"spice": np.array([0.5, 0.6])})
    apart = Disagreement("spice", 7, "a dog", ["r"] * 9, 0.1, 4.0, 1.0, 0.0)
    report = judge_report(replace(VERDICT, disagreements=[apart], curves=[curve]))
    [found] = report["disagreements"]
    assert (found["caption"], found["human"], found["other"], len(found["references"])) == ("a dog", 4.0, None, 5)
    assert report["curves"][0]["values"] == {"spice": [0.5, 0.6]}


def test_the_matrix_has_a_cell_for_each_metric_and_benchmark() -> None:
    found = matrix()
    assert "Flickr8k-Expert τ-c" in found["benchmarks"]
    [spice] = [each for each in found["rows"] if each["metric"] == "spice"]
    assert len(spice["cells"]) == len(found["benchmarks"])
    # Hessel et al. (2021) print 44.9 for SPICE.
    assert spice["cells"][found["benchmarks"].index("Flickr8k-Expert τ-c")].startswith("44.")
