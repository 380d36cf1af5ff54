"""Forced-choice accuracy: how often the caption that people preferred has the higher score, and what a tie is worth."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.stats.resampling import Estimate, draw, estimate, resampled_means

Ties: TypeAlias = Literal["half", "random", "lose", "win"]
TIES: tuple[Ties, ...] = get_args(Ties)


def credit(chosen: ArrayLike, other: ArrayLike, ties: Ties = "half", seed: int = 0) -> Floats:
    """1 where the caption people chose has the higher score, 0 where the other has; array [pairs].

    Equal scores give 0.5 ("half"), 0 or 1 by a coin with a seed ("random"), 0 ("lose", as PASCAL-50S was first scored),
    or 1 ("win": SPICE's paper counts "equal or higher"). A pair with a score that is NaN stays NaN.

    >>> credit([0.5, 0.2, 0.3], [0.1, 0.4, 0.3]).tolist()
    [1.0, 0.0, 0.5]
    >>> credit([0.3], [0.3], ties="win").tolist()
    [1.0]
    """
    first, second = np.asarray(chosen, np.float64), np.asarray(other, np.float64)
    if first.shape != second.shape:
        raise InputError(f"{len(first)} chosen captions but {len(second)} others", fix="give two scores per pair")
    if ties not in TIES:
        raise InputError(f"ties={ties!r} is not a choice", fix=f"use one of {', '.join(TIES)}")
    if ties == "random":
        worth = np.random.default_rng(seed).integers(0, 2, len(first)).astype(np.float64)
    else:
        worth = np.full(len(first), {"half": 0.5, "lose": 0.0, "win": 1.0}[ties])
    undefined = np.isnan(first) | np.isnan(second)
    points = np.where(first > second, 1.0, np.where(first == second, worth, 0.0))
    return np.where(undefined, np.nan, points)


def accuracy(credits: ArrayLike, cluster: ArrayLike | None = None, *, resamples: int = 1000, seed: int = 0) -> Estimate:
    """Mean credit with its interval over resampled images; pairs that are NaN are left out.

    >>> accuracy([1.0, 0.0, 0.5, 1.0], resamples=0).value
    0.625
    """
    points = np.asarray(credits, np.float64)
    defined = points[~np.isnan(points)]
    if not len(defined):
        return Estimate(float("nan"))
    value = float(defined.mean())
    if not resamples:
        return Estimate(value)
    groups = np.arange(len(points)) if cluster is None else np.asarray(cluster)
    return estimate(value, resampled_means(points, groups, draw(int(groups.max()) + 1, resamples, seed)))


def wilson(successes: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    r"""Interval of the share p = successes / trials; half a success is a tie's.

    $$ \frac{1}{1 + z^2 / n} \left( p + \frac{z^2}{2n} \pm z \sqrt{\frac{p (1 - p)}{n} + \frac{z^2}{4 n^2}} \right) $$

    It takes the trials as independent: where several share an image, the bootstrap over images is the wider truth.

    Wilson. Probable inference, the law of succession, and statistical inference. JASA 1927.

    >>> [round(end, 4) for end in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    if not 0 <= successes <= trials or trials <= 0:
        return float("nan"), float("nan")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, weight = successes / trials, z * z / trials
    middle = share + weight / 2
    spread = math.sqrt(share * (1 - share) * weight + weight * weight / 4)
    # All or nothing reaches the end of the scale exactly; rounding would miss it by a hair.
    low = 0.0 if successes == 0 else (middle - spread) / (1 + weight)
    high = 1.0 if successes == trials else (middle + spread) / (1 + weight)
    return low, high
