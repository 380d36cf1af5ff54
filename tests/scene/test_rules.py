"""The tuple rules, on trees written by hand."""

from __future__ import annotations

from tests.scene.trees import tree
from vericap.scene.collapse import collapse
from vericap.scene.rules import propositions


def said(text: str) -> set[tuple[str, ...]]:
    return set(propositions(collapse(tree(text))))


def test_a_subject_relates_to_the_object_of_its_verb() -> None:
    found = said("girl/NN/girl/2/nsubj rides/VBZ/ride/0/root horses/NNS/horse/2/dobj")
    assert found == {("girl",), ("horse",), ("girl", "horse", "ride")}


def test_a_passive_s_agent_is_the_subject_of_the_relation() -> None:
    found = said("ball/NN/ball/3/nsubjpass is/VBZ/be/3/auxpass held/VBN/hold/0/root by/IN/by/5/case man/NN/man/3/nmod")
    assert found == {("ball",), ("man",), ("man", "ball", "hold")}


def test_adjectives_and_numbers_are_attributes() -> None:
    found = said("two/CD/two/3/nummod red/JJ/red/3/amod cars/NNS/car/0/root")
    assert found == {("car",), ("car", "two"), ("car", "red")}


def test_a_copula_gives_its_subject_an_attribute() -> None:
    found = said("bus/NN/bus/3/nsubj is/VBZ/be/3/cop red/JJ/red/0/root")
    assert found == {("bus",), ("bus", "red")}


def test_an_owner_has_what_it_owns() -> None:
    found = said("dog/NN/dog/3/nmod:poss 's/POS/'s/1/case ball/NN/ball/0/root")
    assert ("dog", "ball", "have") in found
