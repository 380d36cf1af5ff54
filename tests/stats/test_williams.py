"""Williams' test on a published example, against its formula, and where its promise does not hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from vericap.stats.correlation import pearson
from vericap.stats.paired import williams


def test_williams_on_steigers_example() -> None:
    """Steiger (1980), case A: .5 and .4 with .1 between them, 103 people: t = .89, p = .37 (psych's r.test)."""
    t, p = williams(0.5, 0.4, 0.1, 103)
    assert (round(t, 2), round(p, 2)) == (0.89, 0.37)


@given(*[st.floats(-0.95, 0.95)] * 3, st.integers(4, 500))
def test_williams_is_antisymmetric_and_its_k_a_determinant(r12: float, r13: float, r23: float, n: int) -> None:
    matrix = np.array([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    determinant = np.linalg.det(matrix)
    if determinant < 1e-9 or r12 == r13:
        return
    t, p = williams(r12, r13, r23, n)
    below = 2 * determinant * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    assert t == pytest.approx((r12 - r13) * np.sqrt((n - 1) * (1 + r23) / below), rel=1e-9)
    assert p == pytest.approx(2 * stats.t.sf(abs(t), n - 3), abs=1e-12)
    assert williams(r13, r12, r23, n) == pytest.approx((-t, p))


def test_williams_keeps_its_level_on_independent_rows_only() -> None:
    random = np.random.default_rng(4)
    alarms = {"independent": 0, "clustered": 0}
    for _ in range(1000):
        for kind in alarms:
            common = random.normal(size=(3, 30)) if kind == "clustered" else np.zeros((3, 30))
            human, *noise = np.repeat(common, 4, axis=1) + random.normal(0, 0.5, (3, 120))
            first, second = human + noise[0], human + noise[1]
            _, p = williams(pearson(first, human), pearson(second, human), pearson(first, second), 120)
            alarms[kind] += p < 0.05
    assert 0.03 <= alarms["independent"] / 1000 <= 0.07
    assert alarms["clustered"] / 1000 > 0.15


def test_williams_of_too_few_rows_is_undefined() -> None:
    assert np.isnan(williams(0.5, 0.4, 0.3, 3)).all()
    assert williams(0.5, 0.5, 1.0, 50) == (0.0, 1.0)
