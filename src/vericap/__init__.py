"""How good is an image caption, and how far can the number be trusted.

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
    from vericap import metrics
    from vericap.comparison import Comparison, compare
    from vericap.corpus import Corpus
    from vericap.errors import InputError
    from vericap.evaluation import Result, evaluate, explain

__all__ = ["Comparison", "Corpus", "InputError", "Result", "__version__", "compare", "evaluate", "explain", "metrics"]

# Imported when first used: `import vericap` stays instant.
_HOME = {
    "Comparison": "vericap.comparison",
    "Corpus": "vericap.corpus",
    "InputError": "vericap.errors",
    "Result": "vericap.evaluation",
    "compare": "vericap.comparison",
    "evaluate": "vericap.evaluation",
    "explain": "vericap.evaluation",
}


def __getattr__(name: str) -> Any:
    if name == "metrics":
        return import_module("vericap.metrics")
    if name not in _HOME:
        raise AttributeError(f"module 'vericap' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
