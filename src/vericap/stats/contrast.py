"""Two captioners by one metric: how far apart, how sure, how large, and on how many images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.options.choices import Test
from vericap.stats.bootstrap import CorpusScore
from vericap.stats.paired import bootstrap_test, exchange_test, studentised_test
from vericap.stats.resampling import estimate
from vericap.stats.significance import is_bound

TESTS: tuple[Test, ...] = get_args(Test)
_EQUAL = 1e-12  # scores of an image that differ by less are the same


@dataclass(frozen=True, eq=False)
class Scored:
    """A captioner's captions as a metric sees them; `image[caption]` is the image, `replicates` are corpus scores in
    resamples that all captioners share."""

    score: float
    statistics: Floats
    captions: Floats
    image: NDArray[np.int64]
    replicates: Floats

    def by_image(self, images: int) -> Floats:
        """Mean score of each image's captions, NaN where none is defined."""
        return mean_by_image(self.captions, self.image, images)


def mean_by_image(scores: Floats, image: NDArray[np.int64], images: int) -> Floats:
    """Return the mean of the defined scores of each image, NaN where none is defined."""
    defined = ~np.isnan(scores)
    count = np.bincount(image[defined], minlength=images)
    total = np.bincount(image[defined], scores[defined], images)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def standardised(better: Sequence[Floats]) -> Floats:
    """Return the mean over metrics of differences by image, each in standard deviations of its metric's."""
    apart: Floats = np.zeros(len(better[0]) if better else 0)
    for column in better:
        spread = float(np.nanstd(column)) if not np.isnan(column).all() else 0.0
        if spread > 0:
            apart += np.nan_to_num(column) / spread / len(better)
    return apart


@dataclass(frozen=True)
class Contrast:
    """A captioner against another by one metric.

    `difference` is of the corpus scores, `interval` its 95 % interval; `effect` is the mean of the images' differences
    over their standard deviation (Cohen's d for pairs), positive where the first is better; `corrected` is p after
    Holm's correction. `bound` says that p is the lowest that the resamples can give: the true one may be lower.
    """

    system: str
    against: str
    difference: float
    interval: tuple[float, float] | None
    p: float
    corrected: float
    effect: float
    wins: int
    ties: int
    losses: int
    bound: bool = False


def better_by(metric: CorpusScore, system: Scored, against: Scored, images: int) -> Floats:
    """By how much each image's captions are better, array [images]; the sign is reversed where lower is better."""
    difference = system.by_image(images) - against.by_image(images)
    return difference if metric.higher_is_better else -difference


def contrast(
    metric: CorpusScore,
    names: tuple[str, str],
    system: Scored,
    against: Scored,
    images: int,
    *,
    test: Test = "bootstrap",
    resamples: int = 1000,
    seed: int = 0,
) -> Contrast:
    """Return the contrast, not yet corrected: `corrected` is p."""
    if test not in TESTS:
        raise InputError(f"no test is called {test!r}", field="test", fix=f"use one of {', '.join(TESTS)}")
    apart = better_by(metric, system, against, images)
    apart = apart[~np.isnan(apart)]
    difference, apart_again = system.score - against.score, system.replicates - against.replicates
    apart_again = apart_again[~np.isnan(apart_again)]
    if test == "bootstrap":
        p = bootstrap_test(system.replicates, against.replicates)
    elif test == "studentised":
        p = studentised_test(difference, apart_again, images)
    else:
        both = (system.statistics, against.statistics, system.image, against.image)
        p = exchange_test(metric, *both, resamples=resamples, seed=seed)
    return Contrast(
        *names,
        difference,
        estimate(difference, apart_again).interval,
        p,
        p,
        effect_size(apart),
        int(np.count_nonzero(apart > _EQUAL)),
        int(np.count_nonzero(np.abs(apart) <= _EQUAL)),
        int(np.count_nonzero(apart < -_EQUAL)),
        is_bound(p, test, len(apart_again) if test == "bootstrap" else resamples),
    )


def effect_size(differences: Floats) -> float:
    """Cohen's d of paired differences: mean over standard deviation. 0 where nothing differs, NaN where undefined.

    Cohen. Statistical power analysis for the behavioral sciences. 1988, 2.3.5.

    >>> effect_size(np.array([1.0, 2.0, 3.0])), effect_size(np.zeros(3)), effect_size(np.ones(3))
    (2.0, 0.0, nan)
    """
    if not len(differences):
        return float("nan")
    mean = float(differences.mean())
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    if spread <= _EQUAL:
        return 0.0 if abs(mean) <= _EQUAL else float("nan")
    return mean / spread
