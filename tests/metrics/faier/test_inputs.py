"""Captions and regions as tensors without padding."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.corpus import Regions
from vericap.metrics.faier.inputs import CaptionColumns, region_batch
from vericap.metrics.faier.triplets import Caption

pytestmark = pytest.mark.torch


def test_an_image_without_regions_has_one_of_zeros() -> None:
    regions = Regions([0, 1], np.array([0, 0, 2]), np.ones((2, 3), np.float32))
    batch = region_batch(regions, np.array([0, 1]), 36)
    assert batch.features.tolist() == [[0, 0, 0], [1, 1, 1], [1, 1, 1]]
    assert batch.mask.tolist() == [[True, False], [True, True]]


def test_boxes_are_in_parts_of_the_image() -> None:
    boxes = np.array([[0, 10, 50, 100], [20, 0, 80, 40]], np.float32)
    features = np.ones((2, 3), np.float32)
    sized = Regions([7], np.array([0, 2]), features, boxes, sizes=np.array([[100, 200]], np.float32))
    found = region_batch(sized, np.array([0]), 36).boxes
    assert found is not None and np.allclose(found, np.array([[0, 0.05, 0.5, 0.5], [0.2, 0, 0.8, 0.2]]))
    reached = region_batch(Regions([7], np.array([0, 2]), features, boxes), np.array([0]), 36).boxes
    assert reached is not None and reached[:, 2:].amax(0).tolist() == [1, 1]


def test_a_batch_of_captions_has_their_words_and_triplets() -> None:
    captions = [
        Caption(("a", "dog", "runs"), (("dog", "run on", "grass"), ("dog", "near", "tree"))),
        Caption(("dog",)),
        Caption(("the", "tree"), (("tree", "on", "grass"),)),
    ]
    vocabulary: dict[str, int] = {}
    columns = CaptionColumns.encode(captions, vocabulary)
    words = list(vocabulary)
    batch = columns.batch(np.array([2, 0]))

    def spelled(sequences, row: int) -> list[str]:
        places = sequences.place[row][sequences.mask[row]]
        return [words[batch.distinct[item]] for item in sequences.items[places]]

    assert len(columns) == 3
    assert [spelled(batch.words, row) for row in (0, 1)] == [["the", "tree"], ["a", "dog", "runs"]]
    assert [spelled(batch.triplets, row) for row in (0, 1)] == [["tree", "on", "grass"], "dog run on grass".split()]
    assert batch.mask.sum(dim=1).tolist() == [1, 2]
