"""Objects in columns: which count, how often, and of which image."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vericap.corpus import Corpus, PictureFolder
from vericap.corpus.object_table import Objects

LABELS = ("dog", "cat", "car")
# (label, source, confidence): people annotate without one.
OBJECT = st.tuples(st.integers(0, 2), st.integers(0, 1), st.sampled_from([float("nan"), 0.9]))
IMAGES = st.lists(st.lists(OBJECT, max_size=6), min_size=1, max_size=4)


def table(images: list[list[tuple[int, int, float]]]) -> Objects:
    rows = [row for image in images for row in image]
    label, source, confidence = (np.array([row[k] for row in rows]) for k in range(3))
    offsets = np.cumsum([0, *map(len, images)])
    return Objects(
        LABELS,
        label.astype(np.int64),
        offsets,
        confidence.astype(float),
        source=source.astype(np.int64),
        sources=("a", "b"),
    )


@given(IMAGES, st.sampled_from(["gold", "detections", "union"]))
def test_of_an_object_in_several_sources_the_one_that_counts_most_decides(images, kind) -> None:
    offsets, labels, counts = table(images).distinct(kind)
    for number, image in enumerate(images):
        kept = [row for row in image if kind == "union" or np.isnan(row[2]) == (kind == "gold")]
        by_source = [Counter(label for label, source, _ in kept if source == which) for which in (0, 1)]
        expected = by_source[0] | by_source[1]  # the greater of the two counts
        rows = slice(offsets[number], offsets[number + 1])
        assert dict(zip(labels[rows].tolist(), counts[rows].tolist(), strict=True)) == expected
        named = [LABELS[label] for label in labels[rows]]
        assert named == sorted(named)


@given(IMAGES, st.data())
def test_the_objects_of_some_images_in_any_order(images, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(images) - 1), min_size=1))
    whole = table(images)
    some = whole.keep(np.array(chosen))
    assert len(some) == len(chosen)
    for here, there in enumerate(chosen):
        assert some.of(here) == whole.of(there) == [LABELS[label] for label, _, _ in images[there]]
        rows = [slice(each.offsets[at], each.offsets[at + 1]) for each, at in ((some, here), (whole, there))]
        np.testing.assert_array_equal(some.confidence[rows[0]], whole.confidence[rows[1]])
        np.testing.assert_array_equal(some.source[rows[0]], whole.source[rows[1]])


def test_boxes_and_what_is_known_stay_with_their_images() -> None:
    boxes = np.arange(12.0).reshape(3, 4)
    objects = Objects(LABELS, np.array([0, 1, 2]), np.array([0, 1, 3]), boxes=boxes, known=np.array([True, False]))
    some = objects.keep(np.array([1]))
    assert some.boxes is not None and some.boxes.tolist() == boxes[1:].tolist()
    assert some.known.tolist() == [False]


def test_objects_made_by_hand_are_annotated_of_one_source_and_of_known_images() -> None:
    objects = Objects(("dog",), np.array([0, 0]), np.array([0, 2, 2]))
    assert np.isnan(objects.confidence).all() and objects.source.tolist() == [0, 0]
    assert (
        objects.known.tolist() == [True, True] and objects.rows("gold").all() and not objects.rows("detections").any()
    )


def test_the_hash_is_of_all_that_scores_depend_on() -> None:
    base = ("dog", "cat"), np.array([0, 1]), np.array([0, 1, 2])
    confident = np.array([0.5, np.nan])
    variants = [
        Objects(*base),
        Objects(("dog", "cow"), *base[1:]),
        Objects(base[0], np.array([1, 1]), base[2]),
        Objects(*base[:2], np.array([0, 0, 2])),
        Objects(*base, confident),
        Objects(*base, boxes=np.ones((2, 4))),
    ]
    assert len({each.digest for each in variants}) == len(variants)
    assert Objects(*base).digest == variants[0].digest


def test_a_part_of_a_corpus_has_the_same_pictures() -> None:
    corpus = Corpus.from_lists(["a dog", "a cat"])
    assert not corpus.has_pictures
    folder = PictureFolder(Path("pictures"), Path("cache"), "drop")
    assert replace(corpus, pictures=folder).keep(np.array([1])).pictures == folder
