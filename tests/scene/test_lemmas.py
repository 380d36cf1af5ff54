"""Lemmas by rules of English and lists of irregular words."""

from __future__ import annotations

import pytest

from vericap.scene.lemmas import Lemmatizer

lemma = Lemmatizer().lemma


@pytest.mark.parametrize(
    ("tag", "pairs"),
    [
        (
            "NNS",
            "dogs dog, ponies pony, boxes box, women woman, leaves leaf, movies movie, dominoes domino, cacti cactus",
        ),
        ("NNS", "handcuffs handcuffs, lens lens, series series, collies collie, licenses licens, 1960s 1960"),
        ("VBG", "riding ride, sitting sit, standing stand, lying lie, basting baste, framing frame, fling fling"),
        ("VBG", "sunbathing sunbathe, bathing bath, earring earr, pudding pudd, eleven eleven, travelling travel"),
        ("VBN", "eaten eat, uneaten uneaten, carried carry, knelled knell, wooden wooden, decorated decorate, red red"),
        ("VBZ", "is be, lies lie, goes go, watches watch, pies py"),
        ("NN", "glasses glasses, Dog dog"),
        ("NNP", "Dogs Dogs"),
        ("PRP", "them they, me I"),
    ],
)
def test_the_lemma_is_the_originals(tag: str, pairs: str) -> None:
    found = {word: lemma(word, tag) for word, _ in (pair.split() for pair in pairs.split(", "))}
    assert found == dict(pair.split() for pair in pairs.split(", "))


def test_only_the_part_after_the_last_hyphen_changes() -> None:
    assert [lemma("t-shirts", "NNS"), lemma("water-skiing", "VBG")] == ["t-shirt", "water-ski"]
    assert lemma("-lrb-", "VBD") == "-lrb-_VBD"


def test_words_with_other_signs_stay() -> None:
    assert lemma("vases/urns", "NNS") == "vases/urns"
