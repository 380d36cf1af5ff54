"""R@k: expected over the orders of ties, both ways."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.metrics.faier.recall import recall

pytestmark = pytest.mark.torch


def test_recall_by_hand() -> None:
    scores = np.array([[3.0, 2, 1], [9, 5, 7], [0, 0, 0]])
    found = recall(scores, (1, 2))
    # Captions → images: ranks 1, 3, and a tie of three. Images → captions: 2, 1, 3.
    assert found.text_to_image == {1: pytest.approx((1 + 0 + 1 / 3) / 3), 2: pytest.approx((1 + 0 + 2 / 3) / 3)}
    assert found.image_to_text == {1: pytest.approx(1 / 3), 2: pytest.approx(2 / 3)}


def test_a_tie_counts_as_the_mean_over_its_orders() -> None:
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 4, (30, 30)).astype(float)
    expected = np.mean(
        [
            [np.argsort(-(row + 1e-6 * rng.random(30)))[:5].tolist().count(i) for i, row in enumerate(scores)]
            for _ in range(1000)
        ]
    )
    assert recall(scores, (5,)).text_to_image[5] == pytest.approx(expected, abs=0.02)
