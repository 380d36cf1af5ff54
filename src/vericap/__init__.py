"""Vericap tells how good an image caption is, and how far the number can be trusted.

>>> import vericap
>>> result = vericap.evaluate({1: "a dog runs"}, {1: ["a dog runs on grass"]}, metrics="rouge-l")
>>> round(result["rouge-l"].score, 4)
0.7176
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from vericap.version import __version__

if TYPE_CHECKING:
    from vericap import metrics, reward
    from vericap.corpus import Corpus
    from vericap.errors import InputError
    from vericap.judging import judge
    from vericap.metrics.base import Metric
    from vericap.results.comparison import Comparison
    from vericap.results.explanation import Explanation
    from vericap.results.scores import Result
    from vericap.results.verdict import Verdict
    from vericap.reward import Reward
    from vericap.run.compare import compare
    from vericap.run.evaluate import evaluate
    from vericap.run.explain import explain
    from vericap.streaming.run import stream

__all__ = [
    "Comparison",
    "Corpus",
    "Explanation",
    "InputError",
    "Metric",
    "Result",
    "Reward",
    "Verdict",
    "__version__",
    "compare",
    "evaluate",
    "explain",
    "judge",
    "metrics",
    "reward",
    "stream",
]

# Imported when first used: `import vericap` stays instant.
_HOME = {
    "Comparison": "vericap.results.comparison",
    "Corpus": "vericap.corpus",
    "Explanation": "vericap.results.explanation",
    "InputError": "vericap.errors",
    "Metric": "vericap.metrics.base",
    "Result": "vericap.results.scores",
    "Reward": "vericap.reward",
    "Verdict": "vericap.results.verdict",
    "compare": "vericap.run.compare",
    "evaluate": "vericap.run.evaluate",
    "explain": "vericap.run.explain",
    "judge": "vericap.judging",
    "stream": "vericap.streaming.run",
}


def __getattr__(name: str) -> Any:
    if name in ("metrics", "reward"):
        return import_module(f"vericap.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'vericap' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
