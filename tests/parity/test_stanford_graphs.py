"""From CoreNLP's trees to its tags, lemmas, basic dependencies and collapsed graphs, and to SPICE's propositions."""

from __future__ import annotations

import json
import lzma
from itertools import islice
from pathlib import Path

import pytest

from vericap.scene.collapse import collapse
from vericap.scene.dependencies import Dependencies
from vericap.scene.rules import propositions
from vericap.scene.stanford.dependencies import dependencies_of
from vericap.scene.stanford.tree import Tree

SETS = ("dev", "coco", "flickr8k", "vg", "raw", "long", "odd")
SAMPLE = 300  # captions of each set


def edges(graph: Dependencies) -> set[tuple[float, float, str]]:
    """The edges of a graph as the original's are written: 1-based, 0 above the root, 3.1 for a copy of word 3."""
    name = [int(place) + 1 + round(place % 1 * 1024) / 10 for place in graph.position]
    return {(name[g], name[d], relation) for g, d, relation in graph.edges()} | {(0, name[graph.root], "root")}


def differences(path: Path, captions: int | None) -> list[str]:
    """Return the trees of sentences in which tags, lemmas or edges are not the original's."""
    found = []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in islice(file, captions):
            for number, gold in enumerate(json.loads(line)["sentences"]):
                ours = dependencies_of(Tree.read(gold["tree"]))
                basic = {(h + 1, d, r) for d, (h, r) in enumerate(zip(ours.heads, ours.relations, strict=True), 1)}
                same = ours.tags == gold["tags"] and ours.lemmas == gold["lemmas"]
                same = same and basic == set(map(tuple, gold["basic"]))
                if not same or edges(collapse(ours, number)) != set(map(tuple, gold["collapsed"])):
                    found.append(gold["tree"])
    return found


@pytest.mark.parametrize("name", SETS)
def test_graphs_of_a_sample_are_the_originals(data: Path, name: str) -> None:
    assert differences(data / "oracle" / "stanford" / f"{name}.jsonl.xz", SAMPLE) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_all_graphs_are_the_originals(data: Path, name: str) -> None:
    assert differences(data / "oracle" / "stanford" / f"{name}.jsonl.xz", None) == []


def test_propositions_are_the_originals_in_its_order(data: Path) -> None:
    with lzma.open(data / "oracle" / "silver" / "dev.jsonl.xz", "rt", encoding="utf-8") as file:
        tuples = {row["caption"]: row["tuples"] for row in map(json.loads, islice(file, SAMPLE))}
    with lzma.open(data / "oracle" / "stanford" / "dev.jsonl.xz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, islice(file, SAMPLE)):
            ours = [
                proposition
                for number, gold in enumerate(row["sentences"])
                for proposition in propositions(collapse(dependencies_of(Tree.read(gold["tree"])), number))
            ]
            assert list(dict.fromkeys(ours)) == list(dict.fromkeys(map(tuple, tuples[row["caption"]])))
