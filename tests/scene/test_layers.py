"""The parser's layers compute in whole numbers: a row does not depend on what is beside it."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.scene import layers
from vericap.scene.layers import ExactLinear, ExactLSTM, log_softmax, normalise

RANDOM = np.random.default_rng(0)


def arrays(name: str, inputs: int, outputs: int) -> dict[str, np.ndarray]:
    return {
        f"{name}.weight": RANDOM.integers(-127, 128, (outputs, inputs)).astype(np.int8),
        f"{name}.scale": RANDOM.uniform(0.001, 0.01, outputs).astype(np.float32),
        f"{name}.reach": np.float32(4),
        f"{name}.bias": RANDOM.normal(size=outputs).astype(np.float32),
    }


@pytest.mark.bits
def test_a_linear_map_is_near_the_real_one_and_exact_in_any_batch() -> None:
    given = arrays("map", 30, 5)
    linear, x = ExactLinear(given, "map"), RANDOM.normal(size=(64, 30)).astype(np.float32)
    due = x @ (given["map.weight"] * given["map.scale"][:, None]).T + given["map.bias"]
    np.testing.assert_allclose(linear(x), due, atol=0.01)
    for row in (0, 17, 63):
        assert (linear(x[row : row + 1]) == linear(x)[row]).all()


def test_inputs_beyond_the_reach_are_cut() -> None:
    linear = ExactLinear(arrays("map", 3, 2), "map")
    assert (linear(np.full((1, 3), 1e6, np.float32)) == linear(np.full((1, 3), 4, np.float32))).all()


def layer_arrays(width: int, size: int) -> dict[str, np.ndarray]:
    given = arrays("project", width, 8 * size) | arrays("after", 2 * size, 3)
    return given | arrays("layer.forward", size, 4 * size) | arrays("layer.backward", size, 4 * size)


def layer(given: dict[str, np.ndarray]) -> tuple[ExactLSTM, ExactLinear, ExactLinear]:
    project, after = ExactLinear(given, "project"), ExactLinear(given, "after")
    return ExactLSTM(given, "layer", project, after), project, after


def sentences(*lengths: int) -> tuple[np.ndarray, np.ndarray]:
    return np.cumsum([0, *lengths[:-1]], dtype=np.int32), np.array(lengths, np.int32)


@pytest.mark.bits
@pytest.mark.parametrize("size", [4, 32])  # by steps, and in one piece where the processor can
def test_an_lstm_reads_both_ways_and_does_not_depend_on_the_batch(size: int) -> None:
    lstm, project, _ = layer(layer_arrays(6, size))
    starts, lengths = sentences(7, 5, 5, 5, 3, 3, 2, 1)
    x = project.whole(RANDOM.normal(size=(sum(lengths), 6)).astype(np.float32))
    whole = lstm(x, starts, lengths)
    assert whole.shape == (sum(lengths), 2 * size)
    for first, length in zip(starts, lengths, strict=True):
        words = slice(first, first + length)
        assert (lstm(x[words].copy(), *sentences(length)) == whole[words]).all()
    changed = x.copy()
    changed[6] *= -1  # the last word of the first: before it only the backward half may change
    later = lstm(changed, starts, lengths)
    assert (later[0, :size] == whole[0, :size]).all() and (later[0, size:] != whole[0, size:]).any()
    assert (later[7:] == whole[7:]).all()


@pytest.mark.skipif(not layers.WAY, reason="no kernel of 16-bit integers is compiled for this processor")
def test_a_layer_in_one_piece_gives_the_bits_of_one_by_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    given = layer_arrays(10, 32)
    starts, lengths = sentences(*range(15, 0, -1))
    x = RANDOM.normal(size=(sum(lengths), 10)).astype(np.float32) * 3
    found = []
    for way in range(layers.WAY + 1):
        monkeypatch.setattr(layers, "WAY", way)
        lstm, project, after = layer(given)
        assert lstm.way == project.way == after.way == way
        found.append(after.of_whole(lstm(project.whole(x), starts, lengths)).tobytes())
    assert len(set(found)) == 1


def test_rows_are_normalised_and_logarithms_of_probabilities() -> None:
    x = RANDOM.normal(size=(4, 9)).astype(np.float32)
    assert np.sqrt(np.square(normalise(x, np.ones(9, np.float32))).mean(axis=1)) == pytest.approx(1, abs=1e-4)
    assert np.exp(log_softmax(x)).sum(axis=1) == pytest.approx(1)
