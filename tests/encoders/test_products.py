"""A product of matrices: near that of NumPy, and each row as if it were alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.encoders.products import Product
from vericap.kernels.encoding import ways

RANDOM = np.random.default_rng(0)


def matrix(rows: int, columns: int) -> np.ndarray:
    return RANDOM.normal(size=(rows, columns)).astype(np.float32)


@pytest.mark.bits
@pytest.mark.parametrize("way", range(ways() + 1))
@pytest.mark.parametrize(("width", "columns"), [(384, 1152), (1536, 384), (24, 72), (52, 24), (384, 129), (3, 33)])
def test_the_bits_of_a_row_depend_on_that_row_alone(way: int, width: int, columns: int) -> None:
    product, x = Product(matrix(width, columns), way), matrix(200, width)
    together = product(x)
    for first, last in [(0, 1), (7, 8), (3, 9), (100, 113), (2, 98), (199, 200)]:
        assert product(x[first:last]).tobytes() == together[first:last].tobytes()
    for others in (0, 1e30):  # whatever is beside it
        beside = np.full_like(x, others)
        beside[50] = x[50]
        assert product(beside)[50].tobytes() == together[50].tobytes()


@pytest.mark.parametrize("way", range(ways() + 1))
@pytest.mark.parametrize("scale", [1.0, 1e-20, 1e20])
def test_a_product_is_as_near_as_float32_is(way: int, scale: float) -> None:
    weights, x = matrix(700, 70), matrix(30, 700) * np.float32(scale)
    exact = x.astype(np.float64) @ weights.astype(np.float64)
    lengths = np.linalg.norm(x.astype(np.float64), axis=1)[:, None] * np.linalg.norm(weights.astype(float), axis=0)
    assert np.abs((Product(weights, way)(x) - exact) / lengths).max() < 2e-7


@pytest.mark.skipif(ways() < 2, reason="this machine has one compiled way at the most")
def test_compiled_ways_give_the_same_bits() -> None:
    weights, x = matrix(384, 129), matrix(101, 384)
    assert Product(weights, 1)(x).tobytes() == Product(weights, 2)(x).tobytes()


@given(st.integers(0, 20), st.integers(1, 300), st.integers(1, 70))
def test_any_shape(rows: int, width: int, columns: int) -> None:
    x, weights = np.ones((rows, width), np.float32), np.full((width, columns), 0.5, np.float32)
    for way in range(ways() + 1):
        assert np.array_equal(Product(weights, way)(x), np.full((rows, columns), width / 2, np.float32))


@pytest.mark.parametrize("way", range(ways() + 1))
def test_rows_of_zeros(way: int) -> None:
    assert not Product(matrix(5, 3), way)(np.zeros((2, 5), np.float32)).any()
