"""Content words are heads, verbs where there is none."""

from __future__ import annotations

import pytest

from vericap.scene.stanford.heads import find_heads
from vericap.scene.stanford.prepare import prepare
from vericap.scene.stanford.tree import Tree


@pytest.mark.parametrize(
    ("tree", "head"),
    [
        ("(S (NP (NN bus)) (VP (VBZ is) (ADJP (JJ red))))", "red"),
        ("(S (NP (NN bus)) (VP (VBZ is) (PP (IN in) (NP (DT a) (NN room)))))", "room"),
        ("(S (NP (EX there)) (VP (VBZ is) (NP (DT a) (NN man))))", "is"),
        ("(VP (VBZ has) (VP (VBN eaten)))", "eaten"),
        ("(VP (VBZ has) (NP (DT a) (NN hat)))", "has"),
        ("(VP (TO to) (VP (VB eat)))", "eat"),
        ("(NP (NP (DT a) (NN man)) (CC and) (NP (DT a) (NN dog)))", "man"),
        ("(NP (NN tennis) (NN racket))", "racket"),
        ("(NP (CD two))", "two"),
    ],
)
def test_heads(tree: str, head: str) -> None:
    given = Tree.read(tree)
    top = prepare(given)
    find_heads(top)
    assert given.words[top.top] == head
