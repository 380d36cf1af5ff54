"""Pictures reach a network's input, and boxes come back to where they were in the picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.vision.adapters.boxes import letterbox, resize, stretch, suppress

BOXES = np.array([[0, 0, 10, 10], [1, 0, 11, 10], [20, 20, 30, 30], [0, 0, 10, 10]], np.float32)


@given(st.integers(1, 90), st.integers(1, 90))
def test_the_whole_picture_comes_back_as_the_whole_picture(tall: int, wide: int) -> None:
    picture = np.zeros((tall, wide, 3), np.uint8)
    for place in (letterbox, stretch):
        boxed, placed = place(picture, 64, 96)
        assert boxed.shape == (64, 96, 3)
        everything = placed.back(np.array([[0, 0, 96, 64]], np.float32))
        assert everything.tolist() == [[0, 0, wide, tall]]


def test_a_letterbox_has_bars_on_both_sides_and_the_picture_between() -> None:
    boxed, placed = letterbox(np.full((20, 40, 3), 7, np.uint8), 64, 64)
    # Twice 0.8: 64 × 32 pixels, 16 rows of grey above and below.
    assert (placed.left, placed.top, placed.across) == (0, 16, 1.6)
    assert set(boxed[:16].ravel()) == set(boxed[48:].ravel()) == {114}
    assert set(boxed[16:48].ravel()) == {7}
    assert placed.back(np.array([[16, 32, 48, 48]], np.float32)).tolist() == [[10, 10, 30, 20]]


def test_bilinear_resizing_weighs_the_two_nearest_pixels() -> None:
    row = np.array([[0, 10, 20, 30]], np.uint8)[..., None]
    # Centres of two pixels over four: at 0.5 and 2.5.
    assert resize(row, 1, 2)[0, :, 0].tolist() == [5, 25]
    assert resize(row.transpose(1, 0, 2), 2, 1)[:, 0, 0].tolist() == [5, 25]


def test_the_surest_of_overlapping_boxes_of_a_class_stays() -> None:
    sure = np.array([0.5, 0.9, 0.8, 0.4], np.float32)
    # Boxes 0 and 1 share 90 of 110 pixels: 0.82.
    assert suppress(BOXES, sure, np.zeros(4, np.int64), 0.7).tolist() == [1, 2]
    assert suppress(BOXES, sure, np.zeros(4, np.int64), 0.85).tolist() == [1, 2, 0]
    assert suppress(BOXES, sure, np.array([0, 1, 0, 2]), 0.7).tolist() == [1, 2, 0, 3]


@pytest.mark.parametrize("count", [0, 1])
def test_few_boxes_are_no_special_case(count: int) -> None:
    kept = suppress(BOXES[:count], np.ones(count, np.float32), np.zeros(count, np.int64), 0.5)
    assert kept.tolist() == list(range(count))
