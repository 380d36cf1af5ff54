"""Weights that ship can be trained on: rounding what was restored gives the same whole numbers."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.tools.parser.silver_files import caption
from tools.parser.export import gates, in_torchs_order, restored, rounded
from tools.parser.network import HIDDEN, Student, Vocabulary

pytestmark = pytest.mark.torch

SENTENCES = [caption(noun, "on", "the", "beach") for noun in ("dog", "cat", "dog", "cat")]


def test_the_order_of_gates_comes_back():
    values = np.random.default_rng(1).normal(size=(4 * HIDDEN, 3))
    np.testing.assert_allclose(in_torchs_order(gates(values)), values)


def test_rounding_what_was_restored_gives_the_same_weights():
    torch.manual_seed(1)
    vocabulary = Vocabulary(SENTENCES)
    first = rounded(vocabulary, Student(vocabulary).state_dict(), SENTENCES)
    again = rounded(vocabulary, restored(vocabulary, first), SENTENCES)
    assert set(first) == set(again)
    for name in first:
        if name.endswith(".weight"):
            np.testing.assert_array_equal(first[name], again[name])
