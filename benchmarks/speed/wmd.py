"""WMD side by side with gensim, in one run: the same captions, words and vectors.

    python -m benchmarks.speed.run wmd
    python -m benchmarks.speed.wmd [--pairs 10000]           the table alone, on a busy machine as well

Captions and references of PASCAL-50S (VERICAP_DATA). Processor time of a caption–reference pair: a busy machine does
not change it much. Ours goes from token ids to scores: content words, vectors, costs, transport; gensim gets its words
as lists.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
from typing import Any

from benchmarks.places import DATA, INPUT, ROOT
from benchmarks.speed.environment import PYTHON, SCRIPTS, NotMeasured, peer_lacks, peer_python
from benchmarks.speed.measure import Command, at_least, at_most, contest, row
from benchmarks.speed.ngrams import score

PAIRS = 10_000
REFERENCES = 5
PASCAL = DATA / "pascal50s"
PEER = "gensim"
PACKAGES = ("gensim", "POT")
TOLERANCE = 1e-9


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    if (reason := peer_lacks("gensim, ot")) is not None:
        raise NotMeasured(reason)
    if not PASCAL.is_dir():
        raise NotMeasured(f"needs {PASCAL.name} in VERICAP_DATA")
    pairs = REFERENCES * min(images, PAIRS // REFERENCES)
    folder = INPUT.relative_to(ROOT) / f"wmd-{pairs}"
    (ROOT / folder).mkdir(parents=True, exist_ok=True)
    ours = Command([PYTHON, "-m", "benchmarks.speed.wmd_alone", str(pairs // REFERENCES), folder], core=0)
    peer = Command([peer_python(), SCRIPTS / "gensim_wmd.py", folder], core=0)
    runs: dict[str, list[dict[str, Any]]] = {"vericap": [], "gensim": []}
    for _ in range(repetitions):
        for name, command in (("vericap", ours), ("gensim", peer)):
            subprocess.run(command.argv(), check=True, cwd=ROOT)
            runs[name].append(json.loads((ROOT / folder / f"{name}.json").read_bytes()))
    whole = score(folder / "results.json", folder / "references.json", folder / "scores.json", "wmd", 1)
    races = contest({"vericap": Command(whole, core=0), "peer": peer}, repetitions=repetitions)
    difference = largest_difference(runs["vericap"][0]["distances"], runs["gensim"][0]["distances"])
    theirs = microseconds(runs["gensim"], "seconds", pairs)
    every, nearest = (microseconds(runs["vericap"], key, pairs) for key in ("every", "nearest"))
    return {
        "title": f"WMD, {pairs:,} caption–reference pairs, one core",
        "peer": PEER,
        "command": str(Command(whole)),
        "rows": [
            at_least("processor time of a pair, every pair solved", every, theirs, 10, unit="µs"),
            row("processor time of a pair, the nearest reference, others pruned", nearest, theirs, unit="µs"),
            row("the whole process, nearest reference", races.seconds("vericap"), races.seconds("peer"), unit="s"),
            row("peak memory (PSS)", races.megabytes("vericap"), races.megabytes("peer"), unit="MB"),
            at_most("largest difference of a distance", difference, bar=TOLERANCE, unit=""),
        ],
        "runs": {
            "alone": {name: [_seconds(each) for each in found] for name, found in runs.items()},
            "whole process": races.to_dict(),
        },
    }


def microseconds(runs: list[dict[str, Any]], key: str, pairs: int) -> float:
    """Return the median of the runs, for a pair."""
    return statistics.median(each[key] for each in runs) / pairs * 1e6


def largest_difference(ours: list[float | None], theirs: list[float | None]) -> float:
    """Return the distances to the nearest reference; None if a caption or all its references have no known word.

    >>> largest_difference([1.0, None, 2.5], [1.5, 3.0, 2.5])
    0.5
    """
    both = [(a, b) for a, b in zip(ours, theirs, strict=True) if a is not None and b is not None]
    return max(abs(a - b) for a, b in both)


def _seconds(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "distances"}


def main() -> None:
    from benchmarks.speed.run import table

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--repetitions", type=int, default=1)
    given = parser.parse_args()
    os.chdir(ROOT)
    print(table(benchmark(given.pairs // REFERENCES, given.repetitions)))


if __name__ == "__main__":
    main()
