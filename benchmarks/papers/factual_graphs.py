"""Our scene graphs against people's: the test captions of FACTUAL (Li et al. 2023).

    python -m benchmarks.papers.factual_graphs DATA/factual/factual_sg__random__test.csv

Set match: the share of captions whose attributes and relations are all and only the person's, nouns compared by
lemma. SPICE: the mean F-score of our graph against the person's. Published there for the Stanford parser, which
SPICE's rules come from: 19.30 and 64.77.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from vericap.readers.storage.graph_files import read_notation
from vericap.scene.caption_graphs import caption_propositions
from vericap.scene.graph import SceneGraph, matched
from vericap.scene.parser import Parser
from vericap.scene.synsets import synset_lookup
from vericap.text.ptb import tokenize


def main() -> None:
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    captions = [tokenize(row["caption"]) for row in rows]
    lemma = Parser.load().lemmatizer.lemma
    same, score = 0, 0.0
    all_ours = caption_propositions(captions)
    all_people = [
        [tuple(" ".join(lemma(w, "NNS") for w in part.split()) for part in p) for p in graph]
        for graph in (read_notation(row["scene_graph"]) for row in rows)
    ]
    synsets = synset_lookup([*all_ours, *all_people])
    for ours, people in zip(all_ours, all_people, strict=True):
        same += {p for p in ours if len(p) > 1} == {p for p in people if len(p) > 1}
        given = SceneGraph.of(ours, synsets).tuples()
        wanted = SceneGraph.of(people, synsets).tuples()
        hits = sum(matched(t, wanted) is not None for t in given)
        score += 2 * hits / max(1, len(given) + len(wanted))
    print(f"{len(rows)} captions: set match {100 * same / len(rows):.2f}, SPICE {100 * score / len(rows):.2f}")


if __name__ == "__main__":
    main()
