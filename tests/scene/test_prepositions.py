"""Prepositions above their nouns, and back."""

from __future__ import annotations

import json
import lzma

from vericap.scene.prepositions import lower_prepositions, raise_prepositions


def test_every_silver_tree_comes_back(data):
    with lzma.open(data / "oracle" / "silver" / "dev.jsonl.xz", "rt", encoding="utf-8") as lines:
        trees = [(s["heads"], s["relations"]) for line in lines for s in json.loads(line)["sentences"]]
    assert all(lower_prepositions(*raise_prepositions(*tree)) == tree for tree in trees)


def test_what_stands_before_the_preposition_goes_with_it():
    # a man is on the street: "man" and "is" hang on "on" while it is on top.
    heads, relations = [2, 6, 6, 6, 6, 0], ["det", "nsubj", "cop", "case", "det", "root"]
    raised = raise_prepositions(heads, relations)
    assert raised == ([2, 4, 4, 0, 6, 4], ["det", "nsubj", "cop", "root", "det", "pobj"])
    assert lower_prepositions(*raised) == (heads, relations)


def test_two_prepositions_of_one_noun():
    heads, relations = [0, 4, 4, 1], ["root", "case", "case", "nmod"]  # runs out of town
    assert lower_prepositions(*raise_prepositions(heads, relations)) == (heads, relations)


def test_a_bad_tree_stays_a_tree():
    """Two objects of one preposition are no good tree, but must not give a cycle."""
    heads, _ = lower_prepositions([0, 1, 2, 2], ["root", "nmod", "pobj", "pobj"])
    for word in range(4):
        seen, at = set(), word + 1
        while at and at not in seen:
            seen.add(at)
            at = heads[at - 1]
        assert at == 0
