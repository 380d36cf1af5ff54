"""A corpus knows where its pictures are, and so does every part of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from vericap.corpus import Corpus, PictureFolder


def test_a_part_of_a_corpus_has_the_same_pictures() -> None:
    corpus = Corpus.from_lists(["a dog", "a cat"])
    assert not corpus.has_pictures
    folder = PictureFolder(Path("pictures"), Path("cache"), "drop")
    assert replace(corpus, pictures=folder).keep(np.array([1])).pictures == folder
