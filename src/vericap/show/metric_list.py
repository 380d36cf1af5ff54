"""The metrics that there are: a table by the question they answer, a page for each, and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from inspect import getdoc
from typing import Any, Literal, cast, get_args, get_origin

import orjson

from vericap.data import FOLDER
from vericap.metrics import registry
from vericap.metrics.base import Metric
from vericap.options.declared import field_types
from vericap.show.numbers import ARROWS
from vericap.show.screen import WIDTH

QUESTIONS = {
    "fidelity": "is what it says in the picture?",
    "adequacy": "does it say what people would say?",
    "fluency": "is it well said?",
}
_WIDEST = 10_000  # without a screen, lines may be of any length
_EXAMPLE = "mean(spice,cider-r(k_r=0.5),weights=.7:.3,normalize=quantiles)"


def metric_lines(metrics: Mapping[str, Metric], *, citations: bool = False) -> Iterator[str]:
    """Yield a table for each question: range and direction of each metric, what it needs, and what it looks at, which
    is on a line of its own where the screen is narrow."""
    width = max(map(len, metrics))
    needs = {key: _needs(metric) for key, metric in metrics.items()}
    ranges = {key: f"{_range(metric)} {ARROWS[metric.higher_is_better]}" for key, metric in metrics.items()}
    columns = [max(map(len, texts.values())) for texts in (ranges, needs)]
    indent = " " * (2 + width + 2)
    for question, asked in QUESTIONS.items():
        found = {key: metric for key, metric in metrics.items() if metric.question == question}
        if not found:
            continue
        yield f"{question}: {asked}"
        for key, metric in found.items():
            facts = f"{ranges[key]:<{columns[0]}}  {needs[key]:<{columns[1]}}"
            line, summary = f"  {key:<{width}}  {facts}", metric.summarised()
            if len(line) + 2 + len(summary) <= (WIDTH.get() or _WIDEST):
                yield f"{line}  {summary}"
            else:
                yield line.rstrip()
                yield f"{indent}{summary}"
            if citations:
                yield f"{indent}{metric.citation}"
        yield ""
    yield "↑ higher is better, ↓ lower is better"
    yield f"mean(a,b,…) combines metrics, as in {_EXAMPLE}"
    if not citations:
        yield "vericap metrics NAME says all about one; --citations whom to cite"


def metric_page(metric: Metric, signature: str | None, agreement: Mapping[str, str]) -> Iterator[str]:
    """Yield all there is to know about a metric. `signature` is that of an example, `agreement` by benchmark."""
    better = "higher is better" if metric.higher_is_better else "lower is better"
    yield f"{metric.key}: {metric.summarised()}"
    yield ""
    for name, text in {
        "question": f"{metric.question}: {QUESTIONS.get(metric.question, '')}",
        "range": f"{_range(metric)}, {better}",
        "needs": _needs(metric),
        "parameters": ", ".join(f"{name}={value}" for name, value in vars(metric).items()) or "none",
        "signature": signature and f"{signature} (of the captions that ship)",
        "cite": metric.citation,
    }.items():
        if text:
            yield f"{name:<11}{text}"
        if name == "parameters":
            yield from (f"{'':<11}{each['name']}: {each['help']}" for each in parameters(metric) if each["help"])
    yield ""
    if agreement:
        yield "agreement with people, × 100, ± half the 95 % interval (docs/agreement.md):"
        width = max(map(len, agreement))
        yield from (f"  {name:<{width}}  {value}" for name, value in agreement.items())
    else:
        yield "agreement with people: see docs/agreement.md, or `vericap judge list` for what you can measure it with"
    if description := _description(metric):
        yield ""
        yield from description


def agreement() -> dict[str, dict[str, str]]:
    """Return the shipped agreement of metrics with people, by metric and benchmark, as in docs/agreement.md."""
    table: dict[str, dict[str, str]] = orjson.loads((FOLDER / "agreement" / "agreement.json").read_bytes())
    return table


def _description(metric: Metric) -> list[str]:
    """Return the docstring of the metric, with its formula, without what only programmers need."""
    text = (getdoc(type(metric)) or "").partition(">>>")[0]
    kept = [part for part in text.strip().split("\n\n") if not part.lstrip().startswith("Statistics [")]
    return "\n\n".join(kept).rstrip().splitlines()


def _needs(metric: Metric) -> str:
    return " and ".join(metric.needs) or "captions alone"


def _range(metric: Metric) -> str:
    low, high = metric.range
    return f"{'−∞' if low is None else f'{low:g}'}–{'∞' if high is None else f'{high:g}'}"


def metric_json(metrics: Mapping[str, Metric]) -> str:
    """Return a list of objects, one for each metric; a range without a bound has null there."""
    facts = ("question", "needs", "range", "higher_is_better", "citation")
    rows = [
        {"key": key, **{fact: getattr(metric, fact) for fact in facts}, "parameters": parameters(metric)}
        for key, metric in metrics.items()
    ]
    return orjson.dumps(rows, default=str, option=orjson.OPT_INDENT_2).decode()


def parameters(metric: Metric) -> list[dict[str, Any]]:
    """Return the parameters that a metric's key may give: name, default, choices if there are some, and help.

    >>> from vericap.metrics import parse
    >>> [(each["name"], each["default"]) for each in parameters(parse("rouge-su4"))], parameters(parse("bleu-4"))
    ([('skip', 4), ('measure', 'f')], [])
    """
    entry, kind = registry().get(metric.key.partition("(")[0]), cast(Any, type(metric))
    declared, found = {each.name: each for each in fields(kind)}, []
    for name, type_ in (field_types(kind) if entry is None else entry.parameters()).items():
        choices = {"choices": list(get_args(type_))} if get_origin(type_) is Literal else {}
        about = declared[name]
        found.append({"name": name, "default": about.default, **choices, "help": about.metadata.get("help", "")})
    return found
