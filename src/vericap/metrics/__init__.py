"""The metrics by key. A new one is a file here and a line in `BUILT_IN`; others' come in by the entry-point group
`vericap.metrics`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from vericap.errors import InputError, not_a_set
from vericap.metrics.base import Metric, Parameter
from vericap.options.declared import field_types, value_of
from vericap.options.keys import Expression, read, wrong
from vericap.plugins import Plugin, added, load_all

if TYPE_CHECKING:
    from vericap.results.explanation import Explanation, Matrix, Part

__all__ = ["Explanation", "Matrix", "Metric", "Part", "parse", "parse_list", "registry"]


def __getattr__(name: str) -> Any:
    """Return what explanations are made of, imported when it is first used."""
    if name in ("Explanation", "Matrix", "Part"):
        return getattr(import_module("vericap.results.explanation"), name)
    raise AttributeError(f"module 'vericap.metrics' has no attribute {name!r}")


@dataclass(frozen=True)
class Entry:
    """A metric's class, imported when it is first asked for, and the parameters that its key fixes."""

    load: Callable[[], type[Metric]]
    fixed: Mapping[str, Parameter] = field(default_factory=dict)

    def make(self, **parameters: Any) -> Metric:
        """Return the metric with these parameters."""
        return self.load().make(**self.fixed, **parameters)

    def parameters(self) -> dict[str, Any]:
        """Return the type of each parameter that may be given."""
        types = field_types(self.load())
        return {name: type_ for name, type_ in types.items() if name not in self.fixed}


def _of(module: str, name: str, **fixed: Parameter) -> Entry:
    def load() -> type[Metric]:
        found: type[Metric] = getattr(import_module(f"vericap.metrics.{module}"), name)
        return found

    return Entry(load, fixed)


BUILT_IN: dict[str, Entry] = {
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
    "verity": _of("verity", "Verity"),
    "verity.fidelity": _of("verity", "VerityFidelity"),
    "verity.adequacy": _of("verity", "VerityAdequacy"),
    **{
        f"spice.{part}": _of("spice", f"Spice{part.capitalize()}")
        for part in ("object", "relation", "attribute", "color", "cardinality", "size")
    },
    "chair-i": _of("chair", "ChairI"),
    "chair-s": _of("chair", "ChairS"),
    "wmd": _of("wmd", "Wmd"),
    "vifidel": _of("vifidel", "Vifidel"),
    "clipscore": _of("clip", "ClipScore"),
    "refclipscore": _of("clip", "RefClipScore"),
    "pacscore": _of("clip", "PacScore"),
    "refpacscore": _of("clip", "RefPacScore"),
    "mid": _of("clip", "Mid"),
    "fluency": _of("fluency", "Fluency"),
    "sbert": _of("sbert", "Sbert"),
    "bertscore": _of("bertscore", "BertScore"),
    "soft-spice": _of("soft_spice", "SoftSpice"),
    "spider": _of("mean", "Spider"),
}

# What takes metrics in its brackets and is a metric again.
COMBINATIONS: dict[str, Entry] = {"mean": _of("mean", "Mean")}

# One word for several metrics.
FAMILIES: dict[str, tuple[str, ...]] = {"bleu": ("bleu-1", "bleu-2", "bleu-3", "bleu-4")}

# The table of a captioning paper.
DEFAULT = ("bleu-1", "bleu-2", "bleu-3", "bleu-4", "meteor", "rouge-l", "cider-d", "cider-r", "spice")
SETS = ("default", "all")
_NAMES = (*BUILT_IN, *COMBINATIONS, *FAMILIES, *SETS)  # that a package cannot take
# The metric that a headline is about: the first of these that was computed, or else the first of all.
HEADLINES = ("cider-d", "spice", "meteor", "cider", "bleu-4")


def registry() -> dict[str, Entry]:
    """Return every metric by key: the built-in ones, then those of installed packages that can be loaded."""
    return {**BUILT_IN, **_loaded_plugins()}


@cache
def _loaded_plugins() -> dict[str, Entry]:
    return {name: Entry(partial(_checked, found, name)) for name, found in load_all("metrics", _NAMES).items()}


def served() -> str:
    """Return the metrics that a server offers if nobody says which: the table of a paper, and those that say so.

    >>> served()
    'default,ter,cider,fluency'
    """
    more = [key for key, entry in registry().items() if key not in DEFAULT and entry.load().served]
    return ",".join(["default", *more])


def plain_name(name: str) -> str:
    """Return the key that people mean: case, `_` and `-` do not matter.

    >>> plain_name("ROUGE_L"), plain_name("Bleu_4"), plain_name("CIDEr-D"), plain_name("bleu4")
    ('rouge-l', 'bleu-4', 'cider-d', 'bleu-4')
    """
    lower = name.lower().replace("_", "-")
    squeezed = {key.replace("-", ""): key for key in _NAMES}
    return squeezed.get(lower.replace("-", ""), lower)


