"""The metrics that there are, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import orjson

from vericap.metrics.base import Metric

_EXAMPLE = "mean(spice,cider-r(k_r=0.5),weights=.7:.3,normalize=quantiles)"


def metric_lines(metrics: Mapping[str, Metric]) -> Iterator[str]:
    """Two lines for each metric: the question it answers, what it needs and its range; whom to cite."""
    width = max(map(len, metrics))
    for key, metric in metrics.items():
        needs = ", ".join(metric.needs) or "nothing else"
        better = "higher is better" if metric.higher_is_better else "lower is better"
        yield f"{key:<{width}} {metric.question:<9} needs {needs}; {_range(metric)}, {better}"
        yield f"{'':<{width}} {metric.citation}"
    yield f"{'mean(a,b,…)':<{width}} combines metrics, as in {_EXAMPLE}"


def _range(metric: Metric) -> str:
    low, high = metric.range
    return f"{'−∞' if low is None else f'{low:g}'}–{'∞' if high is None else f'{high:g}'}"


def metric_json(metrics: Mapping[str, Metric]) -> str:
    """A list of objects, one for each metric; a range without a bound has null there."""
    facts = ("question", "needs", "range", "higher_is_better", "citation")
    rows = [{"key": key, **{fact: getattr(metric, fact) for fact in facts}} for key, metric in metrics.items()]
    return orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode()
