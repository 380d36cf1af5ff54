"""Processor time of SPICE by stage: microseconds per caption of each stage, on captions of COCO val2017.

    python -m benchmarks.speed.spice_stages [IMAGES]

Processor time of one process: other work on the machine changes it less than it changes the time on the clock.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from time import process_time
from typing import TypeVar

from benchmarks.places import DATA
from vericap.engine.blas import one_blas_thread
from vericap.metrics.spice import count_tuples, synsets_of, tuples_of
from vericap.scene.caption_grammar import candidates
from vericap.scene.collapse import collapse
from vericap.scene.dependencies import Sentence
from vericap.scene.parser import Parser, batches_by_length
from vericap.scene.rules import Proposition, propositions
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
    network, grammar, root = parser._network, parser._grammar, parser.relations.index("root")
    stages.time("vectors of words", lambda: network.learn_words(sentences))
    found: dict[int, Sentence] = {}
    for batch in batches_by_length(sentences):
        words, first = [sentences[i] for i in batch], 0
        for scores in stages.time("network", lambda: list(network.scores(words))):  # noqa: B023
            group = words[first : first + len(scores.tags)]
            stages.time("candidates", lambda: list(candidates(scores, root, parser.about["scales"])))  # noqa: B023
            searcher = grammar.searcher(parser._tables)
            trees = stages.time("all", lambda: list(parser._best_trees(searcher, scores, group)))  # noqa: B023
            found.update(zip(batch[first : first + len(group)], trees, strict=True))
            first += len(group)
    stages.seconds["search, lemmas"] = stages.seconds.pop("all") - stages.seconds["candidates"]
    return [found[i] for i in range(len(sentences))]


def compare(stages: Stages, candidate: list[list[Proposition]], references: list[list[list[Proposition]]]) -> None:
    every = list(chain(candidate, chain.from_iterable(references)))
    synsets = stages.time("synsets", lambda: synsets_of(every, True))
    for ours, theirs in zip(candidate, references, strict=True):
        graph = stages.time("graphs", lambda: tuples_of(ours, synsets))  # noqa: B023
        other = stages.time("graphs", lambda: tuples_of(chain.from_iterable(theirs), synsets))  # noqa: B023
        stages.time("matching", lambda: count_tuples(graph, other))  # noqa: B023


def main(images: int) -> None:
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
    count, total = sum(map(len, captions)), sum(stages.seconds.values())
    print(f"{count:,} captions, {count / total:,.0f} per second of processor time")
    for stage, seconds in stages.seconds.most_common():
        print(f"{stage:18} {seconds / count * 1e6:6.1f} µs {seconds / total:5.0%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
