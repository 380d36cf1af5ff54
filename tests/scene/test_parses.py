"""The phrases on which the tuples of a caption stand."""

from __future__ import annotations

from itertools import chain

from vericap.scene.caption_graphs import caption_propositions
from vericap.scene.graph import SceneGraph
from vericap.scene.parses import parses_of, stands_on


def phrases(caption: str, parser: str) -> dict[str, str]:
    words = caption.split()
    graph = SceneGraph.of(chain.from_iterable(caption_propositions([words], parser=parser)))
    return {" ".join(map(str, t)): stands_on(t, parses_of(words, parser)) for t in graph.tuples()}


def test_the_shortest_phrase_has_all_words_of_a_tuple(grammar: None) -> None:
    found = phrases("two dogs near a red car . a cat sleeps .", "stanford")
    assert found["car red"] == "(NP (DT a) (JJ red) (NN car))"
    assert found["dog near car"].startswith("(NP (NP (CD two) (NNS dogs)) (PP (IN near)")
    assert found["cat"] == "(NN cat)"  # of the second sentence


def test_without_a_tree_it_is_a_run_of_tagged_words() -> None:
    assert phrases("two dogs near a red car", "vericap")["car red"] == "red/JJ car/NN"


def test_a_pronoun_leaves_its_tuple_without_a_phrase() -> None:
    assert phrases("a man with his dog", "vericap").get("man have dog", "") == ""
    assert parses_of([], "vericap") == []
