"""The former place of `vericap.judging`: `vericap.judge` is the function, and its former names are attributes of it.

`import vericap.judge` gives the function too, whoever imports what and when.
"""

from __future__ import annotations

import sys
import warnings

from vericap.judging import (
    Benchmark,
    Choices,
    Protocol,
    Ratings,
    Systems,
    benchmark,
    benchmarks,
    judge,
    judgements,
    load,
    names,
    protocols,
)
from vericap.judging.benchmarks import NAMES

__all__ = ["NAMES", "Benchmark", "Choices", "Protocol", "Ratings", "Systems", "benchmark", "judge", "load", "names"]

warnings.warn("import from vericap.judging: the module vericap.judge goes in 0.4", DeprecationWarning, stacklevel=2)

vars(judge).update({name: globals()[name] for name in __all__}, __all__=__all__)
for module in (benchmarks, judgements, protocols):
    name = module.__name__.rpartition(".")[2]
    vars(judge)[name] = sys.modules[f"{__name__}.{name}"] = module
sys.modules[__name__] = judge  # type: ignore[assignment]  # what an import of this module gives
