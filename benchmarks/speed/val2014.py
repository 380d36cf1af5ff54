"""COCO val2014 as input: the first caption of an image is the candidate, the others are its references.

Run as a script it writes the two files; a process of its own keeps the runner small.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks import coco
from benchmarks.places import INPUT, ROOT
from benchmarks.speed.environment import PYTHON

IMAGES = 40_504


def val2014(images: int, copies: int = 1) -> tuple[Path, Path]:
    """Results and annotations of the first images, the whole `copies` times with other ids; relative paths."""
    folder = INPUT / f"val2014-{images}x{copies}"
    results, annotations = folder / "results.json", folder / "annotations.json"
    if not annotations.exists():
        folder.mkdir(parents=True, exist_ok=True)
        words = [PYTHON, "-m", "benchmarks.speed.val2014", str(images), str(copies), folder]
        subprocess.run(words, check=True, cwd=ROOT)
    return results.relative_to(ROOT), annotations.relative_to(ROOT)


def write(images: int, copies: int, folder: Path) -> None:
    """The two files, in COCO's formats and in the order of COCO's list of images."""
    captions = coco.captions()
    kept = list(captions.items())[:images]
    step = max(captions) + 1
    results, references = [], []
    for copy in range(copies):
        for image, (candidate, *others) in kept:
            name = image + copy * step
            results.append({"image_id": name, "caption": candidate})
            references += [(name, caption) for caption in others]
    (folder / "results.json").write_text(json.dumps(results))
    annotations = {
        "images": [{"id": result["image_id"]} for result in results],
        "annotations": [
            {"id": number, "image_id": name, "caption": caption} for number, (name, caption) in enumerate(references, 1)
        ],
    }
    partial = folder / "annotations.partial"
    partial.write_text(json.dumps(annotations))
    partial.rename(folder / "annotations.json")


if __name__ == "__main__":
    write(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
