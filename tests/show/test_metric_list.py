"""The list of metrics, and the page of one."""

from __future__ import annotations

import orjson

from vericap.metrics import parse, parse_list
from vericap.show.metric_list import metric_json, metric_lines, metric_page
from vericap.show.screen import on_screen

METRICS = {metric.key: metric for metric in parse_list("bleu-4,ter,vifidel,fluency")}


def test_metrics_stand_under_the_question_they_answer() -> None:
    lines = list(metric_lines(METRICS))
    heads = [line.partition(":")[0] for line in lines if line[:1].isalpha() and "?" in line]
    assert heads == ["fidelity", "adequacy", "fluency"]
    [bleu] = [line for line in lines if line.startswith("  bleu-4 ")]
    assert bleu.split()[1:4] == ["0–1", "↑", "references"]
    [ter] = [line for line in lines if line.startswith("  ter ")]
    assert ter.split()[1:3] == ["0–∞", "↓"]
    assert not any(metric.citation in line for metric in METRICS.values() for line in lines)


def test_a_narrow_screen_has_what_a_metric_looks_at_on_its_own_line() -> None:
    with on_screen(78):
        lines = list(metric_lines(METRICS))
    place = next(number for number, line in enumerate(lines) if line.startswith("  ter "))
    assert lines[place + 1].strip() == "edits that make the caption its nearest reference, per word"
    assert all(len(line) <= 78 for line in lines[:-3])


def test_citations_come_if_asked_for() -> None:
    text = "\n".join(metric_lines(METRICS, citations=True))
    assert all(metric.citation in text for metric in METRICS.values())


def test_the_page_of_a_metric_has_its_formula_signature_and_agreement() -> None:
    cider = parse("cider-r(k_r=0.5)")
    text = "\n".join(metric_page(cider, "metric:cider-r|k_r:0.5", {"Flickr8k-Expert τ-c": "44.3 ± 2.1"}))
    for part in ("k_r=0.5", "0–10, higher is better", "metric:cider-r|k_r:0.5", cider.citation, "44.3 ± 2.1", "$$"):
        assert part in text
    assert ">>>" not in text and "Statistics [" not in text
    assert "see docs/agreement.md" in "\n".join(metric_page(cider, None, {}))


def test_json_has_null_where_a_range_has_no_bound() -> None:
    rows = orjson.loads(metric_json(METRICS))
    assert [row["key"] for row in rows] == list(METRICS) and rows[1]["range"] == [0.0, None]