def _added(name: str) -> Entry | None:
    """Return the metric of a package, by name; no other package is imported."""
    there = added("metrics", _NAMES)
    plugin: Plugin | None = there.get(name) or there.get(plain_name(name))
    return None if plugin is None else Entry(lambda: _checked(plugin.load(), plugin.name))


def _checked(found: Any, name: str) -> type[Metric]:
    if not (isinstance(found, type) and issubclass(found, Metric)):
        raise InputError(f"the plug-in {name!r} is not a metric", fix="its entry point must name a vericap.Metric")
    if found.name != name:
        raise InputError(
            f"the plug-in {name!r} is a metric whose name is {found.name!r}", fix="give both the same name"
        )
    return found


def parse(key: str) -> Metric:
    """Return the metric of a key such as `cider-r(k_r=0.5)` or `mean(spice,cider-d)`; `str` of a metric is such a key.

    >>> parse("cider-r(k_r=0.5)"), str(parse("cider-r(k_r=0.8)"))
    (CiderR(n=4, k_r=0.5, repetition='distinct'), 'cider-r')
    """
    found = read(key)
    if len(found) != 1:
        at = found[1].at if found else 0
        raise wrong(key, at, f"{len(found)} metrics where one is asked for", "write name or name(parameter=value,…)")
    return _make(found[0], key)


def parse_list(keys: str | Iterable[str | Metric]) -> list[Metric]:
    """Metrics from `a,b(c=1),…` or from a list of keys and metrics, each once; names of sets mean their metrics.

    >>> [str(m) for m in parse_list("bleu-4, mean(bleu-4,cider-r(k_r=0.5))")]
    ['bleu-4', 'mean(bleu-4,cider-r(k_r=0.5))']
    """
    return [metric for metric, _ in asked(keys)]


def asked(keys: str | Iterable[str | Metric]) -> list[tuple[Metric, bool]]:
    """Return the metrics of `parse_list`, and of each whether it was asked for by name rather than as one of a set.

    >>> [(str(metric), by_name) for metric, by_name in asked("default,ter")][-2:]
    [('spice', False), ('ter', True)]
    """
    found: list[tuple[Metric, bool]] = []
    for key in [keys] if isinstance(keys, str) else not_a_set(keys, "metrics"):
        if not isinstance(key, str):
            found.append((key, True))
            continue
        for expression in read(key):
            name = plain_name(expression.name)
            alone = not (expression.parts or expression.parameters)
            if name in SETS and alone:
                members = DEFAULT if name == "default" else tuple(registry())
                found += [(parse(member), False) for member in members]
            elif name in FAMILIES and alone:
                found += [(parse(member), True) for member in FAMILIES[name]]
            else:
                found.append((_make(expression, key), True))
    metrics: dict[str, tuple[Metric, bool]] = {}
    for metric, by_name in found:
        known = metrics.get(metric.key)
        metrics[metric.key] = (metric, by_name or (known is not None and known[1]))
    return list(metrics.values())


def metric_key(name: str) -> str:
    """Return the key of a metric that is spelled otherwise; what is not a metric stays as it is.

    >>> metric_key("CIDEr-D"), metric_key("image_id")
    ('cider-d', 'image_id')
    """
    try:
        return parse(name).key
    except InputError:
        return name


def _make(expression: Expression, text: str) -> Metric:
    """Return the metric that an expression names; `text` is the whole of what the expression is part of."""
    name = plain_name(expression.name)
    if name in FAMILIES:
        members = ", ".join(FAMILIES[name])
        raise wrong(text, expression.at, f"{name} is several metrics where one is asked for", f"use one of {members}")
    entry = BUILT_IN.get(name) or COMBINATIONS.get(name) or _added(expression.name)
    if entry is None:
        near = get_close_matches(name, [*registry(), *COMBINATIONS], n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        problem = f"no metric is called {expression.name!r}"
        raise wrong(text, expression.at, problem, f"{hint}`vericap metrics` lists them")
    types, given = entry.parameters(), {}
    if name in COMBINATIONS:
        given["parts"] = tuple(_make(part, text) for part in expression.parts)
        del types["parts"]
    elif expression.parts:
        first = expression.parts[0]
        hint = f"it has the parameters {', '.join(types)}" if types else "it has no parameters"
        raise wrong(text, first.at, f"{name} does not take {first.name!r}", f"{hint}; combine metrics by mean(a,b)")
    for parameter, value in expression.parameters.items():
        if parameter not in types:
            fix = f"it has {', '.join(types) or 'no parameters'}"
            raise wrong(text, value.name_at, f"{expression.name} has no parameter {parameter!r}", fix)
        try:
            given[parameter] = value_of(value.text, types[parameter])
        except ValueError as error:
            raise wrong(text, value.at, str(error)) from None
    try:
        return entry.make(**given)
    except InputError as error:
        named = expression.parameters.get(error.field or "")
        at = named.name_at if named else expression.at
        raise wrong(text, at, error.problem, error.fix, error.field) from None
    except TypeError as error:
        raise wrong(text, expression.at, str(error), f"{name} takes {', '.join(types)}") from None
