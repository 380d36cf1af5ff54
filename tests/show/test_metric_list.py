"""The list of metrics."""

from __future__ import annotations

import orjson

from vericap.metrics import parse_list
from vericap.show.metric_list import metric_json, metric_lines

METRICS = {metric.key: metric for metric in parse_list("bleu-4,ter,vifidel,fluency")}


def test_each_metric_says_what_it_needs_and_whom_to_cite() -> None:
    lines = list(metric_lines(METRICS))
    assert lines[0].startswith("bleu-4") and "needs references; 0–1, higher is better" in lines[0]
    assert "0–∞, lower is better" in lines[2] and "needs objects" in lines[4]
    assert all(metric.citation in line for metric, line in zip(METRICS.values(), lines[1::2], strict=False))


def test_json_has_null_where_a_range_has_no_bound() -> None:
    rows = orjson.loads(metric_json(METRICS))
    assert [row["key"] for row in rows] == list(METRICS) and rows[1]["range"] == [0.0, None]
