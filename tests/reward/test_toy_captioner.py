"""A toy captioner trained with our rewards: it learns, and it repeats itself only where the reward pays for that."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.papers.toy_captioner import KNOWN, POSITIONS, REFERENCES, make_reward, repetition, train

pytestmark = pytest.mark.torch


@pytest.mark.slow_when_pure
@pytest.mark.parametrize("metric", ["cider-d", "cider-r"])
def test_the_reward_rises_and_only_cider_d_is_paid_for_repetition(metric: str) -> None:
    run = train(make_reward(metric))
    assert np.mean(run.rewards[-10:]) > 1.5 * np.mean(run.rewards[:10])
    repeated = np.mean([repetition(caption) for caption in run.captions.values()])
    assert (repeated > 1.3) == (metric == "cider-d"), run.captions


def test_why_cider_d_pays_for_repetition() -> None:
    """Four words of the reference said three times are nearer to its length than said once; CIDEr-R is not fooled."""
    once = ["brown", "dog", "children", "grass"]
    thrice = [word for word in once for _ in range(3)]
    rewards = {metric: make_reward(metric)([once, thrice], [1, 1]) for metric in ("cider-d", "cider-r")}
    assert rewards["cider-d"][1] > rewards["cider-d"][0]
    assert rewards["cider-r"][1] < rewards["cider-r"][0]


def test_the_toy_cannot_say_the_whole_reference() -> None:
    assert all(len(reference.split()) <= POSITIONS for [reference] in REFERENCES.values())
    assert all(len(set(reference.split()) & set(KNOWN)) == 4 for [reference] in REFERENCES.values())
