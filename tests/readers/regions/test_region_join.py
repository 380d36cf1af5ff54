"""Regions of a corpus's images, by any spelling of their ids."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.readers.regions.region_writers import write_tsv
from vericap.corpus import Corpus, Regions
from vericap.errors import InputError
from vericap.readers.regions import add_regions

CORPUS = Corpus.from_lists(["a dog", "a cat"], image_ids=["COCO_val2014_000000000042.jpg", 8])


def test_only_the_images_of_the_corpus_are_read_from_a_file(tmp_path: Path) -> None:
    path = write_tsv(tmp_path / "regions.tsv")
    corpus = add_regions(Corpus.from_lists(["a", "b"], image_ids=["42.jpg", "000007"]), path)
    assert list(corpus.regions.image_ids) == [42, 7]
    assert corpus.has_regions and corpus.notes == ()
    assert list(add_regions(CORPUS, str(path), missing="zero").regions.image_ids) == [42]


def test_an_image_without_regions_is_an_error_or_left_out_or_kept() -> None:
    regions = Regions([42], np.array([0, 1]), np.ones((1, 2), np.float32), source="regions.npz")
    with pytest.raises(InputError, match="image 8 is not in the regions") as error:
        add_regions(CORPUS, regions)
    assert error.value.source == "regions.npz" and "drop" in str(error.value.fix)
    dropped = add_regions(CORPUS, regions, missing="drop")
    assert list(dropped.candidates) == ["a dog"] and "1 candidate without regions left out: 8" in dropped.notes
    kept = add_regions(CORPUS, regions, missing="zero")
    assert len(kept) == 2 and "show nothing" in kept.notes[0]


def test_a_spelling_that_may_be_two_images_is_refused() -> None:
    regions = Regions(["a/8.jpg", 42], np.array([0, 1, 2]), np.ones((2, 2), np.float32))
    assert add_regions(CORPUS, regions).regions is regions
    twice = Corpus.from_lists(["a", "b"], image_ids=["8", "008"])
    with pytest.raises(InputError, match="the same as"):
        add_regions(twice, regions)
