"""The metrics by key. A new one is a file here and a line in `_BUILT_IN`; others' come in by the entry-point
group `vericap.metrics`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from vericap.errors import InputError
from vericap.metrics.base import Explanation, Metric, Parameter, Part

__all__ = ["Explanation", "Metric", "Part", "parse", "parse_list", "registry"]

Maker = Callable[..., Metric]


def _of(module: str, name: str, **fixed: Parameter) -> Maker:
    """Makes metrics of a class in a file here, which is imported when the first is made."""

    def make(**parameters: Parameter) -> Metric:
        metric: Metric = getattr(import_module(f"vericap.metrics.{module}"), name)(**fixed, **parameters)
        return metric

    return make


_BUILT_IN: dict[str, Maker] = {
    **{f"bleu-{n}": _of("bleu", "Bleu", n=n) for n in (1, 2, 3, 4)},
    "bleu-unigram": _of("bleu_unigram", "BleuUnigram"),
    "bleu-smoothed": _of("bleu_smoothed", "BleuSmoothed"),
    "meteor": _of("meteor", "Meteor"),
    "rouge-l": _of("rouge_l", "RougeL"),
    "rouge-su4": _of("rouge_su4", "RougeSu4"),
    "ter": _of("ter", "Ter"),
    "cider": _of("cider", "Cider"),
    "cider-d": _of("cider_d", "CiderD"),
    "cider-r": _of("cider_r", "CiderR"),
    "spice": _of("spice", "Spice"),
    "spice-exact": _of("spice", "SpiceExact"),
    **{
        f"spice.{part}": _of("spice", "spice_part", part=part)
        for part in ("object", "relation", "attribute", "color", "cardinality", "size")
    },
}

# The table of a captioning paper.
DEFAULT = ("bleu-1", "bleu-2", "bleu-3", "bleu-4", "meteor", "rouge-l", "cider-d", "cider-r", "spice")


@cache
def registry() -> dict[str, Maker]:
    """Every metric by key: the built-in ones, then those of installed plug-ins."""
    plugins = {point.name: point.load() for point in entry_points(group="vericap.metrics")}
    return {**plugins, **_BUILT_IN}


def parse(key: str) -> Metric:
    """The metric of a key such as `cider-r(k_r=0.5)`; `str` of a metric is such a key.

    >>> parse("cider-r(k_r=0.5)"), str(parse("cider-r(k_r=0.8)"))
    (CiderR(n=4, k_r=0.5, repetition='distinct'), 'cider-r')
    """
    match = re.fullmatch(r"\s*([a-z0-9.-]+)\s*(?:\((.*)\))?\s*", key)
    if match is None:
        raise InputError(f"{key!r} is not a metric", fix="write name or name(parameter=value,…)")
    name, inside = match.groups()
    if name not in registry():
        raise InputError(f"no metric is called {name!r}", fix=f"use one of {' '.join(sorted(registry()))}")
    parameters: dict[str, Parameter] = {}
    make = registry()[name]
    types = {f.name: f.type for f in fields(make())}  # type: ignore[arg-type]  # metrics are dataclasses
    for item in filter(None, (part.strip() for part in (inside or "").split(","))):
        parameter, equals, text = (part.strip() for part in item.partition("="))
        if not equals or parameter not in types:
            raise InputError(f"{name} has no parameter {parameter!r}", fix=f"it has {', '.join(types) or 'none'}")
        parameters[parameter] = _read(text, str(types[parameter]), f"{name}({item})")
    try:
        return make(**parameters)
    except TypeError as error:
        raise InputError(f"{key}: {error}", fix=f"{name} takes {', '.join(types)}") from None


def parse_list(keys: str | Iterable[str | Metric]) -> list[Metric]:
    """Metrics from `a,b(c=1),…` or from a list of keys and metrics; names of sets (`default`) are taken apart.

    >>> [str(m) for m in parse_list("bleu-4, cider-r(k_r=0.5)")]
    ['bleu-4', 'cider-r(k_r=0.5)']
    """
    words = re.findall(r"[^,()]+(?:\([^()]*\))?", keys) if isinstance(keys, str) else list(keys)
    metrics: dict[str, Metric] = {}
    for word in words:
        metric = parse(word) if isinstance(word, str) else word
        metrics.setdefault(metric.key, metric)
    return list(metrics.values())


def _read(text: str, kind: str, where: str) -> Parameter:
    kind = kind.removesuffix(" | None")
    try:
        if kind == "bool":
            return {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}[text]
        return int(text) if kind == "int" else float(text) if kind == "float" else text
    except (KeyError, ValueError):
        raise InputError(f"{where}: {text!r} is not {'yes or no' if kind == 'bool' else 'a number'}") from None
