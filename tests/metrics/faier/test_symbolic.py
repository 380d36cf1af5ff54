"""Regions from labels: one for each and one for the picture, and what is left when fewer classes are known."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.metrics.faier.symbolic import PICTURE, label_regions, without_classes
from vericap.metrics.faier.words import shipped_vectors

pytestmark = pytest.mark.torch

LABELS = [["dog", "frisbee", "person"], [], ["person"], ["frisbee", "bench"]]


def test_fewer_classes_are_as_if_the_others_had_never_been_named() -> None:
    """The thinned regions equal those made of the labels that stay; an image that would lose all keeps all."""
    vectors = shipped_vectors()
    regions = label_regions(range(4), LABELS, vectors)
    assert regions.labels is not None
    names, classes = np.unique(regions.labels, return_inverse=True)
    known = np.isin(names, ["dog", "person"])
    found = without_classes(regions, np.array([3, 0, 1, 2]), classes, known)
    due = label_regions(range(4), [["frisbee", "bench"], ["dog", "person"], [], ["person"]], vectors)
    assert found.offsets.tolist() == due.offsets.tolist()
    assert np.allclose(found.features, due.features, atol=1e-6)


def test_boxes_stay_with_their_classes() -> None:
    boxes = [np.array([[10, 20, 30, 40], [5, 25, 20, 60]], np.float32)]
    regions = label_regions([1], [["dog", "cat"]], shipped_vectors(), boxes)
    found = without_classes(regions, np.array([0]), np.array([0, 1, 2]), np.array([True, False, True]))
    assert found.boxes_of(0).tolist() == [[5, 20, 30, 60], [5, 25, 20, 60]]  # type: ignore[union-attr]


def test_the_picture_is_a_region_around_all_boxes() -> None:
    boxes = [np.array([[10, 20, 30, 40], [5, 25, 20, 60]], np.float32), None, np.array([[0, 0, 9, 9]], np.float32)]
    regions = label_regions([1, 2, 3], [["dog", "dog"], [], ["cat"]], shipped_vectors(), boxes)
    assert regions.labels == [PICTURE, "dog", "dog", PICTURE, "cat"]
    assert regions.boxes_of(0).tolist() == [[5, 20, 30, 60], [10, 20, 30, 40], [5, 25, 20, 60]]  # type: ignore[union-attr]
    assert regions.boxes_of(2).tolist() == [[0, 0, 9, 9]] * 2  # type: ignore[union-attr]


def test_the_picture_itself_names_nothing() -> None:
    vectors = shipped_vectors()
    regions = label_regions([1], [["dog", "cat"]], vectors)
    picture, dog, _ = regions.features
    assert not picture[: vectors.dimension].any()
    assert np.array_equal(picture[vectors.dimension :], dog[vectors.dimension :])
