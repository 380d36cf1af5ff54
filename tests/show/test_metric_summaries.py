"""Metrics in one line."""

from __future__ import annotations

from vericap.metrics import parse, registry
from vericap.show.metric_summaries import QUESTIONS, summary_of


def test_every_metric_has_a_line_and_a_question() -> None:
    for key, entry in registry().items():
        metric = entry.make()
        assert 5 < len(summary_of(key, metric)) <= 100 and metric.question in QUESTIONS


def test_parameters_do_not_change_the_line_and_others_have_their_docstring() -> None:
    assert summary_of("cider-r(k_r=0.5)", parse("cider-r")) == summary_of("cider-r", parse("cider-r"))
    assert summary_of("mean(spice,cider-d)", parse("mean(spice,cider-d)")).startswith("The weighted mean of its parts'")
