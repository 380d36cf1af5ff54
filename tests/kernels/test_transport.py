"""The transport kernel against POT's exact solver."""

from __future__ import annotations

import numpy as np
import ot
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.kernels.transport import distances, transport


def pot(supply: np.ndarray, demand: np.ndarray, cost: np.ndarray) -> float:
    return float(ot.emd2(supply / supply.sum(), demand / demand.sum(), np.ascontiguousarray(cost)))


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 2**32 - 1), st.sampled_from([1, 3, 50]))
def test_cost_and_plan_are_those_of_pot(m: int, n: int, seed: int, most: int) -> None:
    random = np.random.default_rng(seed)
    supply, demand = random.integers(1, most + 1, m), random.integers(1, most + 1, n)
    # Few different costs: many optimal plans, where a solver may go round in circles.
    cost = random.random((m, n)) if seed % 2 else random.integers(0, 4, (m, n)).astype(float)
    found, plan = transport(supply, demand, cost)
    assert found == pytest.approx(pot(supply, demand, cost), abs=1e-9)
    assert found == pytest.approx((plan * cost).sum(), abs=1e-12)
    assert (plan >= 0).all()
    assert plan.sum(axis=1) == pytest.approx(supply / supply.sum(), abs=1e-12)
    assert plan.sum(axis=0) == pytest.approx(demand / demand.sum(), abs=1e-12)


@given(st.integers(1, 8), st.lists(st.integers(0, 7), min_size=1, max_size=6), st.integers(0, 2**32 - 1))
def test_pruning_never_changes_the_smallest(m: int, sizes: list[int], seed: int) -> None:
    random = np.random.default_rng(seed)
    offsets = np.cumsum([0, *sizes])
    supply, demand = random.integers(1, 4, m), random.integers(1, 4, int(offsets[-1]))
    cost = random.random((m, int(offsets[-1])))
    every, pruned = distances(supply, demand, offsets, cost), distances(supply, demand, offsets, cost, smallest=True)
    assert not np.isnan(every).any()
    assert np.nanmin(pruned) == every.min() if np.isfinite(every).any() else np.isnan(pruned[np.isfinite(pruned)]).all()
    solved = ~np.isnan(pruned)
    assert np.array_equal(pruned[solved], every[solved])


def test_an_empty_bag_is_infinitely_far() -> None:
    cost = np.array([[0.5]])
    assert distances(np.array([1]), np.array([1]), np.array([0, 0, 1]), cost).tolist() == [np.inf, 0.5]
    assert distances(np.zeros(0, int), np.array([1]), np.array([0, 1]), np.zeros((0, 1))).tolist() == [np.inf]


def test_long_captions() -> None:
    random = np.random.default_rng(1)
    supply, demand, cost = random.integers(1, 9, 120), random.integers(1, 9, 90), random.random((120, 90))
    assert transport(supply, demand, cost)[0] == pytest.approx(pot(supply, demand, cost), abs=1e-9)
