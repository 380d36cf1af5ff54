"""A verdict as plain data."""

from __future__ import annotations

import json

import numpy as np
import pytest

from vericap.results.verdict import MetricRow, PublishedValue, Verdict
from vericap.stats.resampling import Estimate

ROWS = [
    MetricRow("bleu-4", {"kendall_b": Estimate(0.31, (0.29, 0.33)), "M1.pearson": Estimate(float("nan"))}, ties=0.1),
    MetricRow("spice", {"kendall_b": Estimate(0.45)}, deviation={"kendall_b": 0.01}, beats=[0]),
]
VERDICT = Verdict(
    "mine",
    "captions of mine",
    "Me. 2026.",
    "usual",
    "usual (me): judges apart",
    {"judges": "apart"},
    12,
    ROWS,
    "kendall_b",
    published=[PublishedValue("spice", "kendall_b", 44.0, 45.0, "Me (2026)", "Table 1")],
)


def test_rows_by_metric() -> None:
    assert list(VERDICT) == ["bleu-4", "spice"]
    assert VERDICT["spice"] is ROWS[1]
    with pytest.raises(KeyError, match="cider"):
        VERDICT["cider"]


def test_a_measure_that_the_benchmark_does_not_have_is_nan() -> None:
    assert np.isnan(VERDICT["spice"].value("accuracy.all"))
    assert VERDICT.measures() == ["kendall_b", "M1.pearson"]


def test_json_has_no_nan_and_nests_measures_with_a_dot() -> None:
    found = json.loads(json.dumps(VERDICT.to_dict(), allow_nan=False))
    bleu, spice = found["rows"]
    assert bleu["M1"] == {"pearson": None}
    assert bleu["interval"] == {"kendall_b": [0.29, 0.33]}
    assert spice["ties"] is None and spice["beats"] == ["bleu-4"] and spice["deviation"] == {"kendall_b": 0.01}
    assert [each["difference"] for each in spice["published"]] == [1.0] and bleu["published"] == []
    assert (found["protocol"], found["choices"], found["citation"]) == ("usual", {"judges": "apart"}, "Me. 2026.")
    assert "ceiling" not in found and "wilson" not in bleu
