"""Word vectors: what ships knows the words of captions and object classes."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.lexicon.vectors import SHIPPED, shipped
from vericap.vision.labels import COCO_CATEGORIES, VOC_WORDS


def test_what_ships_fits_and_stays_on_the_disk() -> None:
    assert SHIPPED.stat().st_size <= 12_000_000
    vectors = shipped()
    table, known = vectors.of(["dog"])
    assert table.shape == (1, vectors.dimensions) and known.all()
    assert isinstance(vectors.hashes.base, np.memmap) or not vectors.hashes.flags.owndata


def test_every_class_of_coco_and_voc_has_a_vector() -> None:
    labels = [*COCO_CATEGORIES.values(), *VOC_WORDS.values()]
    parts = [word for label in labels for word in label.split()]
    assert (shipped().rows(parts) >= 0).all()


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [("couch", "sofa", "cow"), ("puppy", "dog", "pizza"), ("woman", "person", "truck"), ("jet", "airplane", "cup")],
)
def test_words_for_the_same_thing_are_near(word: str, near: str, far: str) -> None:
    table, _ = shipped().of([word, near, far])
    assert table[0] @ table[1] > table[0] @ table[2] + 0.3


def test_phrases_are_means_of_their_known_words() -> None:
    table, known = shipped().of(["fire hydrant", "fire", "hydrant", "fire xyzzyx", "xyzzyx"])
    middle = table[1] + table[2]
    assert np.allclose(table[0], middle / np.linalg.norm(middle))
    assert np.array_equal(table[3], table[1])
    assert known.tolist() == [True, True, True, True, False] and not table[4].any()
