"""The teacher's targets are mean cosines of different captions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tools.verity.captions import Captions, Likeness
from tools.verity.teacher import Teacher, choose

pytestmark = pytest.mark.torch


def test_targets_are_those_of_the_definition():
    random = np.random.default_rng(0)
    vectors = random.normal(size=(3, 5, 7)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    which = [4, 0, 2]
    found = Teacher([10, 20, 30], torch.from_numpy(vectors)).targets([10, 20, 30], which).numpy()
    for j in range(3):
        for i in range(3):
            one = [vectors[j, which[j]] @ vectors[i, k] for k in range(5) if (j, which[j]) != (i, k)]
            all_of = [vectors[j, a] @ vectors[i, b] for a in range(5) for b in range(5) if (j, a) != (i, b)]
            assert found[j, i] == pytest.approx((np.mean(one) + np.mean(all_of)) / 2, abs=1e-5)


def test_neighbours_are_chosen_together():
    captions = Captions(list(range(40)), ["a dog"] * 200, list(range(0, 201, 5)))
    alike = Likeness(np.zeros((40, 1), np.float32), np.array([[(i + n) % 40 for n in range(33)] for i in range(40)]))
    chosen = choose(captions, alike, pictures=12)
    assert chosen == sorted(set(chosen)) and 12 <= len(chosen) <= 21
