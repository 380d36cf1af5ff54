"""SPICE on COCO val2017, 5,000 images with five references, cold: vericap's command line beside the rate measured
for the original (41 captions a second on two cores, 4–5.6 GB; its parser's models come from no package registry,
so it cannot run here) and, as a yardstick for the machine, pycocoevalcap's CIDEr on the same captions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.places import DATA, INPUT, ROOT
from benchmarks.speed.environment import SCRIPTS, VERICAP, peer_python
from benchmarks.speed.measure import Command, contest, row

ORIGINAL = 41  # captions a second, spice-1.0.jar with CoreNLP 3.6.0 on two cores
YARDSTICK = "3.3–3.9 s"  # pycocoevalcap's CIDEr where that was measured


def files(images: int) -> tuple[Path, Path, int]:
    """Results, annotations and the number of captions."""
    given = json.loads((DATA / "oracle" / "coco" / "k5k_nn.input.json").read_text("utf-8"))
    ids, candidates, references = (given[name][:images] for name in ("ids", "cands", "refs"))
    INPUT.mkdir(parents=True, exist_ok=True)
    results, annotations = INPUT / "k5k_results.json", INPUT / "k5k_annotations.json"
    results.write_text(
        json.dumps([{"image_id": i, "caption": c} for i, c in zip(ids, candidates, strict=True)]), "utf-8"
    )
    captions = [(i, caption) for i, group in zip(ids, references, strict=True) for caption in group]
    annotations.write_text(
        json.dumps(
            {
                "images": [{"id": i} for i in ids],
                "annotations": [{"id": n, "image_id": i, "caption": c} for n, (i, c) in enumerate(captions)],
            }
        ),
        "utf-8",
    )
    return results.relative_to(ROOT), annotations.relative_to(ROOT), len(ids) + len(captions)


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    results, annotations, captions = files(min(images, 5000))
    out = INPUT.relative_to(ROOT) / "spice.json"
    words = [VERICAP, "score", results, "--references", annotations, "--metrics", "spice", "--json", out]
    peer = [peer_python(), SCRIPTS / "pycocoevalcap_cider.py"]
    races = contest(
        {
            "vericap": Command(words),
            "yardstick": Command([*peer, DATA / "oracle" / "coco" / "k5k_nn.tokenized.json"]),
        },
        repetitions=repetitions,
    )
    seconds, original = races.seconds("vericap"), captions / ORIGINAL
    memory, yardstick = races.megabytes("vericap"), races.seconds("yardstick")
    return {
        "title": f"SPICE, {captions:,} captions of {min(images, 5000):,} images, {captions / seconds:,.0f} a second",
        "peer": f"spice-1.0.jar at {ORIGINAL}/s",
        "command": str(Command(words)),
        "rows": [
            row("all cores", seconds, original, unit="s", bar="≥ 100×", met=original / seconds >= 100),
            row("peak memory, PSS", memory, 5600.0, unit="MB", bar="≤ 300 MB", met=memory <= 300),
            row(f"yardstick, pycocoevalcap's CIDEr ({YARDSTICK} where the jar was measured)", yardstick, unit="s"),
        ],
        "runs": races.to_dict(),
    }
