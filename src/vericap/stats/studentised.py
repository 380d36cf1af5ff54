"""The studentised bootstrap test: a difference over its bootstrap standard error, by Student's t."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

_DUST = 1e-12  # a standard deviation below this, relative to the values, is what rounding leaves of 0


def studentised_test(difference: float, replicates: ArrayLike, units: int) -> float:
    r"""Return two-sided p of a paired difference, from its values in resamples of `units` images.

    $$ t = \frac{d}{\sqrt{\frac{n}{n - 1}} \; s^*}, \qquad p = 2 \, P(T_{n - 1} \ge |t|) $$

    d is the difference in the data, s* the standard deviation of its values in the resamples, n the number of units
    that are drawn. The factor makes up for the bootstrap's variance of a mean, which divides by n: for a mean, t is
    that of Student's paired test up to the randomness of the resamples. The number of resamples does not bound p as it
    bounds a share of resamples, so that many pairs can be corrected for. The difference is taken as nearly normal, as
    those of means, accuracies and correlations over many images are.

    Where no resample differs from the data, p is that of exchanging the two in each unit, 2^(1 - n). Resamples in which
    the difference is undefined are left out; p is NaN where fewer than two remain, or fewer than two units.

    Efron and Tibshirani. An introduction to the bootstrap. 1993, chapter 12. Davison and Hinkley. Bootstrap methods and
    their application. 1997, 5.2.

    >>> studentised_test(0.2, [0.1, 0.2, 0.3] * 100, 50) < 0.05, studentised_test(0.0, [0.0] * 100, 50)
    (True, 1.0)
    """
    values = np.asarray(replicates, np.float64)
    values = values[~np.isnan(values)]
    if len(values) < 2 or units < 2 or math.isnan(difference):
        return float("nan")
    deviation = float(values.std(ddof=1))
    if deviation <= _DUST * max(1.0, abs(difference)):
        return 1.0 if abs(difference) <= _DUST else 2.0 ** (1 - units)
    from scipy.special import stdtr  # a fifth of a second to import, which runs without a test do not pay

    t = difference / (deviation * math.sqrt(units / (units - 1)))
    return min(1.0, float(2 * stdtr(units - 1, -abs(t))))
