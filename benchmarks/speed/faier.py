"""Time and memory of FAIEr for 10,000 captions with five references each, from labels, and of SPICE on the same files.

    python -m benchmarks.speed.run faier
    python -m benchmarks.speed.faier [--write]               the table of docs/faier.md

Captions and labels are those of COCO val2014; an image's candidate is a caption of another image, so that no caption
occurs twice and each is parsed. What is measured is the whole command, from start to table: tokens, scene graphs,
network; and the network alone, with scene graphs given. With `--write` the table goes into docs/faier.md.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from benchmarks import coco
from benchmarks.pages import replace, table
from benchmarks.places import COCO_LABELS, INPUT, ROOT
from benchmarks.speed.environment import PYTHON, NotMeasured
from benchmarks.speed.measure import TWO_CORES, Command, Contest, contest, row

CAPTIONS = 10_000
PAGE = ROOT / "docs" / "faier.md"
SLOW = 2  # timed runs in the whole run of benchmarks


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    if not COCO_LABELS.exists():
        raise NotMeasured(f"needs {COCO_LABELS.name} in VERICAP_DATA")
    count, repetitions = min(images, CAPTIONS), min(repetitions, SLOW)
    done = race(count, repetitions)
    seconds, spice = done.seconds("faier"), done.seconds("spice")
    share, alone, memory = seconds / spice, network(count, repetitions), done.megabytes("faier")
    return {
        "title": f"FAIEr, {count:,} captions × 5 references, two cores",
        "peer": None,
        "command": str(done.commands["faier"]),
        "repetitions": repetitions,
        "rows": [
            row("the whole process", seconds, unit="s"),
            row("captions with their references", count / seconds, unit="captions/s"),
            row("SPICE on the same files, the whole process", spice, unit="s"),
            row("FAIEr's time over SPICE's", share, unit="×", bar="≤ 1.25", met=share <= 1.25),
            row("the network alone, scene graphs given", alone, unit="captions/s", bar="≥ 3,000", met=alone >= 3000),
            row("processor time", done.cpu_seconds("faier"), unit="s"),
            row("peak memory, PSS summed over processes", memory, unit="MB", bar="≤ 400", met=memory <= 400),
        ],
        "remarks": ["FAIEr is measured alone: we know of no other implementation to install."],
        "runs": done.to_dict(),
    }


def race(count: int, repetitions: int) -> Contest:
    """Return the runs of the commands on two cores."""
    results, references, objects = (path.relative_to(ROOT) for path in files(count))
    words = [PYTHON, "-m", "vericap", "score", results, "--references", references, "--objects", objects]
    words += ["--workers", "2", "--metrics"]
    return contest(
        {name: Command([*words, name], core=TWO_CORES) for name in ("faier", "spice")}, repetitions=repetitions
    )


def network(count: int, repetitions: int) -> float:
    """Return captions per second of the network alone, on two cores: from scene graphs and regions to scores."""
    from vericap.metrics.faier import Faier
    from vericap.metrics.faier.scenes import scenes_of
    from vericap.options.inputs import Inputs
    from vericap.run.prepare import prepare

    results, references, objects = files(count)
    metric = Faier()
    views = prepare(Inputs(results, references, objects=objects), metrics=[metric])
    scenes, seconds = scenes_of(metric, views), []
    for _ in range(repetitions):
        start = time.perf_counter()
        metric.model().score(scenes, workers=2)
        seconds.append(time.perf_counter() - start)
    return count / min(seconds)


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
    done = race(CAPTIONS, 3)
    lines = [["metric", "wall", "processor time", "peak memory"]]
    for name in ("faier", "spice"):
        wall, busy = f"{done.seconds(name):.1f} s", f"{done.cpu_seconds(name):.1f} s"
        lines.append([f"`{name}`", wall, busy, f"{done.resident_megabytes(name):,.0f} MB"])
    return table(lines) + (
        f"\n\n`vericap score --metrics faier --workers 2` on {CAPTIONS:,} captions with five references each, and "
        "SPICE on the same files: the whole command, scene graphs of 60,000 captions included. Medians of three runs; "
        f"memory summed over processes, in a run of its own. The network alone, with scene graphs given, scores "
        f"{network(CAPTIONS, 3):,.0f} captions per second on two cores."
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
