"""The metrics by key. A new one is a file here and a line in `_BUILT_IN`; others' come in by the entry-point
group `vericap.metrics`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from difflib import get_close_matches
from functools import cache, partial
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from vericap.errors import InputError
from vericap.metrics.base import Metric, Parameter
from vericap.metrics.expressions import Expression, read, wrong
from vericap.results.explanation import Explanation, Matrix, Part

__all__ = ["Explanation", "Matrix", "Metric", "Part", "parse", "parse_list", "registry"]

Maker = Callable[..., Metric]


def _of(module: str, name: str, **fixed: Parameter) -> Maker:
    """Makes metrics of a class in a file here, which is imported when the first is made."""

    def make(**parameters: Any) -> Metric:
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
    "faier": _of("faier", "Faier"),
    "fier": _of("faier", "Fier"),
    "aier": _of("faier", "Aier"),
    "spice.object": _of("spice", "SpiceObject"),
    "spice.relation": _of("spice", "SpiceRelation"),
    "spice.attribute": _of("spice", "SpiceAttribute"),
    "spice.color": _of("spice", "SpiceColor"),
    "spice.cardinality": _of("spice", "SpiceCardinality"),
    "spice.size": _of("spice", "SpiceSize"),
    "chair-i": _of("chair", "ChairI"),
    "chair-s": _of("chair", "ChairS"),
    "wmd": _of("wmd", "Wmd"),
    "vifidel": _of("released_vifidel", "vifidel"),
    "fluency": _of("fluency", "Fluency"),
    "spider": _of("mean", "Spider"),
}

# What takes metrics in its brackets and is a metric again.
COMBINATIONS: dict[str, Maker] = {"mean": _of("mean", "Mean")}

# The table of a captioning paper.
DEFAULT = ("bleu-1", "bleu-2", "bleu-3", "bleu-4", "meteor", "rouge-l", "cider-d", "cider-r", "spice")
SETS = ("default", "all")


@cache
def registry() -> dict[str, Maker]:
    """Every metric by key: the built-in ones, then those of installed plug-ins."""
    plugins = {point.name: point.load() for point in entry_points(group="vericap.metrics")}
    return {**plugins, **_BUILT_IN}


def parse(key: str) -> Metric:
    """The metric of a key such as `cider-r(k_r=0.5)` or `mean(spice,cider-d)`; `str` of a metric is such a key.

    >>> parse("cider-r(k_r=0.5)"), str(parse("cider-r(k_r=0.8)"))
    (CiderR(n=4, k_r=0.5, repetition='distinct'), 'cider-r')
    """
    found = read(key)
    if len(found) != 1:
        at = found[1].at if found else 0
        raise wrong(key, at, f"{len(found)} metrics where one is asked for", "write name or name(parameter=value,…)")
    return _make(found[0], key)


def parse_list(keys: str | Iterable[str | Metric]) -> list[Metric]:
    """Metrics from `a,b(c=1),…` or from a list of keys and metrics, each once; names of sets stand for their metrics.

    >>> [str(m) for m in parse_list("bleu-4, mean(bleu-4,cider-r(k_r=0.5))")]
    ['bleu-4', 'mean(bleu-4,cider-r(k_r=0.5))']
    """
    return [metric for metric, _ in asked(keys)]


def asked(keys: str | Iterable[str | Metric]) -> list[tuple[Metric, bool]]:
    """The metrics of `parse_list`, and of each whether it was asked for by name rather than as one of a set.

    >>> [(str(metric), by_name) for metric, by_name in asked("default,ter")][-2:]
    [('spice', False), ('ter', True)]
    """
    found: list[tuple[Metric, bool]] = []
    for key in [keys] if isinstance(keys, str) else keys:
        if not isinstance(key, str):
            found.append((key, True))
            continue
        for expression in read(key):
            if expression.name in SETS and not (expression.parts or expression.parameters):
                members = DEFAULT if expression.name == "default" else tuple(registry())
                found += [(parse(member), False) for member in members]
            else:
                found.append((_make(expression, key), True))
    metrics: dict[str, tuple[Metric, bool]] = {}
    for metric, by_name in found:
        known = metrics.get(metric.key)
        metrics[metric.key] = (metric, by_name or (known is not None and known[1]))
    return list(metrics.values())


def _make(expression: Expression, text: str) -> Metric:
    """The metric that an expression names; `text` is what the expression stands in."""
    name, at = expression.name, expression.at
    if name in COMBINATIONS:
        parts = tuple(_make(part, text) for part in expression.parts)
        make: Maker = partial(COMBINATIONS[name], parts=parts)
        takes = {"weights": "tuple[float, ...]", "normalize": "str"}
    elif name in registry():
        make = registry()[name]
        takes = {f.name: str(f.type) for f in fields(make()) if f.init}  # type: ignore[arg-type]  # dataclasses
        if expression.parts:
            first = expression.parts[0]
            hint = f"it has the parameters {', '.join(takes)}" if takes else "it has no parameters"
            raise wrong(text, first.at, f"{name} takes no {first.name!r}", f"{hint}; combine metrics by mean(a,b)")
    else:
        known = [*registry(), *COMBINATIONS]
        near = get_close_matches(name, known, n=3, cutoff=0.5)
        fix = f"did you mean {' or '.join(near)}? " if near else ""
        raise wrong(text, at, f"no metric is called {name!r}", f"{fix}`vericap metrics` lists them")
    given: dict[str, Parameter] = {}
    for parameter, value in expression.parameters.items():
        if parameter not in takes:
            fix = f"it has {', '.join(takes) or 'none'}"
            raise wrong(text, value.name_at, f"{name} has no parameter {parameter!r}", fix)
        try:
            given[parameter] = _read(value.text, takes[parameter])
        except ValueError as error:
            raise wrong(text, value.at, f"{value.text!r} is not {error}") from None
    try:
        return make(**given)
    except InputError as error:
        named = expression.parameters.get(error.field or "")
        raise wrong(text, named.name_at if named else at, error.problem, error.fix, error.field) from None
    except TypeError as error:
        raise wrong(text, at, str(error), f"{name} takes {', '.join(takes)}") from None


def _read(text: str, kind: str) -> Parameter:
    """A parameter's value by the type of its field; a ValueError says what it is not."""
    kind = kind.removesuffix(" | None")
    try:
        if kind == "bool":
            return {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}[text]
        if kind == "tuple[float, ...]":
            return tuple(map(float, text.split(":")))
        return int(text) if kind == "int" else float(text) if kind == "float" else text
    except KeyError:
        raise ValueError("yes or no") from None
    except ValueError:
        raise ValueError("numbers with colons between" if kind.startswith("tuple") else "a number") from None
