"""How long FAIEr takes for 10,000 captions with five references each, from labels, and how much memory.

Captions and labels are those of COCO val2014; a picture's candidate is a caption of another picture, so that no caption
is parsed for nothing. What is measured is the whole command, from start to table: tokens, scene graphs, network.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from environment import INPUT, PYTHON, peer_file
from measure import Command, contest
from val2014 import INSIDE

CAPTIONS = 10_000
JAR = "pycocoevalcap/spice/spice-1.0.jar"


def measured(labels: Path, table: Callable[[list[list[str]]], str]) -> str:
    """Wall time and processor time on two cores, the median of three runs, and peak memory in a run of its own."""
    folder = INPUT / f"faier-{CAPTIONS}"
    write(folder, labels)
    words = [PYTHON, "-m", "vericap", "score", folder / "results.json", "--references", folder / "references.json"]
    words += ["--objects", folder / "objects.json", "--workers", "2", "--metrics", "faier"]
    done = contest({"faier": Command(words)}, repetitions=3)
    runs = sorted(done.timed["faier"], key=lambda run: run.seconds)
    middle = runs[1]
    spread = f"{runs[0].seconds:.1f} to {runs[-1].seconds:.1f} s"
    lines = [["wall", "processor time", "peak memory"]]
    lines.append(
        [f"{middle.seconds:.1f} s", f"{middle.cpu_seconds:.1f} s", f"{done.resident_megabytes('faier'):,.0f} MB"]
    )
    return table(lines) + (
        f"\n\n`vericap score --metrics faier --workers 2` on {CAPTIONS:,} captions with five references each: the "
        f"whole command, scene graphs of 60,000 captions included. The median of three runs ({spread}); memory summed "
        f"over processes, in a run of its own. It kept {middle.cpu_seconds / middle.seconds:.1f} of two cores busy."
    )


def write(folder: Path, labels: Path) -> None:
    """Results, references and objects of the first pictures with labels and five captions."""
    if (folder / "objects.json").exists():
        return
    with zipfile.ZipFile(captions_jar()) as archive:
        given = json.loads(archive.read(INSIDE))
    captions: dict[int, list[str]] = {}
    for annotation in given["annotations"]:
        captions.setdefault(annotation["image_id"], []).append(annotation["caption"])
    shown = dict(line.split("\t") for line in labels.read_text("utf-8").splitlines())
    images = [image for image, own in captions.items() if len(own) >= 5 and str(image) in shown]
    pictures, others = images[:CAPTIONS], images[CAPTIONS : 2 * CAPTIONS]
    folder.mkdir(parents=True, exist_ok=True)
    results = [{"image_id": i, "caption": captions[other][0]} for i, other in zip(pictures, others, strict=True)]
    (folder / "results.json").write_text(json.dumps(results))
    (folder / "references.json").write_text(json.dumps({i: captions[i][:5] for i in pictures}))
    (folder / "objects.json").write_text(json.dumps({i: shown[str(i)].split(",") for i in pictures}))


def captions_jar() -> Path:
    """The jar that holds COCO's captions: of an installed pycocoevalcap, or of the peers'."""
    package = find_spec("pycocoevalcap")
    if package is not None and package.submodule_search_locations:
        return Path(package.submodule_search_locations[0]) / "spice" / "spice-1.0.jar"
    return peer_file(JAR)
