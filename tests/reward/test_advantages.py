"""Baselines of policy gradients."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.reward.advantages import leave_one_out, self_critical


def test_advantages_of_an_image_sum_to_zero_when_left_one_out() -> None:
    rewards = np.random.default_rng(0).random(12).astype(np.float32)
    image_ids = ["a", "b", "c"] * 4
    advantages = leave_one_out(rewards, image_ids).advantages
    for image in range(3):
        assert advantages[image::3].sum() == pytest.approx(0, abs=1e-6)


def test_the_baseline_of_a_sample_does_not_depend_on_it() -> None:
    baselines = [leave_one_out(np.array([x, 2, 4], np.float32), [1, 1, 1]).baselines[0] for x in (0, 100)]
    assert baselines == [3.0, 3.0]


def test_greedy_captions_come_in_the_order_in_which_images_are_first_named() -> None:
    found = self_critical(np.array([1, 2, 3, 4], np.float32), np.array([10, 20], np.float32), [8, 8, 5, 8])
    assert found.baselines.tolist() == [10, 10, 20, 10]


def test_greedy_captions_that_fit_neither_samples_nor_images_are_an_error() -> None:
    with pytest.raises(InputError, match="3 greedy captions for 4 samples of 2 images"):
        self_critical(np.zeros(4, np.float32), np.zeros(3, np.float32), [1, 1, 2, 2])


def test_one_sample_has_nothing_to_be_compared_with() -> None:
    with pytest.raises(InputError, match="image 'b' has one sample"):
        leave_one_out(np.zeros(3, np.float32), ["a", "a", "b"])
