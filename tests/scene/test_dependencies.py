"""The graph of a sentence's words: edges once, copies beside their words."""

from __future__ import annotations

from tests.scene.trees import tree
from vericap.scene.dependencies import Dependencies

CATS = tree("two/CD/two/2/nummod cats/NNS/cat/3/nsubj sleep/VBP/sleep/0/root")


def test_the_edges_of_a_tree_are_its_heads() -> None:
    graph = Dependencies(CATS)
    assert graph.root == 2 and graph.edges() == [(1, 0, "nummod"), (2, 1, "nsubj")]
    assert graph.relation(2, 1) == "nsubj" and graph.relation(1, 2) is None


def test_an_edge_is_there_once() -> None:
    graph = Dependencies(CATS)
    graph.add(2, 1, "nsubj")
    assert graph.by(2, "nsubj") == [1]
    graph.remove(2, 1, "nsubj")
    assert graph.by(2, "nsubj") == [] and graph.governors[1] == []


def test_a_copy_comes_just_after_its_word() -> None:
    graph = Dependencies(CATS)
    copy = graph.copy(0)
    graph.add(2, copy, "nsubj")
    assert graph.words[copy] == "two" and graph.by(2, "nsubj") == [copy, 1]


def test_edges_with_copies_are_read_as_corenlp_writes_them() -> None:
    graph = Dependencies.from_edges(CATS, [(0, 3, "root"), (3, 2, "nsubj"), (3, 2.1, "nsubj"), (2.1, 1, "nummod")])
    assert len(graph.words) == 4 and graph.lemmas[3] == "cat"
    assert graph.edges() == [(2, 1, "nsubj"), (2, 3, "nsubj"), (3, 0, "nummod")]
