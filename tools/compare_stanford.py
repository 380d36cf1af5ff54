"""Compares trees and scores with those of CoreNLP 3.6.0, and measures speed, memory and loading:

python tools/compare_stanford.py ../shared/data/oracle/stanford [SET …]
"""

from __future__ import annotations

import json
import lzma
import os
import sys
import time
from pathlib import Path
from threading import Thread

from vericap.scene.stanford.grammar import FILE, Grammar
from vericap.scene.stanford.parser import StanfordParser

PACKAGE = Path(__file__).parents[1] / "packages" / "stanford-grammar" / "src" / "vericap_stanford_grammar"
WORKERS = 2


class Memory(Thread):
    """The most that this process and its children had at one time, in MB; shared pages count once (Linux)."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = 0
        self.start()

    def run(self) -> None:
        own = os.getpid()
        while True:
            children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
            self.most = max(self.most, sum(map(_megabytes, [own, *children])))
            time.sleep(0.2)


def _megabytes(process: int | str) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) // 1024


def main(folder: Path, names: list[str]) -> None:
    started = time.perf_counter()
    parser = StanfordParser(Grammar.read(PACKAGE / FILE))
    print(f"grammar ready in {time.perf_counter() - started:.2f} s")
    memory = Memory()
    for name in names or sorted(path.name.removesuffix(".jsonl.xz") for path in folder.glob("*.jsonl.xz")):
        with lzma.open(folder / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            sentences = [sentence for line in lines for sentence in json.loads(line)["sentences"]]
        started = time.perf_counter()
        words = [sentence["words"] for sentence in sentences]
        trees = parser.parse_each(words, lambda tree: (str(tree), tree.score), WORKERS)
        seconds = time.perf_counter() - started
        equal = sum(tree == sentence["tree"] for (tree, _), sentence in zip(trees, sentences, strict=True))
        scores = sum(score == sentence["score"] for (_, score), sentence in zip(trees, sentences, strict=True))
        print(
            f"{name}: {len(sentences):,} sentences, {equal:,} trees and {scores:,} scores equal, "
            f"{len(sentences) / seconds:,.0f} per second with {WORKERS} processes, {memory.most} MB at most"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
