"""Processor time of SPICE by stage: microseconds per caption of each stage, on captions of COCO val2017, in every way
in which this machine computes the parser.

    python -m benchmarks.speed.spice_stages [IMAGES]

Processor time of one process: other work on the machine changes it less than it changes the time on the clock.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from time import process_time
from typing import TypeVar

from benchmarks.places import DATA
from benchmarks.speed.measure import kernel_ways
from vericap.engine.blas import one_blas_thread
from vericap.metrics.spice import count_tuples
from vericap.scene.caption_grammar import candidates
from vericap.scene.collapse import collapse
from vericap.scene.dependencies import Sentence
from vericap.scene.graph import SceneGraph
from vericap.scene.parser import Parser, batches_by_length
from vericap.scene.rules import Proposition, propositions
from vericap.scene.synsets import synset_lookup
from vericap.text.ptb import PUNCTUATION, tokenize

Answer = TypeVar("Answer")
Words = tuple[str, ...]


class Stages:
    """Seconds by stage."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def time(self, stage: str, work: Callable[[], Answer]) -> Answer:
        start = process_time()
        answer = work()
        self.seconds[stage] += process_time() - start
        return answer


def parse(stages: Stages, sentences: Sequence[Words]) -> list[Sentence]:
    """Return the trees, as `Parser.parse_each` makes them, stage by stage."""
    parser = Parser.load()
    network, root, scales = parser._network, parser.relations.index("root"), parser.about["scales"]
    stages.time("vectors of words", lambda: network.learn_words(sentences))
    found: dict[int, Sentence] = {}
    for batch in batches_by_length(sentences):
        words = [sentences[i] for i in batch]
        scored = stages.time("network", lambda: list(network.scores(words)))  # noqa: B023
        stages.time("candidates", lambda: [list(candidates(each, root, scales)) for each in scored])  # noqa: B023
        trees = stages.time("all", lambda: parser._parse_batch(sentences, lambda tree: tree, batch))  # noqa: B023
        found.update(zip(batch, trees, strict=True))
    seconds = stages.seconds
    seconds["search, lemmas"] = seconds.pop("all") - seconds["network"] - seconds["candidates"]
    return [found[i] for i in range(len(sentences))]


def compare(stages: Stages, candidate: list[list[Proposition]], references: list[list[list[Proposition]]]) -> None:
    every = list(chain(candidate, chain.from_iterable(references)))
    synsets = stages.time("synsets", lambda: synset_lookup(every))
    for ours, theirs in zip(candidate, references, strict=True):
        graph = stages.time("graphs", lambda: SceneGraph.of(ours, synsets).tuples())  # noqa: B023
        other = stages.time("graphs", lambda: SceneGraph.of(chain.from_iterable(theirs), synsets).tuples())  # noqa: B023
        stages.time("matching", lambda: count_tuples(graph, other))  # noqa: B023


def measured(images: int) -> dict[str, float]:
    """Return microseconds per caption by stage."""
    given = json.loads((DATA / "oracle" / "coco" / "k5k_nn.input.json").read_text("utf-8"))
    rows = [[c, *r] for c, r in zip(given["cands"][:images], given["refs"][:images], strict=True)]
    captions = [
        [tuple(word for word in tokenize(text.lower()) if word not in PUNCTUATION) for text in row] for row in rows
    ]
    stages = Stages()
    different = [words for words in dict.fromkeys(chain.from_iterable(captions)) if words]
    with one_blas_thread():
        trees = parse(stages, different)
    said = stages.time("rules", lambda: [propositions(collapse(tree)) for tree in trees])
    found = dict(zip(different, said, strict=True)) | {(): []}
    compare(stages, [found[row[0]] for row in captions], [[found[words] for words in row[1:]] for row in captions])
    count = sum(map(len, captions))
    return {stage: seconds / count * 1e6 for stage, seconds in stages.seconds.most_common()}


def main(images: str) -> None:
    line, found = [sys.executable, "-m", "benchmarks.speed.spice_stages", images], {}
    for way in kernel_ways():
        done = subprocess.run(line, env={**os.environ, "VERICAP_KERNELS": way}, stdout=subprocess.PIPE, check=True)
        found[way] = json.loads(done.stdout)
        print(f"{way}: {1e6 / sum(found[way].values()):,.0f} captions per second of processor time")
    print(f"{'µs':18} {' '.join(f'{way:>12}' for way in found)}")
    for stage in next(iter(found.values())):
        shares = (f"{each[stage]:6.1f} {each[stage] / sum(each.values()):5.0%}" for each in found.values())
        print(f"{stage:18} {' '.join(shares)}")


if __name__ == "__main__":
    given = sys.argv[1] if len(sys.argv) > 1 else "1000"
    if os.environ.get("VERICAP_KERNELS"):  # one way alone, for the line above
        print(json.dumps(measured(int(given))))
    else:
        main(given)
