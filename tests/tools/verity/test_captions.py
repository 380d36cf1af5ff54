"""Pictures are alike whose captions share rare words."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra `neural`")
from tools.verity import captions as module
from tools.verity.captions import Captions, nearest, word_vectors

TEXTS = [f"{animal} {place} {n}" for animal in ("dog", "cat", "horse") for place in ("park", "beach") for n in "abcdef"]


def test_pictures_with_the_same_words_are_nearest(monkeypatch):
    monkeypatch.setattr(module, "WORDS", 12)
    monkeypatch.setattr(module, "SAMPLED", 10)
    vectors = word_vectors(TEXTS)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)
    found = nearest(vectors)
    # Six texts share animal and place with the first, itself among them.
    assert set(found[0][:6].tolist()) == set(range(6))


def test_captions_of_an_image():
    assert Captions([7, 9], ["a", "b", "c"], [0, 2, 3]).of(0) == ["a", "b"]
