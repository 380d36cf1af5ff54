"""TER on 5,000 images × 5 references (val2017, nearest-neighbour captions): vericap against sacreBLEU.

    python -m benchmarks.speed.ter [--peer-python PYTHON] [--images N] [--repetitions N]

Alone it prints the table; benchmarks.speed.run writes it to the page.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
from pathlib import Path
from typing import Any

from benchmarks.places import DATA, INPUT, ROOT
from benchmarks.speed.environment import PYTHON, SCRIPTS, VERICAP, peer_python
from benchmarks.speed.measure import Command, at_least, contest, row
from benchmarks.speed.ngrams import agreement, difference_rows

IMAGES = 5_000
PEER = "sacreBLEU"
PACKAGES = ("sacrebleu",)
ALONE = Path(__file__).parent.joinpath("ter_alone.py").relative_to(ROOT)


def benchmark(images: int, repetitions: int, peer: Path | None = None) -> dict[str, Any]:
    images = min(images, IMAGES)
    results, references = captions(images)
    ours, theirs, alone = (INPUT.relative_to(ROOT) / name for name in ("ter.json", "sacrebleu.json", "ter-alone.json"))
    words = [VERICAP, "score", results, "--references", references, "--tokenizer", "none", "--metrics", "ter"]
    words += ["--workers", "1", "--json", ours]
    peer_words = [peer or peer_python(), SCRIPTS / "sacrebleu_ter.py", results, references, theirs]
    # A process of its own for each turn, all on one core.
    races = contest(
        {
            "vericap": Command(words, core=0),
            "vericap, pure": Command(words, {"VERICAP_PURE": "1"}, core=0),
            "peer": Command(peer_words, core=0),
        },
        repetitions=repetitions,
    )
    subprocess.run(Command([PYTHON, ALONE, results, references, alone], core=0).argv(), check=True, cwd=ROOT)
    without_start = statistics.median(json.loads((ROOT / alone).read_bytes())["seconds"])
    peer_without_start = json.loads((ROOT / theirs).read_bytes())["ter"]["seconds"]
    differences = agreement(ours, theirs)
    return {
        "title": f"TER, {images:,} images × 5 references, one core",
        "peer": PEER,
        "command": str(Command(words)),
        "rows": [
            at_least("the whole process", races.seconds("vericap"), races.seconds("peer"), 10),
            at_least(
                "the whole process, without compiled kernels", races.seconds("vericap, pure"), races.seconds("peer"), 1
            ),
            row("scoring alone, words read", without_start, peer_without_start, unit="s"),
            row("peak memory (PSS)", races.megabytes("vericap"), races.megabytes("peer"), unit="MB"),
            *difference_rows(differences),
        ],
        "runs": races.to_dict(),
    }


def captions(images: int) -> tuple[Path, Path]:
    """Tokenised candidates and references as two files, {id: …}; relative paths."""
    given = DATA / "oracle" / "coco" / "k5k_nn.tokenized.json"
    if not given.exists():
        raise FileNotFoundError(f"needs {given}: set VERICAP_DATA")
    folder = INPUT / f"k5k_nn-{images}"
    results, references = folder / "results.json", folder / "references.json"
    folder.mkdir(parents=True, exist_ok=True)
    content = json.loads(given.read_bytes())
    ids = content["ids"][:images]
    results.write_text(json.dumps([{"image_id": i, "caption": c} for i, c in zip(ids, content["cands"], strict=False)]))
    references.write_text(json.dumps({str(i): r for i, r in zip(ids, content["refs"], strict=False)}))
    return results.relative_to(ROOT), references.relative_to(ROOT)


def main() -> None:
    from benchmarks.speed.run import table

    parser = argparse.ArgumentParser(description="TER: vericap against sacreBLEU, side by side.")
    parser.add_argument("--peer-python", type=Path, help="a Python that has sacreBLEU; the peers' venv by default")
    parser.add_argument("--images", type=int, default=IMAGES)
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    os.chdir(ROOT)
    print(table(benchmark(options.images, options.repetitions, options.peer_python)))


if __name__ == "__main__":
    main()
