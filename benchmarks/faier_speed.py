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
from measure import MEGABYTE, Command, run
from val2014 import INSIDE

CAPTIONS = 10_000
JAR = "pycocoevalcap/spice/spice-1.0.jar"


def measured(labels: Path, table: Callable[[list[list[str]]], str]) -> str:
    """Wall time, processor time and peak memory on two cores."""
    folder = INPUT / f"faier-{CAPTIONS}"
    write(folder, labels)
    words = [PYTHON, "-m", "vericap", "score", folder / "results.json", "--references", folder / "references.json"]
    words += ["--objects", folder / "objects.json", "--workers", "2", "--metrics"]
    lines = [["metric", "wall", "processor time", "peak memory"]]
    for key in ("faier", "spice"):
        timed = run(Command([*words, key]))
        sampled = run(Command([*words, key]), memory=True)
        peak = (sampled.proportional or 0) / MEGABYTE
        lines.append([f"`{key}`", f"{timed.seconds:.1f} s", f"{timed.cpu_seconds:.1f} s", f"{peak:,.0f} MB"])
    return table(lines) + (
        f"\n\n`vericap score --metrics … --workers 2` on {CAPTIONS:,} captions with five references each, two cores. "
        "SPICE shows what the scene graphs alone take."
    )


def write(folder: Path, labels: Path) -> None:
    """Results, references and objects of the first pictures with labels and five captions."""
    if (folder / "objects.json").exists():
        return
    package = find_spec("pycocoevalcap")
    here = (
        None
        if package is None or not package.submodule_search_locations
        else Path(package.submodule_search_locations[0])
    )
    jar = here / "spice" / "spice-1.0.jar" if here is not None else peer_file(JAR)
    with zipfile.ZipFile(jar) as archive:
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
