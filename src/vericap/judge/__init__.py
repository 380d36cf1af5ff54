"""Judging the metrics: how far each agrees with people, with intervals and tests, under a named protocol.

`vericap.judge` is both this package and the function `judge`: `vericap.judge("flickr8k-expert", "DATA")` calls it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vericap.judge.benchmarks import benchmark, names
    from vericap.judge.judgements import Benchmark, Choices, Ratings, Systems
    from vericap.judge.judging import judge, load
    from vericap.judge.protocols import Protocol

__all__ = ["Benchmark", "Choices", "Protocol", "Ratings", "Systems", "benchmark", "judge", "load", "names"]

# Imported when first used, so that the help of the command line is instant.
_HOME = {
    "Benchmark": "vericap.judge.judgements",
    "Choices": "vericap.judge.judgements",
    "Ratings": "vericap.judge.judgements",
    "Systems": "vericap.judge.judgements",
    "NAMES": "vericap.judge.benchmarks",
    "Protocol": "vericap.judge.protocols",
    "benchmark": "vericap.judge.benchmarks",
    "judge": "vericap.judge.judging",
    "load": "vericap.judge.judging",
    "names": "vericap.judge.benchmarks",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'vericap.judge' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


class _Callable(ModuleType):
    """A package that is called as the function of the same name: whoever imports a module of `vericap.judge` makes the
    package an attribute of `vericap`, where users expect the function."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return import_module("vericap.judge.judging").judge(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
