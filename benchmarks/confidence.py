"""What the statistics of Vericap cost and how they behave: seconds beside SciPy's, coverage, false alarms, power.

Prints the tables of docs/statistics.md; processor time, one core.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from scipy import stats

from vericap.stats.correlation import COEFFICIENTS, Paired, pearson
from vericap.stats.paired import bootstrap_test, permutation_test, permuted_correlation
from vericap.stats.resampling import draw, estimate
from vericap.stats.williams import williams

IMAGES, ROWS = 120, 3
IMAGE = np.repeat(np.arange(IMAGES), ROWS)


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def scipy(x: np.ndarray, y: np.ndarray) -> None:
    stats.kendalltau(x, y)
    stats.kendalltau(x, y, variant="c")
    stats.spearmanr(x, y)
    stats.pearsonr(x, y)


def speed() -> None:
    print("| rows | human levels | ours, a resample | SciPy, a resample | ratio |\n|---:|---:|---:|---:|---:|")
    random = np.random.default_rng(0)
    for rows, images, levels in [(16_992, 1_000, 4), (47_830, 1_000, 10), (16_992, 1_000, 16_992)]:
        image = random.integers(0, images, rows)
        human = random.integers(0, levels, rows).astype(float)
        metric = np.round(human / levels + random.normal(0, 1, rows), 4)
        pair, counts = Paired(metric, human, image), draw(images, 100, 0)
        ours = seconds(lambda pair=pair, counts=counts: pair.coefficients(counts)) / len(counts)

        drawn = [np.repeat(np.arange(rows), row[image]) for row in counts[:5]]
        theirs = seconds(lambda x=metric, y=human, drawn=drawn: [scipy(x[rows], y[rows]) for rows in drawn]) / 5
        print(f"| {rows:,} | {levels:,} | {ours * 1e3:.2f} ms | {theirs * 1e3:.1f} ms | {theirs / ours:.0f} |")


def sample(random: np.random.Generator, images: int, advantage: float = 0.0) -> tuple[np.ndarray, ...]:
    """Two metrics, human scores and quality; noise is shared inside an image, the first metric has less of it."""
    image = np.repeat(np.arange(images), ROWS)
    quality = random.normal(size=images)[image] + random.normal(0, 0.5, images * ROWS)
    human = np.digitize(quality + random.normal(0, 0.5, images * ROWS), [-1.0, 0.0, 1.0]).astype(float)
    noise = random.normal(size=(2, images))[:, image] + random.normal(0, 0.5, (2, images * ROWS))
    return quality + noise[0] * (1 - advantage), quality + noise[1], human, quality


def coverage(samples: int) -> None:
    random = np.random.default_rng(1)
    first, _, human, _ = sample(random, 200_000)
    truth = Paired(first, human).coefficients()
    held = {(name, kind): 0 for name in COEFFICIENTS for kind in ("images", "rows")}
    for seed in range(samples):
        first, _, human, _ = sample(random, IMAGES)
        for kind, cluster in (("images", IMAGE), ("rows", np.arange(len(IMAGE)))):
            found = Paired(first, human, cluster).coefficients(draw(int(cluster[-1]) + 1, 300, seed))
            for name in COEFFICIENTS:
                low, high = estimate(0.0, found[name]).interval or (np.nan, np.nan)
                held[name, kind] += low <= truth[name][0] <= high
    print("\n| coefficient | drawn by image | drawn by row |\n|---|---:|---:|")
    for name in COEFFICIENTS:
        print(f"| {name} | {held[name, 'images'] / samples:.1%} | {held[name, 'rows'] / samples:.1%} |")


def alarms(samples: int) -> None:
    tests = ["bootstrap of tau-b", "permutation of tau-b", "permutation of means", "Williams"]
    print("\n| test | no difference | small | large |\n|---|---:|---:|---:|")
    rates = np.zeros((len(tests), 3))
    for column, advantage in enumerate((0.0, 0.2, 0.6)):
        random = np.random.default_rng(2)
        for seed in range(samples):
            first, second, human, quality = sample(random, IMAGES, advantage)
            counts = draw(IMAGES, 199, seed)
            tau = [Paired(x, human, IMAGE).coefficients(counts, ["kendall_b"])["kendall_b"] for x in (first, second)]
            errors = [np.abs(x - quality) for x in (first, second)]
            p = [
                bootstrap_test(*tau),
                permuted_correlation(first, second, human, IMAGE, resamples=199, seed=seed),
                permutation_test(*errors, IMAGE, resamples=199, seed=seed),
                williams(pearson(first, human), pearson(second, human), pearson(first, second), len(human))[1],
            ]
            rates[:, column] += (np.array(p) <= 0.05) / samples
    for test, row in zip(tests, rates, strict=True):
        print(f"| {test} | {row[0]:.1%} | {row[1]:.1%} | {row[2]:.1%} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000, help="samples of each simulation")
    samples = parser.parse_args().samples
    speed()
    coverage(samples)
    alarms(samples)
