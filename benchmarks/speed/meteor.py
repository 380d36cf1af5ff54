"""METEOR on COCO val2014: vericap's command line against meteor-1.5.jar as pycocoevalcap runs it; and the time from
nothing to the score of one caption."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.places import INPUT, ROOT
from benchmarks.speed.environment import SCRIPTS, VERICAP, peer_python
from benchmarks.speed.measure import TWO_CORES, Command, at_least, contest, row, scaling
from benchmarks.speed.ngrams import SLOW, agreement, difference_rows, memory_rows, score
from benchmarks.speed.val2014 import val2014

PEER = "meteor-1.5.jar by pycocoevalcap"
PACKAGES = ("pycocoevalcap",)


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    files = val2014(images)
    ours, peers = (INPUT.relative_to(ROOT) / name for name in ("meteor.json", "meteor-jar.json"))
    script, slow = SCRIPTS / "pycocoevalcap_meteor.py", min(repetitions, SLOW)
    races = contest(
        {
            "vericap": Command(score(*files, ours, "meteor", 2), core=TWO_CORES),
            "vericap, one core": Command(score(*files, ours, "meteor", 1), core=0),
            "peer": Command([peer_python(), script, *files, peers], core=TWO_CORES),
        },
        repetitions=repetitions,
        at_most={"peer": slow},
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
    two, one, peer = (races.seconds(name) for name in ("vericap", "vericap, one core", "peer"))
    return {
        "title": f"METEOR, {images:,} images × 5 captions, PTB tokens included",
        "peer": PEER,
        "command": str(Command(score(*files, ours, "meteor"))),
        "peer_repetitions": slow,
        "rows": [
            at_least("two cores", two, peer, 25),
            row("one core (the peer on two)", one, peer, unit="s"),
            scaling(one, two),
            row("processor time, two cores", races.cpu_seconds("vericap"), races.cpu_seconds("peer"), unit="s"),
            at_least("the first score of a new process", start.seconds("vericap"), start.seconds("peer"), 20),
            *memory_rows(races, 300),
            row("peak memory for one caption, PSS", start.megabytes("vericap"), start.megabytes("peer"), unit="MB"),
            *difference_rows(differences, corpus=1e-6),
        ],
        "differences": differences,
        "runs": {"all images": races.to_dict(), "one caption": start.to_dict()},
    }


def one_caption() -> tuple[Path, Path]:
    """Return a caption and a reference, as two files; relative paths."""
    INPUT.mkdir(parents=True, exist_ok=True)
    results, annotations = INPUT / "one-results.json", INPUT / "one-annotations.json"
    results.write_text(json.dumps([{"image_id": 1, "caption": "a dog runs on the beach"}]))
    reference = {"id": 1, "image_id": 1, "caption": "A hound is running along a sandy shore."}
    annotations.write_text(json.dumps({"images": [{"id": 1}], "annotations": [reference]}))
    return results.relative_to(ROOT), annotations.relative_to(ROOT)
