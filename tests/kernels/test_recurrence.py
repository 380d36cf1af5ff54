"""The steps of an LSTM between its products: to the last bit what NumPy gives, compiled or not."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.kernels.recurrence import gate_inputs, update_cells, write_outputs

LENGTH, BATCH, SIZE = 5, 3, 7
HALF = np.float32(0.5)


def numbers(*shape: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


@pytest.mark.parametrize("step", [0, 1, LENGTH - 1])
def test_inputs_of_gates(step: int) -> None:
    inputs = np.rint(numbers(LENGTH, BATCH, 8 * SIZE, scale=1e5))
    recurrent = np.rint(numbers(2, BATCH, 4 * SIZE, seed=1, scale=1e5))
    scale, bias, own = (numbers(2, 4 * SIZE, seed=seed) for seed in (2, 3, 4))
    onward = inputs[step, :, : 4 * SIZE] * scale[0] + bias[0]
    back = inputs[LENGTH - 1 - step, :, 4 * SIZE :] * scale[1] + bias[1]
    expected = recurrent * own[:, None] + np.stack([onward, back])
    gate_inputs(step, inputs.reshape(LENGTH, BATCH, 2, -1), scale, bias, recurrent, own)
    assert recurrent.tobytes() == expected.tobytes()


def test_cells() -> None:
    gates, cells = np.tanh(numbers(2, BATCH, 4 * SIZE)), numbers(2, BATCH, SIZE, seed=1)
    i, f, _, c = np.split(gates, 4, axis=2)
    expected = cells * (f * HALF + HALF) + (i * HALF + HALF) * c
    update_cells(gates.reshape(2, BATCH, 4, SIZE), cells)
    assert cells.tobytes() == expected.tobytes()


@pytest.mark.parametrize("step", [0, 3])
@pytest.mark.parametrize("most", [900.0, 1e6])  # the first cuts some off
def test_outputs_are_whole_numbers(step: int, most: float) -> None:
    gates, hidden = np.tanh(numbers(2, BATCH, 4, SIZE)), np.tanh(numbers(2, BATCH, SIZE, seed=1))
    # Halves go to the even number.
    hidden[0, 0, :3], gates[0, 0, 2, :3] = np.float32([0.5, -0.5, 0.75]) / 1024, 1.0
    outputs = np.zeros((LENGTH, BATCH, 2, SIZE), np.float32)
    h = hidden * (gates[:, :, 2] * HALF + HALF)
    whole = np.clip(np.rint(h * np.float32(2048)), -most, most)
    write_outputs(step, gates, hidden, 1024.0, outputs, 2048.0, most)
    assert np.array_equal(hidden, np.rint(h * np.float32(1024)))
    assert np.array_equal(outputs[step, :, 0], whole[0])
    assert np.array_equal(outputs[LENGTH - 1 - step, :, 1], whole[1])
    assert np.count_nonzero(outputs.any(axis=(1, 2, 3))) == 2
