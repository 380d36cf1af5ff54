"""Holm's correction rejects what his step-down procedure rejects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.stats.significance import holm


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.sampled_from([0.01, 0.05, 0.2]))
def test_holm_rejects_what_the_step_down_procedure_rejects(p: list[float], alpha: float) -> None:
    corrected = holm(p)
    rejected = set()
    for step, test in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        if (len(p) - step) * p[test] > alpha:
            break
        rejected.add(test)
    assert {test for test in range(len(p)) if corrected[test] <= alpha} == rejected
    assert (corrected >= np.array(p)).all()


def test_holm_is_milder_than_bonferroni_and_harder_than_nothing() -> None:
    assert holm([0.01, 0.02, 0.03]).tolist() == pytest.approx([0.03, 0.04, 0.04])
    assert holm([0.4, 0.9]).tolist() == pytest.approx([0.8, 0.9])
    assert holm([0.6, 0.7]).tolist() == [1, 1]
    assert holm([]).tolist() == []


def test_a_test_that_was_not_made_costs_nothing() -> None:
    assert holm([0.01, np.nan, 0.04]).tolist()[::2] == pytest.approx([0.02, 0.04])
