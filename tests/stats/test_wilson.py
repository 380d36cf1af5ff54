"""Wilson's interval is SciPy's, and that of the bootstrap where pairs are independent."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from vericap.stats.forced_choice import accuracy, wilson


@pytest.mark.parametrize(("successes", "trials"), [(0, 5), (5, 5), (1, 10), (638, 1000), (3999, 4000)])
def test_wilson_is_scipys(successes: int, trials: int) -> None:
    expected = stats.binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    assert wilson(successes, trials) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_of_nothing_is_undefined() -> None:
    assert np.isnan(wilson(0, 0)).all()


def test_wilson_and_bootstrap_agree_on_independent_pairs() -> None:
    credits = (np.random.default_rng(0).random(1000) < 0.64).astype(float)
    low, high = accuracy(credits, resamples=2000).interval or (0, 0)
    assert (low, high) == pytest.approx(wilson(credits.sum(), 1000), abs=0.005)
