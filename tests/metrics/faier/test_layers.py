"""Layers in NumPy: the bits of a row depend on no other row, and a GRU on no other sequence."""

from __future__ import annotations

import numpy as np
import pytest

from tests.metrics.faier.slow_graphs import gru_of, numbers
from vericap.metrics.faier import layers
from vericap.metrics.faier.packed import Sequences

pytestmark = pytest.mark.bits


def test_rows_do_not_depend_on_each_other() -> None:
    rng = np.random.default_rng(0)
    layer, x = layers.NumpyLinear(numbers(rng, 6, 5), numbers(rng, 6)), numbers(rng, 70, 5)
    assert np.array_equal(layer(x), np.concatenate([layer(x[i : i + 1]) for i in range(70)]))


def test_sequences_do_not_depend_on_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    (gru, _), x, lengths = gru_of(rng, 5, 4), numbers(rng, 9, 5), rng.integers(1, 8, 50)
    given = [rng.integers(9, size=length) for length in lengths]
    whole = Sequences.pack(np.concatenate(given), lengths)
    last = gru(x, whole)[whole.last]
    alone = [Sequences.pack(one, np.array([len(one)])) for one in given]
    assert np.array_equal(last, np.concatenate([gru(x, one)[one.last] for one in alone]))
    monkeypatch.setattr(layers, "_NUMBERS", 30)
    assert np.array_equal(last, gru(x, whole)[whole.last])
