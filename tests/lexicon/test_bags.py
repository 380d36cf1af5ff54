"""Captions as bags of content words: which words count, how often, and where labels of objects find their vector."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.lexicon.bags import content_bags
from vericap.lexicon.vectors import Vectors, resolve
from vericap.text.vocabulary import encode

STOP = frozenset({"the", "a"})
CAPTION = st.lists(st.sampled_from(["the", "a", "dog", "cat", "light", "xyzzyx"]), max_size=7)


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Vectors:
    path = tmp_path_factory.mktemp("vectors") / "own.txt"
    path.write_text("dog 1 0\ncat 0 2\nlight 3 4\ntraffic 4 3\nthe 1 1\n")
    return resolve(str(path))


@given(captions=st.lists(CAPTION, max_size=5))
def test_a_bag_counts_the_content_words_that_have_a_vector(vectors: Vectors, captions: list[list[str]]) -> None:
    vocabulary: dict[str, int] = {}
    ids = encode([" ".join(words) for words in captions], str.split, vocabulary)
    bags, _ = content_bags(ids, list(vocabulary), vectors, STOP)
    assert len(bags) == len(captions)
    for number, words in enumerate(captions):
        held, counts = bags[number]
        assert held.tolist() == sorted(held.tolist())
        found = {bags.words[i]: n for i, n in zip(held.tolist(), counts.tolist(), strict=True)}
        assert found == Counter(word for word in words if word not in {*STOP, "xyzzyx"})
    assert set(bags.unknown) == {"xyzzyx"} & {word for words in captions for word in words}


def test_vectors_are_of_the_words_and_of_unit_length_unless_asked_otherwise(vectors: Vectors) -> None:
    ids = encode(["dog light"], str.split, words := {})
    for normalised, light in ((True, [0.6, 0.8]), (False, [3, 4])):
        bags, _ = content_bags(ids, list(words), vectors, STOP, normalised=normalised)
        held, _ = bags[0]
        assert bags.vectors[held].tolist() == pytest.approx(np.array([[1, 0], light]))


def test_a_label_keeps_its_stop_words_and_may_have_several(vectors: Vectors) -> None:
    ids = encode(["a dog"], str.split, words := {})
    bags, places = content_bags(ids, list(words), vectors, STOP, phrases=["dog", "traffic light", "the", "zzz", "dog"])
    assert [bags.words[at] if at >= 0 else None for at in places] == ["dog", "traffic light", "the", None, "dog"]
    assert bags.words[bags[0][0][0]] == "dog" and len(bags[0][0]) == 1
    middle = np.array([4, 3]) + np.array([3, 4])  # of the two words' directions alike
    assert bags.vectors[places[1]] == pytest.approx(middle / np.linalg.norm(middle))


def test_no_captions_are_no_bags(vectors: Vectors) -> None:
    bags, places = content_bags(encode([], str.split, {}), [], vectors, STOP)
    assert len(bags) == 0 and len(places) == 0 and list(bags.unknown) == []


def test_words_without_a_vector_are_named_once(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("dog 1 0\n")
    ids = encode(["zzz dog zzz", "yyy the"], str.split, words := {})
    bags, _ = content_bags(ids, list(words), resolve(str(path)), STOP)
    assert sorted(bags.unknown) == ["yyy", "zzz"]
