"""Trees and their bracketed form."""

from __future__ import annotations

from vericap.scene.stanford.tree import Node, Tree


def test_brackets_of_words_are_written_as_the_treebank_does() -> None:
    text = "(ROOT (NP (NP (NN sign)) (PRN (-LRB- -LRB-) (NP (NNP STOP)) (-RRB- -RRB-))))"
    tree = Tree.read(text, -3.5)
    assert str(tree) == text and tree.score == -3.5
    assert tree.tags == ["NN", "-LRB-", "NNP", "-RRB-"]
    assert [leaf.word for leaf in tree.root.leaves()] == [0, 1, 2, 3]


def test_a_tree_may_be_as_deep_as_the_longest_sentence() -> None:
    root = Node("NN", [], 0)
    for _ in range(800):
        root = Node("NP", [root])
    assert str(Tree(["dog"], root)).count("(") == 801 and Tree(["dog"], root).tags == ["NN"]
