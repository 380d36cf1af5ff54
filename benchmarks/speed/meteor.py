"""METEOR on COCO val2014: vericap's command line against meteor-1.5.jar as pycocoevalcap runs it; and the time from
nothing to the score of one caption."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.places import INPUT, ROOT
from benchmarks.speed.environment import SCRIPTS, VERICAP, peer_python
from benchmarks.speed.measure import Command, contest, row
from benchmarks.speed.ngrams import agreement
from benchmarks.speed.val2014 import val2014

PEER = "meteor-1.5.jar by pycocoevalcap"


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    results, annotations = val2014(images)
    ours, peers = (INPUT.relative_to(ROOT) / name for name in ("meteor.json", "meteor-jar.json"))
    script = SCRIPTS / "pycocoevalcap_meteor.py"
    words = [VERICAP, "score", results, "--references", annotations, "--metrics", "meteor", "--json", ours]
    races = contest(
        {
            "vericap": Command(words),
            "vericap, one core": Command(words, core=0),
            "peer": Command([peer_python(), script, results, annotations, peers]),
        },
        repetitions=repetitions,
    )
    differences = agreement(ours, peers)
    candidate, references = one_caption()
    first = [VERICAP, "score", candidate, "--references", references, "--metrics", "meteor"]
    start = contest(
        {
            "vericap": Command(first),
            "peer": Command([peer_python(), script, candidate, references, INPUT.relative_to(ROOT) / "one-jar.json"]),
        },
        repetitions=max(5, repetitions),
    )
    corpus, caption = differences["meteor"]
    return {
        "title": f"METEOR, {images:,} images × 5 captions, PTB tokens included",
        "peer": PEER,
        "command": str(Command(words)),
        "rows": [
            row(
                "all cores",
                races.seconds("vericap"),
                races.seconds("peer"),
                unit="s",
                bar="≥ 10×",
                met=races.times_faster("vericap", "peer") >= 10,
            ),
            row("one core (the peer on all)", races.seconds("vericap, one core"), races.seconds("peer"), unit="s"),
            row(
                "the first score of a new process",
                start.seconds("vericap"),
                start.seconds("peer"),
                unit="s",
                bar="≥ 20×",
                met=start.times_faster("vericap", "peer") >= 20,
            ),
            row(
                "peak memory, PSS summed over processes",
                races.megabytes("vericap"),
                races.megabytes("peer"),
                unit="MB",
                bar="≤ 300 MB",
                met=races.megabytes("vericap") <= 300,
            ),
            row(
                "peak memory, RSS summed over processes",
                races.resident_megabytes("vericap"),
                races.resident_megabytes("peer"),
                unit="MB",
                bar="≤ 300 MB",
                met=races.resident_megabytes("vericap") <= 300,
            ),
            row("peak memory for one caption, PSS", start.megabytes("vericap"), start.megabytes("peer"), unit="MB"),
            row("difference of the corpus scores", corpus, unit="", bar="≤ 1e-6", met=corpus <= 1e-6),
            row("largest difference of a caption's score", caption, unit="", bar="≤ 1e-9", met=caption <= 1e-9),
        ],
        "differences": differences,
        "runs": {"all images": races.to_dict(), "one caption": start.to_dict()},
    }


def one_caption() -> tuple[Path, Path]:
    """A caption and a reference, as two files; relative paths."""
    INPUT.mkdir(parents=True, exist_ok=True)
    results, annotations = INPUT / "one-results.json", INPUT / "one-annotations.json"
    results.write_text(json.dumps([{"image_id": 1, "caption": "a dog runs on the beach"}]))
    reference = {"id": 1, "image_id": 1, "caption": "A hound is running along a sandy shore."}
    annotations.write_text(json.dumps({"images": [{"id": 1}], "annotations": [reference]}))
    return results.relative_to(ROOT), annotations.relative_to(ROOT)
