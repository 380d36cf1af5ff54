"""Judging the metrics: how far each agrees with people, with intervals and tests, under a named protocol."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vericap.judging.benchmarks import benchmark, names
    from vericap.judging.judgements import Benchmark, Choices, Ratings, Systems
    from vericap.judging.protocols import Protocol
    from vericap.judging.reading import load
    from vericap.judging.run import judge

__all__ = ["Benchmark", "Choices", "Protocol", "Ratings", "Systems", "benchmark", "judge", "load", "names"]

# Imported when first used, so that the help of the command line is instant.
_HOME = {
    **dict.fromkeys(("Benchmark", "Choices", "Ratings", "Systems"), "vericap.judging.judgements"),
    **dict.fromkeys(("NAMES", "benchmark", "names"), "vericap.judging.benchmarks"),
    "Protocol": "vericap.judging.protocols",
    "judge": "vericap.judging.run",
    "load": "vericap.judging.reading",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'vericap.judging' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
