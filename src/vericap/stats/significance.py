"""Significance in tables: all pairs of rows tested, corrected, and shown as superscript letters."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from vericap.arrays import Floats

ALPHA = 0.05
_LETTERS = "abcdefghijklmnoprstuvwxyz"  # Unicode has no superscript q


def lowest_p(test: str, resamples: int) -> float:
    """Return the lowest p that a test can give: two-sided shares of resamples have a floor, Student's t has none.

    >>> lowest_p("bootstrap", 999), lowest_p("permutation", 999), lowest_p("studentised", 999)
    (0.002, 0.001, 0.0)
    """
    return {"bootstrap": 2.0, "permutation": 1.0, "studentised": 0.0}[test] / (resamples + 1)


def is_bound(p: float, test: str, resamples: int) -> bool:
    """Return whether p is the lowest that the resamples can give: the true one may be lower.

    >>> is_bound(0.002, "bootstrap", 999), is_bound(0.004, "bootstrap", 999), is_bound(0.0, "studentised", 999)
    (True, False, False)
    """
    return 0 < p <= lowest_p(test, resamples) * (1 + 1e-9)


def out_of_reach(test: str, resamples: int, pairs: int, option: str, alpha: float = ALPHA) -> str | None:
    """Return a note if the resamples are too few for any pair to be significant after Holm's correction.

    >>> print(out_of_reach("bootstrap", 1000, 36, "--bootstrap"))
    1,000 resamples cannot show a difference at the level of 5 %: the lowest p is 0.0719 after Holm's correction for 36
    pairs; use --bootstrap 1440 or more, or --test studentised
    >>> out_of_reach("bootstrap", 1000, 3, "--bootstrap"), out_of_reach("studentised", 1000, 36, "--bootstrap")
    (None, None)
    """
    if not resamples or not pairs or lowest_p(test, resamples) * pairs < alpha:
        return None
    lowest = min(1.0, lowest_p(test, resamples) * pairs)
    # lowest_p(needed) · pairs < alpha, and lowest_p(test, 0) is what is divided by needed + 1.
    needed = math.floor(lowest_p(test, 0) * pairs / alpha + 1e-9)
    return (
        f"{resamples:,} resamples cannot show a difference at the level of {100 * alpha:g} %: "
        f"the lowest p is {lowest:.3g} after Holm's correction for {pairs:,} pairs; "
        f"use {option} {needed} or more, or --test studentised"
    )


def beaten(
    values: Sequence[float], p: ArrayLike, alpha: float = ALPHA, higher_is_better: bool = True
) -> list[list[int]]:
    """Return the rows that each row beats: those that are worse, with a p below alpha.

    >>> beaten([0.3, 0.5, 0.4], [[np.nan, 0.01, 0.2], [0.01, np.nan, 0.04], [0.2, 0.04, np.nan]])
    [[], [0, 2], []]
    """
    score = np.asarray(values, np.float64) * (1 if higher_is_better else -1)
    better = (score[:, None] > score) & (np.asarray(p, np.float64) < alpha)
    return [np.flatnonzero(row).tolist() for row in better]


def letters(row: int) -> str:
    """Return the name of a row in superscripts: a, b, c, …, then aa, ab, …

    >>> letters(0), letters(24), letters(25)
    ('a', 'z', 'aa')
    """
    earlier, letter = divmod(row, len(_LETTERS))
    return (letters(earlier - 1) if earlier else "") + _LETTERS[letter]


def marks(rows: Sequence[int]) -> str:
    """Return the letters of some rows, with commas where one has two letters.

    >>> marks([0, 2]), marks([0, 25])
    ('ac', 'a,aa')
    """
    names = [letters(row) for row in rows]
    return ("" if all(len(name) == 1 for name in names) else ",").join(names)


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
