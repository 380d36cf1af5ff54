"""The parser's layers compute in whole numbers: a row does not depend on what is beside it."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.scene.layers import ExactLinear, ExactLSTM, log_softmax, normalise

RANDOM = np.random.default_rng(0)


def arrays(name: str, inputs: int, outputs: int) -> dict[str, np.ndarray]:
    return {
        f"{name}.weight": RANDOM.integers(-127, 128, (outputs, inputs)).astype(np.int8),
        f"{name}.scale": RANDOM.uniform(0.001, 0.01, outputs).astype(np.float32),
        f"{name}.reach": np.float32(4),
        f"{name}.bias": RANDOM.normal(size=outputs).astype(np.float32),
    }


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


def test_an_lstm_reads_both_ways_and_does_not_depend_on_the_batch() -> None:
    size = 4
    given = arrays("project", 6, 8 * size) | arrays("after", 2 * size, 3)
    given |= arrays("layer.forward", size, 4 * size) | arrays("layer.backward", size, 4 * size)
    lstm, project, after = ExactLSTM(given, "layer"), ExactLinear(given, "project"), ExactLinear(given, "after")
    x = project.whole(RANDOM.normal(size=(5, 7, 6)).astype(np.float32))
    whole = lstm(x, project, after)
    assert whole.shape == (5, 7, 2 * size)
    assert (lstm(np.ascontiguousarray(x[:, 2:3]), project, after)[:, 0] == whole[:, 2]).all()
    changed = x.copy()
    changed[-1] += 1  # the last word: behind it only the backward half of earlier words may change
    later = lstm(changed, project, after)
    assert (later[0, :, :size] == whole[0, :, :size]).all() and (later[0, :, size:] != whole[0, :, size:]).any()


def test_rows_are_normalised_and_logarithms_of_probabilities() -> None:
    x = RANDOM.normal(size=(4, 9)).astype(np.float32)
    assert np.sqrt(np.square(normalise(x, np.ones(9, np.float32))).mean(axis=1)) == pytest.approx(1, abs=1e-4)
    assert np.exp(log_softmax(x)).sum(axis=1) == pytest.approx(1)
