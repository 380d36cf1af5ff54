"""The benchmarks by name, one file each."""

from __future__ import annotations

from importlib import import_module

from vericap.errors import InputError
from vericap.judge.judgements import Benchmark

_HOME = {
    "flickr8k-expert": "flickr8k_expert",
    "flickr8k-cf": "flickr8k_cf",
    "composite": "composite",
    "pascal-50s": "pascal_50s",
    "abstract-50s": "abstract_50s",
    "elliott-keller": "elliott_keller",
    "coco-2015": "coco_2015",
    "thumb": "thumb",
    "nebula": "nebula",
    "hm-pairs": "hm_pairs",
    "pairs": "pairs",
    "ratings": "ratings",
}
_ALSO = {"polaris": "nebula"}
NAMES = tuple(_HOME)


def benchmark(name: str) -> Benchmark:
    """The benchmark of a name.

    >>> benchmark("flickr8k-expert").citation
    'Hodosh, Young, Hockenmaier. Framing image description as a ranking task. JAIR 47, 2013.'
    """
    home = _HOME.get(_ALSO.get(name, name))
    if home is None:
        raise InputError(f"no benchmark is called {name!r}", field="benchmark", fix=f"use one of {', '.join(NAMES)}")
    found: Benchmark = import_module(f"vericap.judge.benchmarks.{home}").BENCHMARK
    return found
