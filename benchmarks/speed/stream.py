"""Millions of rows through `vericap score --stream`: rate, memory over time, killed and resumed, cost against rows.

    python -m benchmarks.speed.stream --rows 10000000
    python -m benchmarks.speed.stream --rows 200000 --engine ray --kills 0
    python -m benchmarks.speed.stream --rows 800000 --curve

Each row is a caption drawn from COCO's val2014 with the five references of an image drawn as well, so that the text is
real and the number of rows is free. The rows are Parquet files of a million rows.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from benchmarks.places import INPUT
from benchmarks.speed.environment import machine
from benchmarks.speed.measure import MEGABYTE, memory_of_session

SHARD = 1_000_000
METRICS = "bleu-1,bleu-2,bleu-3,bleu-4,rouge-l,cider-d"
SAMPLE_SECONDS = 0.5


def coco(path: Path | None) -> list[list[str]]:
    """Return the captions of each image: of val2014, or of a file in COCO's format."""
    if path is None:
        from benchmarks.coco import captions

        return list(captions().values())
    found: dict[int, list[str]] = {}
    for annotation in json.loads(path.read_bytes())["annotations"]:
        found.setdefault(annotation["image_id"], []).append(annotation["caption"])
    return list(found.values())


def make_rows(rows: int, folder: Path, source: Path | None) -> None:
    """Write the rows, the same for the same number of rows."""
    if (folder / "made").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    images = [captions[:5] for captions in coco(source)]
    captions = [caption for given in images for caption in given]
    drawn = np.random.default_rng(0)
    for shard, first in enumerate(range(0, rows, SHARD)):
        count = min(SHARD, rows - first)
        image, caption = drawn.integers(len(images), size=count), drawn.integers(len(captions), size=count)
        # Half of the captions are of the image they are scored with.
        own = drawn.integers(2, size=count).astype(bool)
        columns = {
            "image_id": pa.array(np.arange(first, first + count)),
            "caption": [
                images[i][c % len(images[i])] if same else captions[c]
                for i, c, same in zip(image.tolist(), caption.tolist(), own.tolist(), strict=True)
            ],
            "references": [images[i] for i in image.tolist()],
        }
        parquet.write_table(pa.table(columns), folder / f"rows-{shard:04d}.parquet", row_group_size=100_000)
    (folder / "made").touch()


@dataclass
class Watched:
    """One run, seen from outside."""

    seconds: float
    cpu_seconds: float
    memory: list[tuple[float, int, int]]  # seconds, rows done, bytes of all processes
    finished: bool


def run(command: list[str], state: Path, kill_at: int | None = None) -> Watched:
    """Run a stream, or kill it after this many rows."""
    before = os.times()
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    samples = []
    while process.poll() is None:
        rows = done(state)
        samples.append((time.perf_counter() - start, rows, memory_of_session(process.pid)[0]))
        if kill_at is not None and rows >= kill_at:
            process.send_signal(signal.SIGKILL)
            process.wait()
            break
        time.sleep(SAMPLE_SECONDS)
    after = os.times()
    if process.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Watched(time.perf_counter() - start, cpu, samples, process.returncode == 0)


def done(state: Path) -> int:
    """Rows behind the last checkpoint."""
    try:
        return int(json.loads(state.read_bytes())["totals"]["read"])
    except (OSError, ValueError):
        return 0


def command_for(arguments: argparse.Namespace, rows: Path, output: Path) -> list[str]:
    words = ["score", rows, "--stream", "--metrics", arguments.metrics, "--df", arguments.df, "--quiet"]
    words += ["--batch-size", arguments.batch_size, "--checkpoint", arguments.checkpoint]
    words += ["--workers", arguments.workers, "--engine", arguments.engine, "--output", output]
    return [sys.executable, "-m", "vericap", *map(str, words)]


def flatness(memory: list[tuple[float, int, int]]) -> float:
    """Return how far the highest memory of the last half of scoring is above the median of the first half."""
    scoring = [size for _, rows, size in memory if rows]
    if len(scoring) < 8:
        return float("nan")
    half = len(scoring) // 2
    return max(scoring[half:]) / float(np.median(scoring[half // 4 : half])) - 1


def same_bytes(one: Path, other: Path) -> bool:
    """Return whether two folders of results hold the same files, except for the state, which has seconds."""
    names = [sorted(path.name for path in folder.iterdir() if path.name != "_state.json") for folder in (one, other)]
    return names[0] == names[1] and all((one / n).read_bytes() == (other / n).read_bytes() for n in names[0])


def straight(arguments: argparse.Namespace, rows: int) -> dict[str, Any]:
    """Run from beginning to end."""
    folder = INPUT / "stream" / f"rows-{rows}"
    make_rows(rows, folder, arguments.captions)
    output = INPUT / "stream" / f"straight-{rows}"
    shutil.rmtree(output, ignore_errors=True)
    found = run(command_for(arguments, folder, output), output / "_state.json")
    totals = json.loads((output / "_state.json").read_bytes())["totals"]
    return {
        "rows": totals["read"],
        "seconds": found.seconds,
        "rows per second": rows / found.seconds,
        "rows per second and core": rows / found.cpu_seconds,
        "CPU seconds per million rows": found.cpu_seconds / rows * 1e6,
        "peak megabytes": max(size for *_, size in found.memory) / MEGABYTE,
        "memory above its median at the end": flatness(found.memory),
        "where the time goes": {what: round(seconds, 3) for what, seconds in totals["seconds"].items()},
        "output bytes": sum(path.stat().st_size for path in output.glob("part-*")),
    }


def killed(arguments: argparse.Namespace, rows: int) -> dict[str, Any]:
    """Return the same run, killed as often as asked for and resumed."""
    output = INPUT / "stream" / f"killed-{rows}"
    shutil.rmtree(output, ignore_errors=True)
    state = output / "_state.json"
    command = command_for(arguments, INPUT / "stream" / f"rows-{rows}", output)
    stops = []
    for kill in range(1, arguments.kills + 1):
        found = run(command, state, rows * kill // (arguments.kills + 1))
        stops.append({"rows": done(state), "killed": not found.finished})
    run(command, state)
    return {"stops": stops, "same bytes": same_bytes(INPUT / "stream" / f"straight-{rows}", output)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--metrics", default=METRICS)
    parser.add_argument("--df", default="corpus")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--engine", default="local")
    parser.add_argument("--batch-size", type=int, default=10_000)
    parser.add_argument("--checkpoint", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--curve", action="store_true", help="an eighth, a quarter and half of the rows too")
    parser.add_argument("--captions", type=Path, help="captions in COCO's format instead of val2014")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    sizes = [arguments.rows // 8, arguments.rows // 4, arguments.rows // 2] if arguments.curve else []
    found: dict[str, Any] = {
        "machine": machine(),
        "command": f"python -m benchmarks.speed.stream {' '.join(sys.argv[1:])}",
        "runs": [straight(arguments, rows) for rows in [*sizes, arguments.rows]],
    }
    if arguments.kills:
        found["killed"] = killed(arguments, arguments.rows)
    text = json.dumps(found, indent=2)
    if arguments.json:
        arguments.json.write_text(text + "\n", "utf-8")
    print(text)


if __name__ == "__main__":
    main()
