"""What pictures show: objects of each kind, and what the references name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vericap.corpus import Corpus, Objects
from vericap.views import Views
from vericap.views.pictures import Pictures, PicturesOf

# Image 0: two annotated dogs and a detected cat; image 1: nothing; image 2: a detected dog.
OBJECTS = Objects(("cat", "dog"), np.array([1, 0, 1, 1]), np.array([0, 3, 3, 4]), np.array([np.nan, 0.9, np.nan, 0.8]))
CORPUS = replace(Corpus.from_lists(["a", "b", "c"]), objects=OBJECTS)


def shown(pictures: Pictures, image: int) -> dict[str, int]:
    return {pictures.labels[i]: int(n) for i, n in zip(*pictures[image], strict=True)}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("union", [{"cat": 1, "dog": 2}, {}, {"dog": 1}]),
        ("gold", [{"dog": 2}, {}, {}]),
        ("detections", [{"cat": 1}, {}, {"dog": 1}]),
    ],
)
def test_objects_of_a_kind(kind: str, expected: list[dict[str, int]]) -> None:
    pictures = Views(CORPUS).get(PicturesOf(kind))  # type: ignore[arg-type]
    assert [shown(pictures, image) for image in range(3)] == expected


def test_places_of_a_vocabulary_leave_out_what_it_lacks() -> None:
    """ "cat" has no vector; "dog" is word 5 there."""
    pictures = Views(CORPUS).get(PicturesOf("union")).at(np.array([-1, 5]))
    assert [pictures[image][0].tolist() for image in range(3)] == [[5], [], [5]]
    assert pictures[0][1].tolist() == [2]


def test_what_references_name_is_counted_once_for_each_reference_with_synonyms_merged() -> None:
    references = [["a man riding a bike", "a bicycle and a bike"], ["a dog", "a dog", "a cat"]]
    pictures = Views(Corpus.from_lists(["a", "b"], references)).get(PicturesOf("references"))
    assert shown(pictures, 0) == {"man": 1, "bike": 2}
    assert shown(pictures, 1) == {"dog": 2, "cat": 1}


def test_an_attribute_names_no_object() -> None:
    pictures = Views(Corpus.from_lists(["a"], [["an orange cat", "an orange"]])).get(PicturesOf("references"))
    assert shown(pictures, 0) == {"cat": 1, "orange": 1}


def test_a_corpus_without_objects_has_no_pictures() -> None:
    with pytest.raises(ValueError, match="no objects"):
        Views(Corpus.from_lists(["a"])).get(PicturesOf("union"))
