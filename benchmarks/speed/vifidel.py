"""Time of VIFIDEL for 40,000 images without references: the whole command.

    python -m benchmarks.speed.vifidel [--write]

Captions and labels are those of COCO val2014. With `--write` the figures go into docs/vifidel.md.
"""

from __future__ import annotations

import argparse
import json

from benchmarks import coco
from benchmarks.pages import replace
from benchmarks.places import COCO_LABELS, INPUT, ROOT
from benchmarks.speed.environment import PYTHON
from benchmarks.speed.measure import Command, run

IMAGES = 40_000
PAGE = ROOT / "docs" / "vifidel.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the figures into docs/vifidel.md")
    options = parser.parse_args()
    text = measured()
    print(text)
    if options.write:
        replace(PAGE, "speed", text)


def measured() -> str:
    """Processor time, wall time and peak memory of one process."""
    known = {int(line.split("\t")[0]) for line in COCO_LABELS.read_text("utf-8").splitlines()}
    first = {image: own[0] for image, own in coco.captions().items() if own and image in known}
    some = dict(list(first.items())[:IMAGES])
    INPUT.mkdir(parents=True, exist_ok=True)
    results = INPUT / "vifidel-results.json"
    results.write_text(json.dumps([{"image_id": i, "caption": text} for i, text in some.items()]))
    done = run(Command([PYTHON, "-m", "vericap", "score", results, "--objects", COCO_LABELS, "-m", "vifidel"]))
    text = (
        f"{len(some):,} images without references, `vericap score results.json --objects labels.tsv -m vifidel`, start "
        f"included: {done.cpu_seconds:.1f} s of processor time, {done.seconds:.1f} s wall, "
        f"{done.largest_process / 2**20:.0f} MB (bar: 20 s, 400 MB)."
    )
    return f"### Speed\n\n{text}"


if __name__ == "__main__":
    main()
