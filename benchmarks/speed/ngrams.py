"""PTB tokens, BLEU 1–4, ROUGE-L and CIDEr-D on COCO val2014: vericap's command line against pycocoevalcap."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.places import INPUT, ROOT
from benchmarks.speed.environment import PYTHON, SCRIPTS, VERICAP, peer_python
from benchmarks.speed.measure import TWO_CORES, Command, Contest, at_least, at_most, contest, row, scaling
from benchmarks.speed.val2014 import val2014

TITLE = "Tokens, BLEU 1–4, ROUGE-L and CIDEr-D"
PEER = "pycocoevalcap"
PACKAGES = ("pycocoevalcap",)
METRICS = "bleu-1,bleu-2,bleu-3,bleu-4,rouge-l,cider-d"
TOLERANCE = 1e-9
SLOW = 2  # timed runs of a peer that takes a minute


def score(
    results: Path, annotations: Path, out: Path, metrics: str = METRICS, workers: int | None = None
) -> list[str | Path]:
    """Return the words of `vericap score`."""
    words: list[str | Path] = [VERICAP, "score", results, "--references", annotations, "--metrics", metrics]
    return [*words, *([] if workers is None else ["--workers", str(workers)]), "--json", out]


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    files = val2014(images)
    ours, peers = (INPUT.relative_to(ROOT) / name for name in ("vericap.json", "pycocoevalcap.json"))
    two, one = score(*files, ours, workers=2), score(*files, ours, workers=1)
    peer_words = [peer_python(), SCRIPTS / "pycocoevalcap_ngrams.py", *files, peers]
    slow = min(repetitions, SLOW)
    races = contest(
        {
            "vericap": Command(two, core=TWO_CORES),
            "vericap, pure": Command(two, {"VERICAP_PURE": "1"}, core=TWO_CORES),
            "peer": Command(peer_words, core=TWO_CORES),
        },
        repetitions=repetitions,
        at_most={"peer": slow},
    )
    one_core = contest(
        {"vericap": Command(one, core=0), "peer": Command(peer_words, core=0)},
        repetitions=repetitions,
        memory=False,
        warm_up=False,
        at_most={"peer": slow},
    )
    differences = agreement(ours, peers)
    return {
        "title": f"{TITLE}, {images:,} images × 5 captions",
        "peer": PEER,
        "command": str(Command(score(*files, ours))),
        "peer_repetitions": slow,
        "rows": [*time_rows(races, one_core), *memory_rows(races, 250), *difference_rows(differences)],
        "differences": differences,
        "runs": {"two cores": races.to_dict(), "one core": one_core.to_dict()},
    }


def time_rows(races: Contest, one_core: Contest) -> list[dict[str, object]]:
    """Return two cores, one, both, and without compiled kernels; the peer on as many cores."""
    ours, peer = races.seconds("vericap"), races.seconds("peer")
    alone, peer_alone = one_core.seconds("vericap"), one_core.seconds("peer")
    return [
        at_least("two cores", ours, peer, 40),
        at_least("one core", alone, peer_alone, 30),
        scaling(alone, ours),
        row("without compiled kernels, two cores", races.seconds("vericap, pure"), peer, unit="s"),
        row("processor time, two cores", races.cpu_seconds("vericap"), races.cpu_seconds("peer"), unit="s"),
    ]


def memory_rows(races: Contest, most: float) -> list[dict[str, object]]:
    """Peak memory, counted in both ways."""
    return [
        at_most(f"peak memory, {kind} summed over processes", ours, peer, bar=most, unit="MB")
        for kind, ours, peer in (
            ("PSS", races.megabytes("vericap"), races.megabytes("peer")),
            ("RSS", races.resident_megabytes("vericap"), races.resident_megabytes("peer")),
        )
    ]


def difference_rows(differences: Mapping[str, Sequence[float]], corpus: float = TOLERANCE) -> list[dict[str, object]]:
    """Return the largest difference from the peer's scores."""
    return [
        at_most("largest difference of a corpus score", max(d for d, _ in differences.values()), bar=corpus, unit=""),
        at_most(
            "largest difference of a caption's score", max(d for _, d in differences.values()), bar=TOLERANCE, unit=""
        ),
    ]


def agreement(ours: Path, peers: Path) -> dict[str, list[float]]:
    """Differences by metric; compared in a process of its own, which keeps the runner small."""
    script = Path(__file__).parent / "agreement.py"
    said = subprocess.run([PYTHON, script, ours, peers], stdout=subprocess.PIPE, check=True, cwd=ROOT)
    differences: dict[str, list[float]] = json.loads(said.stdout)
    return differences
