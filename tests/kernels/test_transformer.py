"""The steps of a transformer between its products: what their formulas give, compiled or not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from vericap.kernels.transformer import add_gelu, add_residual, divide_by_sums, scale_rows, subtract_maxima


def numbers(*shape: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


def test_gelu_is_exact_to_a_millionth() -> None:
    x = np.linspace(-40, 40, 1_000_001).astype(np.float32)[None]
    bias = np.full(x.shape[1], 0.25, np.float32)
    sums = (x + bias).astype(np.float64)
    expected = sums * ndtr(sums)
    add_gelu(x, bias)
    assert np.abs(x - expected).max() < 1e-6


def test_gelu_of_large_numbers_is_the_number_or_nothing() -> None:
    x = np.float32([[-1e4, -100, 0, 100, 1e4]])
    add_gelu(x, np.zeros(5, np.float32))
    assert x.tolist() == [[0, 0, 0, 100, 1e4]]


@pytest.mark.parametrize("columns", [1, 7, 8, 24, 29])
def test_layer_normalisation(columns: int) -> None:
    rows, residual = numbers(5, columns), numbers(5, columns, seed=1, scale=3)
    bias, gain, shift = (numbers(columns, seed=seed) for seed in (2, 3, 4))
    sums = rows.astype(np.float64) + residual + bias
    expected = (sums - sums.mean(axis=1, keepdims=True)) / np.sqrt(sums.var(axis=1, keepdims=True) + 1e-5)
    means, variances = np.empty(5, np.float32), np.empty(5, np.float32)
    add_residual(rows, bias, residual, means, variances)
    assert means == pytest.approx(sums.mean(axis=1), abs=1e-6)
    assert variances == pytest.approx(sums.var(axis=1), rel=1e-5, abs=1e-6)
    scale_rows(rows, means, 1 / np.sqrt(variances + np.float32(1e-5)), gain, shift)
    assert rows == pytest.approx(expected * gain + shift, abs=1e-5)


@pytest.mark.parametrize("columns", [1, 2, 13])
def test_softmax(columns: int) -> None:
    rows = numbers(6, columns, scale=30)
    expected = np.exp(rows.astype(np.float64) - rows.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    subtract_maxima(rows)
    assert rows.max(axis=1).tolist() == [0] * 6
    np.exp(rows, out=rows)
    divide_by_sums(rows)
    assert rows == pytest.approx(expected, abs=1e-6)


def test_a_row_does_not_depend_on_the_others() -> None:
    many, one = numbers(9, 40), numbers(9, 40)[4:5].copy()
    results = []
    for rows in (many, one):
        means, variances = np.empty(len(rows), np.float32), np.empty(len(rows), np.float32)
        add_residual(rows, numbers(40, seed=1), rows.copy(), means, variances)
        scale_rows(rows, means, variances, numbers(40, seed=2), numbers(40, seed=3))
        add_gelu(rows, numbers(40, seed=4))
        subtract_maxima(rows)
        results.append(rows)
    assert results[0][4].tobytes() == results[1][0].tobytes()
