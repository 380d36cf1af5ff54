"""Conditions on nodes."""

from __future__ import annotations

import pytest

from vericap.scene.stanford import matching as m
from vericap.scene.stanford.heads import find_heads
from vericap.scene.stanford.prepare import prepare
from vericap.scene.stanford.tree import Tree

TREE = "(ROOT (VP (ADVP (RB now)) (VBZ eats) (NP (DT a) (NN cake)) (, ,) (PP (IN at) (NP (NN home)))))"


@pytest.mark.parametrize(
    ("condition", "nodes"),
    [
        (m.follows("VBZ"), "NP , PP"),
        (m.follows("VBZ", over=m.label(",")), "NP ,"),
        (m.precedes("NP", m.has("DT")), "ADVP VBZ"),
        (m.just_follows(", ADVP"), "VBZ PP"),
        (m.just_precedes("NP", m.last("NN", m.word("cake"))), "VBZ"),
        (m.both(m.before_head, m.is_first), "ADVP"),
        (m.either(m.just_after_head, m.only("RB")), "ADVP NP"),
        (m.both(m.after_head, m.no(m.between_head("NP"))), "NP"),
        (m.reaches("NN", through="NP"), "NP PP"),
        (m.right_edge(m.word("home")), "PP"),
        (m.left_edge(m.label("DT")), "NP"),
        (m.under("VP", m.head("VBZ"), m.second("VBZ")), "ADVP VBZ NP , PP"),
    ],
)
def test_conditions_hold_for_these_children(condition: m.Condition, nodes: str) -> None:
    top = prepare(Tree.read(TREE))
    find_heads(top)
    assert [child.label for child in top.children[0].children if condition(child)] == nodes.split()
