"""CLIP's ViT-B/32 on a processor: pictures and captions per second, compared with Hugging Face transformers with the
same weights. They are random and made in the run: real ones come from no package registry, and take as long.

    python -m benchmarks.speed.run clip
    python -m benchmarks.speed.clip [--pictures 200] [--captions 1000] [--repetitions 1]

Both sides read and decode the same files and texts, on two threads. Vericap reads pictures in threads while the network
computes, and encodes captions in an order of their lengths; transformers is used as its examples do, 32 at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.places import INPUT, ROOT
from benchmarks.speed.environment import PYTHON, NotMeasured
from benchmarks.speed.measure import TWO_CORES, Command, at_most, row

PICTURES, CAPTIONS = 200, 1_000
PACKAGES = ("torch", "transformers")
SIDES = ("vericap", "transformers")
NEEDED = ("torch", "transformers", "PIL", "skimage", "sklearn", "matplotlib")


def benchmark(images: int, repetitions: int, pictures: int = PICTURES, captions: int = CAPTIONS) -> dict[str, Any]:
    if lacking := [name for name in NEEDED if find_spec(name) is None]:
        raise NotMeasured(f"not installed: {', '.join(lacking)}")
    pictures, captions = min(images, pictures), min(images, captions)
    folder = INPUT / "clip"
    made = [PYTHON, "-m", "benchmarks.speed.clip_made", folder, str(pictures), str(captions)]
    subprocess.run(made, check=True, cwd=ROOT)
    runs: dict[str, list[dict[str, float]]] = {side: [] for side in SIDES}
    for _ in range(repetitions):
        for side in SIDES:
            runs[side].append(alone(side, folder))
    ours, theirs = (
        {name: statistics.median(each[name] for each in runs[side]) for name in runs[side][0]} for side in SIDES
    )
    rows = []
    for name, count, what in (("pictures", pictures, "reading included"), ("captions", captions, "tokens included")):
        rows.append(row(f"{name}, {what}", count / ours[name], count / theirs[name], unit=f"{name}/s"))
    for name, count in (("pictures", pictures), ("captions", captions)):
        each_took = [1e3 * side[f"{name}, processor"] / count for side in (ours, theirs)]
        rows.append(row(f"processor time of a {name[:-1]}", *each_took, unit="ms"))
    return {
        "title": f"CLIP ViT-B/32, {pictures:,} pictures and {captions:,} captions, two cores",
        "peer": "transformers",
        "command": "vericap.views.clip, in a process of its own",
        "rows": [
            *rows,
            row("imports and weights", ours["load"], theirs["load"], unit="s"),
            row("peak memory of the process", ours["megabytes"], theirs["megabytes"], unit="MB"),
            at_most("largest difference in a unit vector", difference(folder), bar=1e-5, unit=""),
        ],
        "runs": runs,
    }


def alone(side: str, folder: Path) -> dict[str, float]:
    """Return the cost of one side, in its own process."""
    command = Command([PYTHON, "-m", "benchmarks.speed.clip_alone", side, folder], {}, core=TWO_CORES)
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "HF_HUB_OFFLINE": "1"}
    said = subprocess.run(command.argv(), stdout=subprocess.PIPE, check=True, cwd=ROOT, env=environment)
    found: dict[str, float] = json.loads(said.stdout)
    return found


def difference(folder: Path) -> float:
    """Return the largest difference between the vectors of both sides."""
    words = [PYTHON, "-m", "benchmarks.speed.clip_alone", "compare", folder]
    return float(subprocess.run(words, stdout=subprocess.PIPE, check=True, cwd=ROOT).stdout)


def main() -> None:
    from benchmarks.speed.run import table

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=PICTURES)
    parser.add_argument("--captions", type=int, default=CAPTIONS)
    parser.add_argument("--repetitions", type=int, default=1)
    given = parser.parse_args()
    os.chdir(ROOT)
    most = max(given.pictures, given.captions)
    print(table(benchmark(most, given.repetitions, given.pictures, given.captions)))


if __name__ == "__main__":
    main()
