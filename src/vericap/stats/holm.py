"""Holm's correction: among many tests, the chance of a single false alarm stays below the level."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vericap.arrays import Floats


def holm(p: ArrayLike) -> Floats:
    r"""Corrected p-values in the order given, to be compared with the level as they are.

    $$ \tilde p_{(i)} = \max_{j \le i} \min(1, (m - j + 1) \, p_{(j)}) $$

    A test that is NaN was not made: it stays NaN and does not count in m.

    Holm. A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 1979.

    >>> holm([0.01, 0.04, 0.03, float("nan")]).round(4).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    given = np.asarray(p, np.float64)
    corrected = np.full(given.shape, np.nan)
    made = np.flatnonzero(~np.isnan(given))
    order = made[np.argsort(given[made], kind="stable")]
    left = np.arange(len(order), 0, -1)  # m - j + 1
    corrected[order] = np.maximum.accumulate(np.minimum(1.0, left * given[order]))
    return corrected
