"""The metrics by key. A new one is a file here and a line in `_BUILT_IN`; others' come in by the entry-point
group `vericap.metrics`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache, partial
from importlib.metadata import entry_points

from vericap.errors import InputError
from vericap.metrics.base import Explanation, Metric, Parameter, Part
from vericap.metrics.bleu import Bleu
from vericap.metrics.bleu_smoothed import BleuSmoothed
from vericap.metrics.bleu_unigram import BleuUnigram
from vericap.metrics.cider import Cider
from vericap.metrics.cider_d import CiderD
from vericap.metrics.cider_r import CiderR
from vericap.metrics.rouge_l import RougeL
from vericap.metrics.rouge_su4 import RougeSu4
from vericap.metrics.spice import SPICE_PARTS, Spice, SpiceExact
from vericap.metrics.ter import Ter

__all__ = ["Explanation", "Metric", "Part", "parse", "parse_list", "registry"]

_BUILT_IN: dict[str, Callable[..., Metric]] = {
    **{f"bleu-{n}": partial(Bleu, n) for n in (1, 2, 3, 4)},
    "bleu-unigram": BleuUnigram,
    "bleu-smoothed": BleuSmoothed,
    "rouge-l": RougeL,
    "rouge-su4": RougeSu4,
    "ter": Ter,
    "cider": Cider,
    "cider-d": CiderD,
    "cider-r": CiderR,
    "spice": Spice,
    "spice-exact": SpiceExact,
    **SPICE_PARTS,
}

# The table of a captioning paper.
DEFAULT = ("bleu-1", "bleu-2", "bleu-3", "bleu-4", "meteor", "rouge-l", "cider-d", "cider-r", "spice")


@cache
def registry() -> dict[str, Callable[..., Metric]]:
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
    try:
        if kind == "bool":
            return {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}[text]
        return int(text) if kind == "int" else float(text) if kind == "float" else text
    except (KeyError, ValueError):
        raise InputError(f"{where}: {text!r} is not {'yes or no' if kind == 'bool' else 'a number'}") from None
