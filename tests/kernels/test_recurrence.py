"""The steps of an LSTM and its products: to the last bit what NumPy gives, compiled or not, with any instructions."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.kernels.recurrence import packed, product, step_gates, tanh, ways

WORDS, BATCH, SIZE = 9, 3, 7
# Sentences of four, three and two words, at their second: forward and backward.
ROWS = np.array([[1, 5, 8], [2, 5, 7]], np.int32)
HALF = np.float32(0.5)


def numbers(*shape: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


def test_tanh_is_within_half_a_millionth_and_odd() -> None:
    x = np.linspace(-12, 12, 200_000, dtype=np.float32)
    found = tanh(x)
    assert np.abs(found - np.tanh(x.astype(np.float64))).max() < 5e-7
    assert np.array_equal(found, -tanh(-x)) and np.abs(found).max() == 1


@pytest.mark.parametrize("active", [1, 2, BATCH])
@pytest.mark.parametrize("most", [900.0, 1e6])  # the first cuts some off
def test_a_step(active: int, most: float) -> None:
    inputs = np.rint(numbers(WORDS, 2, 4, SIZE, scale=1e5))
    products = np.rint(numbers(2, BATCH, 4, SIZE, seed=1, scale=1e5))
    scales = numbers(2, 3, 4, SIZE, seed=2, scale=1e-5)
    cells, hidden = numbers(2, BATCH, SIZE, seed=3), numbers(2, BATCH, SIZE, seed=4)
    outputs = np.zeros((WORDS, 2, SIZE), np.float32)
    given = np.stack([inputs[rows, way] for way, rows in enumerate(ROWS)])
    scale, bias, own = (scales[:, i][:, None] for i in range(3))
    gates = tanh((products * own + (given * scale + bias)).reshape(-1)).reshape(products.shape)
    i, f, o, c = (gates[:, :, gate] for gate in range(4))
    expected = cells * (f * HALF + HALF) + (i * HALF + HALF) * c
    h = tanh(expected.reshape(-1)).reshape(expected.shape) * (o * HALF + HALF)
    expected[:, active:], before = cells[:, active:], hidden.copy()  # sentences that have ended
    step_gates(ROWS, active, inputs, products, scales, np.array([1024, 2048, most], np.float32), cells, hidden, outputs)
    assert cells.tobytes() == expected.tobytes()
    assert np.array_equal(hidden[:, :active], np.rint(h * np.float32(1024))[:, :active])
    assert np.array_equal(hidden[:, active:], before[:, active:])
    whole = np.clip(np.rint(h * np.float32(2048)), -most, most)
    for way, rows in enumerate(ROWS[:, :active]):
        assert np.array_equal(outputs[rows, way], whole[way, :active])
    assert np.count_nonzero(outputs.any(axis=2)) == 2 * active


@pytest.mark.skipif(not ways(), reason="no kernel of 16-bit integers is compiled for this processor")
@pytest.mark.parametrize("rows", [1, 6, 13])
def test_products_of_16_bit_integers_are_exact(rows: int) -> None:
    random = np.random.default_rng(rows)
    x, weights = random.integers(-900, 900, (rows, 10)), random.integers(-127, 128, (10, 83))
    scales = numbers(2, 128)  # filled up, as columns are
    expected = (x @ weights).astype(np.float32) * scales[0, :83] + scales[1, :83]
    for way in range(1, ways() + 1):
        found = product(x.astype(np.int16), packed(weights.astype(np.float32)), scales, 83, way)
        assert np.array_equal(found, expected)
