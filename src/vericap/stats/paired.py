"""Paired tests: is the difference between two metrics, or two captioners, more than chance? Two-sided p-values.

Images are the units: all rows of an image are drawn, or exchanged, together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vericap.arrays import Floats
from vericap.stats.bootstrap import CorpusScore, replicates
from vericap.stats.concordance import Ranking
from vericap.stats.correlation import Paired

_BLOCK = 1 << 20
_ROUNDING = 1e-12
_DUST = 1e-12  # a standard deviation below this, relative to the values, is what rounding leaves of 0


def bootstrap_test(first: ArrayLike, second: ArrayLike) -> float:
    r"""p from the values of two quantities in the same resamples.

    $$ p = 2 \min\left( \frac{1 + \#\{d \le 0\}}{R + 1}, \frac{1 + \#\{d \ge 0\}}{R + 1} \right), \qquad d = a - b $$

    The counts have 1 added, so that R resamples never claim more than 1 / R. Resamples in which one of the two is
    undefined are left out.

    Koehn. Statistical significance tests for machine translation evaluation. EMNLP 2004. Efron and Tibshirani 1993.

    >>> bootstrap_test([0.5, 0.6, 0.7] * 33, [0.4, 0.5, 0.8] * 33)
    0.68
    """
    difference = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    difference = difference[~np.isnan(difference)]
    if not len(difference):
        return float("nan")
    tail = int(min(np.count_nonzero(difference <= 0), np.count_nonzero(difference >= 0)))
    return min(1.0, 2 * (1 + tail) / (len(difference) + 1))


def permutation_test(
    first: ArrayLike, second: ArrayLike, cluster: ArrayLike | None = None, *, resamples: int = 1000, seed: int = 0
) -> float:
    r"""p of the difference between two means over the same rows, when the two change places at random.

    $$ p = \frac{1 + \#\{ |\sum_c s_c d_c| \ge |\sum_c d_c| \}}{R + 1}, \qquad s_c = \pm 1 $$

    d_c sums the differences of cluster c. Rows in which one of the two is NaN are left out.

    Fisher. The design of experiments. 1935. Good. Permutation, parametric and bootstrap tests of hypotheses. 2005.

    >>> permutation_test([3.0, 4.0, 5.0, 6.0, 7.0] * 4, [1.0] * 20, resamples=999)
    0.001
    """
    difference = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    groups = np.arange(len(difference)) if cluster is None else np.asarray(cluster)
    there = ~np.isnan(difference)
    if not there.any():
        return float("nan")
    sums = np.bincount(groups[there], difference[there])
    rounding = _ROUNDING * float(np.abs(sums).sum())
    return exchanged(lambda swap: np.abs((1.0 - 2.0 * swap) @ sums), len(sums), resamples, seed, rounding)


def permuted_correlation(
    first: ArrayLike,
    second: ArrayLike,
    human: ArrayLike,
    cluster: ArrayLike | None = None,
    *,
    name: str = "kendall_b",
    resamples: int = 1000,
    seed: int = 0,
) -> float:
    """p of the difference between two metrics' correlations with people, when they change places image by image.

    Both columns are brought to one scale first: ranks, or for Pearson's r standard scores. A permutation is a
    weight of 0 or 1 for each metric's row, so the ranks of the mixed columns come from one sorting of both.

    Deutsch, Dror, Roth. A statistical analysis of summarization evaluation metrics using resampling methods. TACL 2021.

    >>> human = np.arange(40.0)
    >>> permuted_correlation(human, np.cos(human), human, resamples=199)
    0.005
    """
    columns = [np.asarray(column, np.float64) for column in (first, second)]
    groups = np.arange(len(columns[0])) if cluster is None else np.asarray(cluster, np.int64)
    clusters = int(groups.max(initial=-1)) + 1
    scale = _standard_scores if name == "pearson" else _ranks
    both = Paired(
        np.concatenate([scale(column) for column in columns]),
        np.concatenate([human, human]),
        np.concatenate([groups, groups + clusters]),
    )

    def differences(swap: NDArray[np.bool_]) -> Floats:
        mine = both.coefficients(np.hstack([~swap, swap]), [name])[name]
        theirs = both.coefficients(np.hstack([swap, ~swap]), [name])[name]
        return np.abs(mine - theirs)

    return exchanged(differences, clusters, resamples, seed)


def exchanged(
    differences: Callable[[NDArray[np.bool_]], Floats],
    clusters: int,
    resamples: int,
    seed: int,
    rounding: float = _ROUNDING,
) -> float:
    """p of a difference, where `differences` gives its size when some clusters change places, [resamples, clusters].

    Differences that are smaller by less than `rounding` count as just as large: an exchange of equal things changes
    nothing, but sums taken in another order may.

    >>> exchanged(lambda swap: np.zeros(len(swap)), clusters=5, resamples=99, seed=0)
    1.0
    """
    observed = float(differences(np.zeros((1, clusters), bool))[0])
    if np.isnan(observed):
        return float("nan")
    least = observed - max(rounding, _ROUNDING * observed)
    as_far = sum(int(np.count_nonzero(differences(swap) >= least)) for swap in swaps(clusters, resamples, seed))
    return (1 + as_far) / (resamples + 1)


def swaps(clusters: int, resamples: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """Yield the clusters that change places, blocks [some resamples, clusters]."""
    random = np.random.default_rng(seed)
    size = max(1, _BLOCK // max(clusters, 1))
    for start in range(0, resamples, size):
        yield random.random((min(size, resamples - start), clusters)) < 0.5


def _ranks(column: Floats) -> Floats:
    """Middle of the ranks of each value's equals."""
    ranking = Ranking.of(column)
    ranks: Floats = (ranking.bounds[:-1] + ranking.bounds[1:])[ranking.group].astype(np.float64)
    return np.where(np.isnan(column), np.nan, ranks)


def _standard_scores(column: Floats) -> Floats:
    centred: Floats = column - column.mean()
    spread = float(centred.std())
    return centred / spread if spread > 0 else centred


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


def exchange_test(
    metric: CorpusScore,
    first: Floats,
    second: Floats,
    first_image: NDArray[np.int64],
    second_image: NDArray[np.int64],
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> float:
    """Return two-sided p of the difference between two corpus scores; `first` and `second` are statistics [captions,
    k].

    An exchange gives the captions of an image to the other captioner; both corpus scores are computed again from
    weights of 0 and 1, so metrics that sum over the corpus (BLEU, METEOR) are tested as what they are.

    Riezler and Maxwell. On some pitfalls in automatic evaluation and significance testing for MT. ACL 2005 workshop.

    >>> from vericap.metrics.rouge_l import RougeL
    >>> good, bad = np.full((20, 2), 0.9), np.full((20, 2), 0.2)
    >>> exchange_test(RougeL(), good, bad, np.arange(20), np.arange(20), resamples=199)
    0.005
    """
    images = int(max(first_image.max(initial=-1), second_image.max(initial=-1))) + 1
    statistics = np.concatenate([first, second])
    cluster = np.concatenate([first_image, second_image + images])

    def differences(swap: NDArray[np.bool_]) -> Floats:
        mine, theirs = (
            replicates(metric, statistics, cluster, np.hstack(held)) for held in ([~swap, swap], [swap, ~swap])
        )
        return np.abs(mine - theirs)

    return exchanged(differences, images, resamples, seed)


def williams(r_first: float, r_second: float, r_between: float, n: int) -> tuple[float, float]:
    r"""t and two-sided p of the difference between r_first and r_second, both Pearson's with the human scores.

    $$ t_{n-3} = \frac{(r_{12} - r_{13}) \sqrt{(n - 1)(1 + r_{23})}}
                      {\sqrt{2 K \frac{n - 1}{n - 3} + \frac{(r_{12} + r_{13})^2}{4} (1 - r_{23})^3}} $$

    with K = 1 - r₁₂² - r₁₃² - r₂₃² + 2 r₁₂ r₁₃ r₂₃; `r_between` is the two metrics' correlation with each other. Rows
    are taken as independent and normal: where they share images or judges, p is too small; prefer the paired tests.

    Williams. Regression analysis. Wiley 1959. Graham and Baldwin. Testing for significance of increased correlation
    with human judgment. EMNLP 2014.

    >>> t, p = williams(0.6, 0.5, 0.8, 100)
    >>> round(t, 4), round(p, 4)
    (1.9432, 0.0549)
    """
    if n < 4 or any(math.isnan(r) for r in (r_first, r_second, r_between)):
        return float("nan"), float("nan")
    if r_first == r_second:
        return 0.0, 1.0
    determinant = 1 - r_first**2 - r_second**2 - r_between**2 + 2 * r_first * r_second * r_between  # K
    mean_square = ((r_first + r_second) / 2) ** 2
    below = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + mean_square * (1 - r_between) ** 3
    above = (r_first - r_second) * math.sqrt((n - 1) * (1 + r_between))
    from scipy.special import stdtr

    t = above / math.sqrt(below) if below > 0 else math.copysign(math.inf, above)
    return t, float(2 * stdtr(n - 3, -abs(t)))
