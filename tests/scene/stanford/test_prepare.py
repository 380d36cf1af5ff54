"""Expressions and flat coordinations get nodes of their own."""

from __future__ import annotations

import pytest

from vericap.scene.stanford.constituents import Constituent
from vericap.scene.stanford.prepare import prepare
from vericap.scene.stanford.tree import Tree


def written(node: Constituent) -> str:
    return node.text if node.word >= 0 else f"({node.label} {' '.join(map(written, node.children))})"


@pytest.mark.parametrize(
    ("tree", "prepared"),
    [
        ("(NP (JJ black) (CC and) (JJ white) (NN dog))", "(NP (ADJP black and white) dog)"),
        ("(NP (DT a) (JJ red) (CC and) (JJ blue) (NN cup))", "(NP a (ADJP red and blue) cup)"),
        ("(NP (DT a) (JJ red) (NN cup) (CC and) (JJ old) (NN plate))", "(NP (NP a red cup) and (NP old plate))"),
        ("(NP (JJ red) (, ,) (JJ blue) (CC and) (JJ old) (NN cup))", "(NP (ADJP red , blue and old) cup)"),
        ("(PP (JJ such) (IN as) (NP (NNS cups)))", "(PP (MWE such as) (NP cups))"),
        ("(PP (IN before) (CC and) (IN after) (NP (NN it)))", "(PP (PCONJP before and after) (NP it))"),
        ("(UCP (NP (NN a)) (CC and) (SBAR (S (VP (VB b)))))", "(NP (NP a) and (SBAR (S (VP b))))"),
        ("(VP (VP (VB a)) (CC and) (RB then) (VP (VB b)))", "(VP (VP a) and (VP then b))"),
        ("(QP ($ $) (CD 5) (CD million))", "(QP $ (QP 5 million))"),
    ],
)
def test_trees_are_prepared(tree: str, prepared: str) -> None:
    assert written(prepare(Tree.read(f"(ROOT {tree})"))) == f"(ROOT {prepared})"


def test_the_tree_itself_stays() -> None:
    tree = Tree.read("(NP (JJ black) (CC and) (JJ white) (NN dog))")
    before = str(tree)
    prepare(tree)
    assert str(tree) == before
