"""PTB tokens, BLEU 1–4, ROUGE-L and CIDEr-D on COCO val2014: vericap's command line against pycocoevalcap."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from benchmarks.places import INPUT, ROOT
from benchmarks.speed.environment import PYTHON, SCRIPTS, VERICAP, peer_python
from benchmarks.speed.measure import Command, contest, row
from benchmarks.speed.val2014 import val2014

TITLE = "Tokens, BLEU 1–4, ROUGE-L and CIDEr-D"
PEER = "pycocoevalcap"
METRICS = "bleu-1,bleu-2,bleu-3,bleu-4,rouge-l,cider-d"
TOLERANCE = 1e-9


def score(results: Path, annotations: Path, out: Path) -> list[str | Path]:
    """The words of `vericap score`."""
    return [VERICAP, "score", results, "--references", annotations, "--metrics", METRICS, "--json", out]


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    results, annotations = val2014(images)
    ours, peers = (INPUT.relative_to(ROOT) / name for name in ("vericap.json", "pycocoevalcap.json"))
    words = score(results, annotations, ours)
    peer_words = [peer_python(), SCRIPTS / "pycocoevalcap_ngrams.py", results, annotations, peers]
    races = contest(
        {
            "vericap": Command(words),
            "vericap, pure": Command(words, {"VERICAP_PURE": "1"}),
            "peer": Command(peer_words),
        },
        repetitions=repetitions,
    )
    one_core = contest(
        {"vericap": Command(words, core=0), "peer": Command(peer_words, core=0)},
        repetitions=repetitions,
        memory=False,
        warm_up=False,
    )
    differences = agreement(ours, peers)
    corpus = max(difference for difference, _ in differences.values())
    caption = max(difference for _, difference in differences.values())
    peer = races.seconds("peer")
    return {
        "title": f"{TITLE}, {images:,} images × 5 captions",
        "peer": PEER,
        "command": str(Command(words)),
        "rows": [
            row(
                "all cores",
                races.seconds("vericap"),
                peer,
                unit="s",
                bar="≥ 20×",
                met=races.times_faster("vericap", "peer") >= 20,
            ),
            row(
                "one core",
                one_core.seconds("vericap"),
                one_core.seconds("peer"),
                unit="s",
                bar="≥ 12×",
                met=one_core.times_faster("vericap", "peer") >= 12,
            ),
            row(
                "without compiled kernels, all cores",
                races.seconds("vericap, pure"),
                peer,
                unit="s",
                bar="≥ 4×",
                met=races.times_faster("vericap, pure", "peer") >= 4,
            ),
            row(
                "peak memory, PSS summed over processes",
                races.megabytes("vericap"),
                races.megabytes("peer"),
                unit="MB",
                bar="≤ 250 MB",
                met=races.megabytes("vericap") <= 250,
            ),
            row(
                "peak memory, RSS summed over processes",
                races.resident_megabytes("vericap"),
                races.resident_megabytes("peer"),
                unit="MB",
                bar="≤ 250 MB",
                met=races.resident_megabytes("vericap") <= 250,
            ),
            row("largest difference of a corpus score", corpus, unit="", bar="≤ 1e-9", met=corpus <= TOLERANCE),
            row("largest difference of a caption's score", caption, unit="", bar="≤ 1e-9", met=caption <= TOLERANCE),
        ],
        "differences": differences,
        "runs": {"all cores": races.to_dict(), "one core": one_core.to_dict()},
    }


def agreement(ours: Path, peers: Path) -> dict[str, list[float]]:
    """Differences by metric; compared in a process of its own, which keeps the runner small."""
    script = Path(__file__).parent / "agreement.py"
    said = subprocess.run([PYTHON, script, ours, peers], stdout=subprocess.PIPE, check=True, cwd=ROOT)
    differences: dict[str, list[float]] = json.loads(said.stdout)
    return differences
