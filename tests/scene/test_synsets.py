"""Synsets of the words in propositions."""

from __future__ import annotations

import pytest

from vericap.scene.synsets import synset_lookup


def test_synonyms_share_a_synset_and_other_words_do_not() -> None:
    synsets = synset_lookup([[("sofa",), ("couch", "red")], [("dog", "couch", "be on")]])
    assert not synsets("sofa").isdisjoint(synsets("couch"))
    assert synsets("sofa").isdisjoint(synsets("dog"))


def test_a_phrase_is_one_lemma() -> None:
    assert synset_lookup([[("fire hydrant",)]])("fire hydrant")


def test_words_of_an_earlier_corpus_are_not_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = synset_lookup([[("dog", "brown")]])("dog")
    asked: list[list[str]] = []

    class Asked:
        def synsets(self, lemmas: list[str]) -> list[object]:
            asked.append(lemmas)
            return []

    monkeypatch.setattr("vericap.scene.synsets.wordnet", Asked)
    assert synset_lookup([[("dog",)], [("dog", "brown")]])("dog") == before
    assert asked == [[]]
