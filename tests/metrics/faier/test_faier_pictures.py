"""What of the pictures goes to which model (vectors of regions, labels, boxes), and what it does not see."""

from __future__ import annotations

import numpy as np
import pytest

from tests.metrics.faier.faier_captions import CAPTIONS, OBJECTS, REFERENCES, Make, key, scores
from vericap import evaluate
from vericap.corpus import Regions
from vericap.errors import InputError
from vericap.metrics.faier.inputs import shipped_vectors
from vericap.metrics.faier.pictures import PICTURE, label_regions, without_classes


def test_regions_go_to_a_model_trained_on_vectors(tiny: Make) -> None:
    random = np.random.default_rng(0)
    regions = Regions(list(CAPTIONS), np.array([0, 3, 4, 9, 9, 12]), random.normal(size=(12, 6)).astype(np.float32))
    metric = key(tiny(features=6))
    found = scores(metric, objects=None, regions=regions)
    assert np.isfinite(found).all()
    wider = Regions(list(CAPTIONS), regions.offsets, np.zeros((12, 5), np.float32), source="five.npz")
    with pytest.raises(InputError, match=r'five.npz, field "features": regions have 5 features, and the model takes 6'):
        scores(metric, objects=None, regions=wider)
    with pytest.raises(InputError, match="was trained on vectors of regions"):
        scores(metric)


def test_boxes_weigh_where_the_model_has_them(tiny: Make) -> None:
    random = np.random.default_rng(0)
    features, offsets = random.normal(size=(5, 6)).astype(np.float32), np.arange(6)
    corner = random.uniform(0, 50, size=(5, 2))
    boxes = np.hstack([corner, corner + 20]).astype(np.float32)
    metric = key(tiny(features=6, boxes=True))
    with_boxes = Regions(list(CAPTIONS), offsets, features, boxes)
    result = evaluate(CAPTIONS, REFERENCES, regions=with_boxes, metrics=[metric])[metric]
    assert "|weights:boxes|" in result.signature
    with pytest.raises(InputError, match=r'field "boxes": the model weighs regions by their boxes, and these .* none'):
        scores(metric, objects=None, regions=Regions(list(CAPTIONS), offsets, features))


def test_labels_of_regions_serve_a_model_trained_on_labels(tiny: Make) -> None:
    labels = [label for own in OBJECTS.values() for label in own]
    offsets = np.cumsum([0, *map(len, OBJECTS.values())])
    regions = Regions(list(CAPTIONS), offsets, np.zeros((len(labels), 3), np.float32), labels=labels)
    metric = key(tiny())
    np.testing.assert_array_equal(scores(metric, objects=None, regions=regions), scores(metric))
    nameless = Regions(list(CAPTIONS), offsets, np.zeros((len(labels), 3), np.float32))
    with pytest.raises(InputError, match="was trained on labels of objects, and these regions have none"):
        scores(metric, objects=None, regions=nameless)


def test_image_without_regions_is_answered_for(tiny: Make) -> None:
    regions = Regions([1, 2, 3, 5], np.array([0, 1, 2, 3, 4]), np.ones((4, 6), np.float32))
    found = scores(key(tiny(features=6)), objects=None, regions=regions, missing="zero")
    assert np.isfinite(found).all()


def test_pictures_that_show_nothing_lack_no_box(tiny: Make) -> None:
    assert np.isfinite(scores(key(tiny(boxes=True)), objects={image: [] for image in CAPTIONS})).all()


def test_an_object_without_a_box_is_named(tiny: Make) -> None:
    image = next(iter(CAPTIONS))
    with pytest.raises(InputError, match=rf"'dog' of image '?{image}'? has none; give each its box"):
        scores(key(tiny(boxes=True)), objects={one: ["dog"] for one in CAPTIONS})


def test_boxes_are_in_the_signature(tiny: Make) -> None:
    metric = key(tiny(boxes=True))
    found = [
        evaluate({1: "a dog"}, objects={1: [{"name": "dog", "bbox": [0, 0, width, 9]}]}, metrics=[metric])[metric]
        for width in (5, 6)
    ]
    assert found[0].signature != found[1].signature


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


def test_what_the_model_does_not_see_is_said(tiny: Make) -> None:
    """Labels without a word vector, and labels beyond the 36 regions that a model takes."""
    many = [
        f"{name} {color}"
        for name in ("dog", "cat", "cup", "bus", "tree", "boat")
        for color in "red blue green pink grey brown".split()
    ]
    metric = key(tiny())
    result = evaluate({1: "a dog", 2: "a cat"}, objects={1: ["犬", "dog"], 2: many}, metrics=[metric])
    assert f"{metric}: 1 label has no word vector and is seen as something unknown: 犬" in result.notes
    assert f"{metric}: 1 image has more than 36 regions, of which the first 36 are used" in result.notes
    seen = evaluate({1: "a dog"}, objects={1: ["dog"]}, metrics=[metric])
    assert not seen.notes
