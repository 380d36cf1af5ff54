"""Synsets as METEOR looks them up: a word's own, and those of its irregular lemmas or its first regular base form."""

from __future__ import annotations

from pathlib import Path

import pytest

from vericap.lexicon.wordnet import WordNet, wordnet

TOY = WordNet.of(
    {
        "dog": [7],
        "hound": [9, 7],
        "be": [3],
        "axis": [4],
        "axe": [5],
        "bus": [6],
        "glass": [8],
        "bake": [1],
        "man": [2],
    },
    [("is", "be"), ("axes", "axis"), ("axes", "axe"), ("mans", "nowhere")],
)


def synsets(net: WordNet, *words: str) -> list[list[int]]:
    return [row.tolist() for row in net.synsets(words)]


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("dog", [7]),
        ("dogs", [7]),
        ("hound", [7, 9]),
        ("is", [3]),
        ("axes", [4, 5]),  # both lemmas of an irregular form
        ("buses", [6]),  # ses → s, before es → e
        ("bus", [6]),  # not "bu"
        ("glass", [8]),
        ("glas", []),
        ("baking", [1]),  # ing → e
        ("baked", [1]),
        ("women", []),
        ("men", [2]),
        ("mans", []),  # irregular, with a lemma that has no synset: the regular ending is not tried
        ("as", []),  # too short to have an ending
        ("", []),
    ],
)
def test_a_word_has_the_synsets_of_its_base_form(word: str, found: list[int]) -> None:
    assert synsets(TOY, word) == [found]


def test_words_do_not_depend_on_their_neighbours() -> None:
    words = ["dogs", "of", "axes", "is", "baking", "hounds"]
    assert synsets(TOY, *words) == [row for word in words for row in synsets(TOY, word)]
    assert synsets(TOY) == []


def test_saved_and_loaded_is_the_same(tmp_path: Path) -> None:
    TOY.save(tmp_path / "toy.arrays")
    again = WordNet.load(tmp_path / "toy.arrays")
    words = ["dogs", "axes", "men", "xyzzyx"]
    assert synsets(again, *words) == synsets(TOY, *words)


@pytest.mark.parametrize(("one", "other"), [("sofa", "couch"), ("hound", "dog"), ("mice", "mouse"), ("is", "exist")])
def test_synonyms_share_a_synset_in_what_ships(one: str, other: str) -> None:
    first, second = synsets(wordnet(), one, other)
    assert set(first) & set(second)


def test_strangers_share_none() -> None:
    dog, street, made_up = synsets(wordnet(), "dog", "street", "xyzzyx")
    assert dog and street and not set(dog) & set(street) and not made_up


def test_a_net_of_one_word() -> None:
    assert synsets(WordNet.of({"dog": [7]}, []), "dogs", "dog", "cat") == [[7], [7], []]
