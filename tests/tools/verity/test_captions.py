"""Pictures are alike whose captions share rare words."""

from __future__ import annotations

import numpy as np
import pytest

from tools.verity import captions as module
from tools.verity.captions import Captions, nearest, word_vectors

pytestmark = pytest.mark.torch

ANIMALS, PLACES = ("dog", "cat", "horse"), ("park", "beach")
TEXTS = [f"{animal} {place} {letter * 3}" for animal in ANIMALS for place in PLACES for letter in "abcdef"]


def test_pictures_with_the_same_words_are_nearest(monkeypatch):
    monkeypatch.setattr(module, "WORDS", 11)
    monkeypatch.setattr(module, "SAMPLED", 11)
    vectors = word_vectors(TEXTS)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)
    # The rarest word counts most: after itself the nearest share animal or letter, and never neither.
    first = [TEXTS[place].split() for place in nearest(vectors)[0][:6].tolist()]
    assert first[0] == TEXTS[0].split()
    assert all(set(words) & {"dog", "aaa"} for words in first)


def test_captions_of_an_image():
    assert Captions([7, 9], ["a", "b", "c"], [0, 2, 3]).of(0) == ["a", "b"]
