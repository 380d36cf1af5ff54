"""Relations of words, by the phrases they are in."""

from __future__ import annotations

import pytest

from vericap.scene.stanford.dependencies import basic_dependencies
from vericap.scene.stanford.tree import Tree


@pytest.mark.parametrize(
    ("tree", "arcs"),
    [
        ("(NP (DT a) (JJ small) (NN dog))", "det(dog, a) amod(dog, small)"),
        ("(NP (NP (NN man)) (PP (IN on) (NP (NNS skis))))", "case(skis, on) nmod(man, skis)"),
        ("(NP (NP (NN dog) (POS 's)) (NNS legs))", "nmod:poss(legs, dog) case(dog, 's)"),
        (
            "(S (NP (NNS trains)) (VP (VBP are) (VP (VBN parked))))",
            "nsubjpass(parked, trains) auxpass(parked, are)",
        ),
        (
            "(S (NP (EX there)) (VP (VBP are) (NP (CD two) (NNS bears))))",
            "expl(are, there) nummod(bears, two) nsubj(are, bears)",
        ),
        (
            "(NP (NP (NN bus)) (SBAR (WHNP (WDT that)) (S (VP (VBZ stops)))))",
            "nsubj(stops, that) acl:relcl(bus, stops)",
        ),
        ("(VP (VBZ has) (NP (NNS glasses)) (PP (IN on)))", "dobj(has, glasses) nmod(has, on)"),
        ("(NP (NN man) (CC and) (NN woman))", "cc(man, and) conj(man, woman)"),
        ("(X (XX a) (XX b))", "dep(b, a)"),
    ],
)
def test_relations(tree: str, arcs: str) -> None:
    given = Tree.read(f"(ROOT {tree})")
    heads, relations = basic_dependencies(given)
    words = given.words
    found = {f"{r}({words[h]}, {words[d]})" for d, (h, r) in enumerate(zip(heads, relations, strict=True)) if h >= 0}
    assert found == set(arcs.replace(") ", ")\n").split("\n"))
    assert relations.count("root") == 1
