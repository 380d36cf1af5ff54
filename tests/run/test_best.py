"""Which of several captions of an image counts."""

from __future__ import annotations

import numpy as np

from vericap.corpus import Corpus
from vericap.run.best import best_rows


def test_the_first_of_equals_wins_and_an_undefined_score_loses() -> None:
    corpus = Corpus(list("aabb"), ["1", "2", "3", "4"], np.array([0, 0, 1, 1]))
    assert best_rows(corpus, np.array([0.5, 0.5, np.nan, 0.1])).tolist() == [0, 3]
    assert best_rows(corpus, np.full(4, np.nan)).tolist() == [0, 2]
