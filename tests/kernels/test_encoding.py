"""Weights as the compiled layers read them; what they compute is tested beside NumPy in tests/encoders."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.kernels import is_compiled
from vericap.kernels.encoding import blocks, fits, in_lines, multiply, panels, ways


def test_a_block_holds_four_inputs_of_16_columns_after_the_other() -> None:
    weights = np.random.default_rng(0).integers(-127, 128, (48, 12)).astype(np.int8)
    packed = blocks(weights)
    assert packed.shape == (3, 3, 16, 4)
    for column in (0, 15, 16, 47):
        assert packed[column // 16, :, column % 16].reshape(-1).tolist() == weights[column].tolist()


@pytest.mark.parametrize("kind", [np.int8, np.float32])
@pytest.mark.parametrize("size", [1, 64, 1000])
def test_weights_start_at_a_line_of_memory(kind: type, size: int) -> None:
    weights = np.arange(size).astype(kind)
    found = in_lines([weights, weights])
    assert found.ctypes.data % 64 == 0
    assert np.array_equal(found, np.tile(weights, 2))


def test_sizes_that_do_not_fill_blocks_and_lanes_are_left_to_numpy() -> None:
    assert fits(384, 1536, 12)
    assert fits(64, 128, 4)
    assert not fits(96, 128, 2)
    assert not fits(64, 100, 4)
    assert not fits(64, 128, 8)


def test_nothing_compiled_runs_nothing() -> None:
    assert 0 <= ways() <= 2
    assert is_compiled("encoding") or ways() == 0


def test_a_panel_holds_all_inputs_of_32_columns() -> None:
    weights = np.arange(70 * 5, dtype=np.float32).reshape(5, 70)
    packed = panels(weights)
    assert packed.shape == (3, 5, 32)
    for column in (0, 31, 32, 69):
        assert packed[column // 32, :, column % 32].tolist() == weights[:, column].tolist()
    assert not packed[2, :, 6:].any()


@pytest.mark.skipif(is_compiled("encoding"), reason="the kernel is compiled")
def test_a_product_that_nothing_computes_is_an_error() -> None:
    with pytest.raises(NotImplementedError, match="only compiled kernels multiply"):
        multiply(np.ones((1, 1), np.float32), panels(np.ones((1, 1), np.float32)), np.ones((1, 1), np.float32), 1)
