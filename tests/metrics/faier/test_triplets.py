"""A caption as FAIEr takes it."""

from __future__ import annotations

from vericap.metrics.faier.triplets import EMPTY, Caption, triplets


def test_relations_alone_are_triplets_each_once() -> None:
    said = [("dog", "brown"), ("dog", "grass", "run on"), ("dog",), ("dog", "grass", "run on"), ("dog", "tree", "near")]
    assert triplets(said) == (("dog", "run on", "grass"), ("dog", "near", "tree"))


def test_a_caption_without_words_is_the_empty_one() -> None:
    assert Caption.of([]) == EMPTY and EMPTY.words == (".",)


def test_equal_captions_are_one_key() -> None:
    assert len({Caption.of(["a", "dog"]), Caption.of(("a", "dog")), Caption.of(["a", "dog"], [("dog",)])}) == 1
