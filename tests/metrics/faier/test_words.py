"""Words as the model takes them: vectors, and rows of learned offsets."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.metrics.faier.words import SCALE, lexicon, load_vectors, shipped_vectors

pytestmark = pytest.mark.torch


def test_a_phrase_is_the_mean_of_its_words_and_what_has_no_vector_is_zero() -> None:
    vectors = shipped_vectors()
    dog, unknown = vectors(["dog", "xyzzyx"])
    assert np.linalg.norm(dog) == pytest.approx(SCALE, rel=1e-3) and not unknown.any()
    hot, both = vectors(["hot", "hot dog"])
    cosine = both @ (hot + dog) / np.linalg.norm(both) / np.linalg.norm(hot + dog)
    assert cosine == pytest.approx(1, abs=1e-3)


def test_words_without_an_offset_of_their_own_have_row_0() -> None:
    assert lexicon(["dog", "cat", "a"], {"a": 1, "dog": 2}, shipped_vectors()).learned.tolist() == [2, 0, 1]


def test_other_vectors_are_refused() -> None:
    with pytest.raises(InputError, match="trained with the word vectors 000000"):
        load_vectors("000000", "folder")
