"""Prepositions and coordinators move into relations, and conjuncts share what governs them."""

from __future__ import annotations

from tests.scene.trees import tree
from vericap.scene.collapse import collapse
from vericap.scene.dependencies import Sentence


def edges(sentence: Sentence) -> set[tuple[str, str, str]]:
    graph = collapse(sentence)
    return {(graph.words[above], graph.words[below], relation) for above, below, relation in graph.edges()}


def test_a_preposition_names_the_relation_of_its_noun() -> None:
    found = edges(tree("dog/NN/dog/0/root on/IN/on/3/case grass/NN/grass/1/nmod"))
    assert ("dog", "grass", "nmod:on") in found


def test_two_words_are_one_preposition() -> None:
    found = edges(tree("dog/NN/dog/0/root next/JJ/next/4/case to/TO/to/2/mwe cat/NN/cat/1/nmod"))
    assert ("dog", "cat", "nmod:next_to") in found


def test_conjuncts_share_their_governor() -> None:
    sentence = tree("dogs/NNS/dog/4/nsubj and/CC/and/1/cc cats/NNS/cat/1/conj play/VBP/play/0/root")
    found = edges(sentence)
    assert {("dogs", "cats", "conj:and"), ("play", "dogs", "nsubj"), ("play", "cats", "nsubj")} <= found
