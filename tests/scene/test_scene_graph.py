"""Merging of synonyms, and matching."""

from __future__ import annotations

from vericap.readers.storage.graph_files import read_notation
from vericap.scene.graph import SceneGraph, matched

SYNSETS = {"bike": frozenset({1, 2}), "bicycle": frozenset({2}), "big": frozenset({7}), "large": frozenset({7, 8})}


def synsets(word: str) -> frozenset[int]:
    return SYNSETS.get(word, frozenset())


def spelled(graph: SceneGraph) -> list[str]:
    return [" ".join(map(str, t)) for t in graph.tuples()]


def test_synonyms_become_one_object_with_both_words() -> None:
    propositions = [("bike", "big"), ("bicycle", "large"), ("man", "bike", "be on"), ("man", "bicycle", "on")]
    assert spelled(SceneGraph.of(propositions, synsets)) == [
        "bike/bicycle", "man", "bike/bicycle big/large", "man on bike/bicycle",
    ]  # fmt: skip


def test_without_synsets_nothing_merges() -> None:
    assert spelled(SceneGraph.of([("bike", "big"), ("bicycle", "large")])) == [
        "bike", "bicycle", "bike big", "bicycle large",
    ]  # fmt: skip


def test_a_reference_tuple_may_serve_several_candidates() -> None:
    reference = SceneGraph.of([("bike",), ("bicycle",)], synsets).tuples()
    for word in ("bike", "bicycle"):
        (candidate,) = SceneGraph.of([(word,)], synsets).tuples()
        assert matched(candidate, reference) is reference[0]


def test_tuples_of_different_size_do_not_match() -> None:
    (candidate,) = SceneGraph.of([("dog",)]).tuples()
    assert matched(candidate, SceneGraph.of([("dog", "cat", "with")]).tuples()[2:]) is None


def test_factual_notation_says_attributes_with_is() -> None:
    assert read_notation("( counter , under , windows ) , ( windows , is , white )") == [
        ("counter", "windows", "under"), ("windows", "white"),
    ]  # fmt: skip
