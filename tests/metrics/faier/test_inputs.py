"""Words, captions, regions and batches as arrays without padding."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from vericap.arrays import Integers, Ragged, offsets_of
from vericap.corpus import Regions
from vericap.errors import InputError
from vericap.metrics.faier.inputs import (
    SCALE,
    Batch,
    CaptionColumns,
    lexicon,
    load_vectors,
    region_batch,
    shipped_vectors,
)
from vericap.metrics.faier.packed import Sequences
from vericap.metrics.faier.scenes import Caption


def test_an_image_without_regions_has_one_of_zeros() -> None:
    regions = Regions([0, 1], np.array([0, 0, 2]), np.ones((2, 3), np.float32))
    batch = region_batch(regions, np.array([0, 1]), 36)
    assert batch.features.tolist() == [[0, 0, 0], [1, 1, 1], [1, 1, 1]]
    assert batch.counts.tolist() == [1, 2]


def test_boxes_are_in_parts_of_the_image() -> None:
    boxes = np.array([[0, 10, 50, 100], [20, 0, 80, 40]], np.float32)
    features = np.ones((2, 3), np.float32)
    sized = Regions([7], np.array([0, 2]), features, boxes, sizes=np.array([[100, 200]], np.float32))
    found = region_batch(sized, np.array([0]), 36).boxes
    assert found is not None and np.allclose(found, np.array([[0, 0.05, 0.5, 0.5], [0.2, 0, 0.8, 0.2]]))
    reached = region_batch(Regions([7], np.array([0, 2]), features, boxes), np.array([0]), 36).boxes
    assert reached is not None and reached[:, 2:].max(axis=0).tolist() == [1, 1]


def test_a_batch_of_captions_has_their_words_and_triplets() -> None:
    captions = [
        Caption(("a", "dog", "runs"), (("dog", "run on", "grass"), ("dog", "near", "tree"))),
        Caption(("dog",)),
        Caption(("the", "tree"), (("tree", "on", "grass"),)),
    ]
    columns, words = CaptionColumns.encode(captions)
    batch = columns.batch(np.array([2, 0]))

    def spelled(sequences: Sequences, lengths: Integers) -> list[str]:
        read = [words[batch.distinct[item]] for item in sequences.items[sequences.place]]
        return [" ".join(read[first:last]) for first, last in pairwise(offsets_of(lengths))]

    assert len(columns) == 3
    for way in (0, 1):
        assert spelled(batch.words[way], batch.lengths) == ["the tree", "a dog runs"]
        triplets = spelled(batch.triplets[way], np.array([4, 3, 3]))
        assert [[triplets[i] for i in own] for own in batch.of_caption] == [
            ["tree on grass"],
            ["dog run on grass", "dog near tree"],
        ]


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


def test_candidates_and_references_are_rows_of_the_same_texts() -> None:
    captions, words = CaptionColumns.encode([Caption((word,)) for word in ("dog", "cat", "bird", "cow")])
    batch = Batch.of(captions, None, np.array([3, 1]), Ragged.of([[1, 0], [3]]))
    assert [words[word] for word in batch.texts.distinct] == ["dog", "cat", "cow"]
    assert batch.candidates.tolist() == [2, 1]
    assert [rows.tolist() for rows in batch.references] == [[1, 0], [2]]
