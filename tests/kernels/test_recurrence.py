"""The steps of an LSTM between its products: to the last bit what NumPy gives, compiled or not."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.kernels.recurrence import (
    blocks,
    gate_inputs,
    is_fused,
    product,
    tanh_in_place,
    update_cells,
    write_outputs,
)

WORDS, BATCH, SIZE = 9, 3, 7
# Sentences of four, three and two words, at their second: forward and backward.
ROWS = np.array([[1, 5, 8], [2, 5, 7]], np.int32)
HALF = np.float32(0.5)


def numbers(*shape: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


@pytest.mark.parametrize("active", [1, 2, BATCH])
def test_inputs_of_gates(active: int) -> None:
    inputs = np.rint(numbers(WORDS, 8 * SIZE, scale=1e5))
    recurrent = np.rint(numbers(2, BATCH, 4 * SIZE, seed=1, scale=1e5))
    scale, bias, own = (numbers(2, 4 * SIZE, seed=seed) for seed in (2, 3, 4))
    onward = inputs[ROWS[0], : 4 * SIZE] * scale[0] + bias[0]
    back = inputs[ROWS[1], 4 * SIZE :] * scale[1] + bias[1]
    expected = recurrent * own[:, None] + np.stack([onward, back])
    expected[:, active:] = recurrent[:, active:]
    gate_inputs(ROWS, active, inputs.reshape(WORDS, 2, -1), scale, bias, recurrent, own)
    assert recurrent.tobytes() == expected.tobytes()


def test_tanh_is_within_half_a_millionth_and_odd() -> None:
    x = np.linspace(-12, 12, 200_000, dtype=np.float32).reshape(2, 4, -1)
    found, mirrored = x.copy(), -x
    tanh_in_place(found, 4)
    tanh_in_place(mirrored, 4)
    assert np.abs(found - np.tanh(x.astype(np.float64))).max() < 5e-7
    assert np.array_equal(found, -mirrored) and np.abs(found).max() == 1


def test_cells() -> None:
    gates, cells = np.tanh(numbers(2, BATCH, 4 * SIZE)), numbers(2, BATCH, SIZE, seed=1)
    i, f, _, c = np.split(gates, 4, axis=2)
    expected = cells * (f * HALF + HALF) + (i * HALF + HALF) * c
    expected[:, 2:] = cells[:, 2:]  # a sentence that has ended
    update_cells(2, gates.reshape(2, BATCH, 4, SIZE), cells)
    assert cells.tobytes() == expected.tobytes()


@pytest.mark.parametrize("most", [900.0, 1e6])  # the first cuts some off
def test_outputs_are_whole_numbers(most: float) -> None:
    gates, hidden = np.tanh(numbers(2, BATCH, 4, SIZE)), np.tanh(numbers(2, BATCH, SIZE, seed=1))
    # Halves go to the even number.
    hidden[0, 0, :3], gates[0, 0, 2, :3] = np.float32([0.5, -0.5, 0.75]) / 1024, 1.0
    outputs = np.zeros((WORDS, 2, SIZE), np.float32)
    h = hidden * (gates[:, :, 2] * HALF + HALF)
    whole = np.clip(np.rint(h * np.float32(2048)), -most, most)
    write_outputs(ROWS, BATCH, gates, hidden, 1024.0, outputs, 2048.0, most)
    assert np.array_equal(hidden, np.rint(h * np.float32(1024)))
    assert np.array_equal(outputs[ROWS[0], 0], whole[0])
    assert np.array_equal(outputs[ROWS[1], 1], whole[1])
    assert np.count_nonzero(outputs.any(axis=2)) == 2 * BATCH


@pytest.mark.skipif(not is_fused(), reason="the processor has no product of 16-bit integers, or no kernel is compiled")
@pytest.mark.parametrize("rows", [1, 6, 13])
def test_products_of_16_bit_integers_are_exact(rows: int) -> None:
    random = np.random.default_rng(rows)
    x, weights = random.integers(-900, 900, (rows, 10)), random.integers(-127, 128, (10, 64))
    scale, bias = numbers(50), numbers(50, seed=1)
    packed = blocks(weights.astype(np.float32).reshape(10, 4, 16))
    found = product(x.astype(np.int16), packed, scale, bias)
    assert np.array_equal(found, (x @ weights)[:, :50].astype(np.float32) * scale + bias)
