"""How long FAIEr takes for 10,000 captions with five references each, from labels, and how much memory.

    python -m benchmarks.speed.faier [--write]

Captions and labels are those of COCO val2014; an image's candidate is a caption of another image, so that no caption
occurs twice and each is parsed. What is measured is the whole command, from start to table: tokens, scene graphs,
network. With `--write` the table goes into docs/faier.md.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks import coco
from benchmarks.pages import replace, table
from benchmarks.places import COCO_LABELS, INPUT, ROOT
from benchmarks.speed.environment import PYTHON
from benchmarks.speed.measure import Command, contest

CAPTIONS = 10_000
PAGE = ROOT / "docs" / "faier.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the table into docs/faier.md")
    options = parser.parse_args()
    text = measured()
    print(text)
    if options.write:
        replace(PAGE, "speed", text)


def measured() -> str:
    """Wall time and processor time on two cores, the median of three runs, and peak memory in a run of its own."""
    results, references, objects = files(CAPTIONS)
    words = [PYTHON, "-m", "vericap", "score", results, "--references", references, "--objects", objects]
    done = contest({"faier": Command([*words, "--workers", "2", "--metrics", "faier"])}, repetitions=3)
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


def files(count: int) -> tuple[Path, Path, Path]:
    """Results, references and objects of the first images that have labels and five captions."""
    folder = INPUT / f"faier-{count}"
    results, references, objects = (folder / f"{name}.json" for name in ("results", "references", "objects"))
    if not objects.exists():
        captions = coco.captions()
        shown = dict(line.split("\t") for line in COCO_LABELS.read_text("utf-8").splitlines())
        images = [image for image, own in captions.items() if len(own) >= 5 and str(image) in shown]
        first, others = images[:count], images[count : 2 * count]
        folder.mkdir(parents=True, exist_ok=True)
        pairs = zip(first, others, strict=True)
        results.write_text(json.dumps([{"image_id": i, "caption": captions[other][0]} for i, other in pairs]))
        references.write_text(json.dumps({i: captions[i][:5] for i in first}))
        objects.write_text(json.dumps({i: shown[str(i)].split(",") for i in first}))
    return results, references, objects


if __name__ == "__main__":
    main()
