"""The benchmarks by name, with the files that read them; others come in by the entry-point group
`vericap.benchmarks`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from vericap.errors import InputError
from vericap.judging.judgements import Benchmark
from vericap.plugins import added

_HOME = {
    "flickr8k-expert": "flickr8k.EXPERT",
    "flickr8k-cf": "flickr8k.CF",
    "composite": "composite.BENCHMARK",
    "pascal-50s": "pascal_50s.BENCHMARK",
    "abstract-50s": "abstract_50s.BENCHMARK",
    "elliott-keller": "elliott_keller.BENCHMARK",
    "coco-2015": "coco_2015.BENCHMARK",
    "thumb": "thumb.BENCHMARK",
    "nebula": "nebula.BENCHMARK",
    "polaris": "nebula.POLARIS",
    "hm-pairs": "hm_pairs.BENCHMARK",
    "pairs": "pairs.BENCHMARK",
    "ratings": "ratings.BENCHMARK",
}
NAMES = tuple(_HOME)


def names() -> tuple[str, ...]:
    """The benchmarks by name: the built-in ones, then those of installed packages."""
    return (*NAMES, *added("benchmarks", NAMES))


def benchmark(name: str) -> Benchmark:
    """The benchmark of a name.

    >>> benchmark("flickr8k-expert").citation
    'Hodosh, Young, Hockenmaier. Framing image description as a ranking task. JAIR 47, 2013.'
    """
    if name in _HOME:
        module, _, constant = _HOME[name].partition(".")
        found: Benchmark = getattr(import_module(f"vericap.judging.benchmarks.{module}"), constant)
        return found
    plugin = added("benchmarks", NAMES).get(name)
    if plugin is None:
        raise InputError(f"no benchmark is called {name!r}", field="benchmark", fix=f"use one of {', '.join(names())}")
    loaded = plugin.load()
    if not isinstance(loaded, Benchmark):
        raise InputError(
            f"benchmark {name!r} of the package {plugin.package} is not a Benchmark",
            field="benchmark",
            fix="its entry point must name a vericap.judging.judgements.Benchmark",
        )
    return loaded


def require_fields(row: Any, fields: tuple[str, ...], source: str, number: int, fix: str | None = None) -> None:
    """Raise an error that names the first field that a row does not have.

    >>> require_fields({"caption": "a dog"}, ("caption", "score"), "mine.json", 3)
    Traceback (most recent call last):
    vericap.errors.InputError: mine.json, row 3, field "score": the row has no such field; rows have caption, score
    """
    missing = next((name for name in fields if not isinstance(row, dict) or name not in row), None)
    if missing is not None:
        fix = fix or f"rows have {', '.join(fields)}"
        raise InputError("the row has no such field", source=source, row=number, field=missing, fix=fix)
