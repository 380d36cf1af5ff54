"""Behaviour of Vericap's intervals and tests: coverage, false alarms, power.

    python -m benchmarks.papers.confidence [--samples N]

Prints the first three tables of docs/statistics.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import combinations

import numpy as np

from vericap.stats.correlation import COEFFICIENTS, Paired, pearson
from vericap.stats.paired import bootstrap_test, permutation_test, permuted_correlation, studentised_test, williams
from vericap.stats.resampling import draw, estimate
from vericap.stats.significance import holm

IMAGES, ROWS = 120, 3
IMAGE = np.repeat(np.arange(IMAGES), ROWS)


def sample(random: np.random.Generator, images: int, advantage: float = 0.0) -> tuple[np.ndarray, ...]:
    """Return two metrics, human scores and quality; noise is shared inside an image, the first metric has less of
    it."""
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
    tests = [
        "bootstrap of tau-b",
        "studentised bootstrap of tau-b",
        "permutation of tau-b",
        "permutation of means",
        "Williams",
    ]
    print("\n| test | no difference | small | large |\n|---|---:|---:|---:|")
    rates = np.zeros((len(tests), 3))
    for column, advantage in enumerate((0.0, 0.2, 0.6)):
        random = np.random.default_rng(2)
        for seed in range(samples):
            first, second, human, quality = sample(random, IMAGES, advantage)
            counts = draw(IMAGES, 199, seed)
            (one, ones), (two, twos) = taus((first, second), human, counts)
            errors = [np.abs(x - quality) for x in (first, second)]
            p = [
                bootstrap_test(ones, twos),
                studentised_test(one - two, ones - twos, IMAGES),
                permuted_correlation(first, second, human, IMAGE, resamples=199, seed=seed),
                permutation_test(*errors, IMAGE, resamples=199, seed=seed),
                williams(pearson(first, human), pearson(second, human), pearson(first, second), len(human))[1],
            ]
            rates[:, column] += (np.array(p) <= 0.05) / samples
    for test, row in zip(tests, rates, strict=True):
        print(f"| {test} | {row[0]:.1%} | {row[1]:.1%} | {row[2]:.1%} |")


def taus(metrics: Iterable[np.ndarray], human: np.ndarray, counts: np.ndarray) -> list[tuple[float, np.ndarray]]:
    """tau-b of each metric in the sample, and in its resamples."""
    pairs = [Paired(metric, human, IMAGE) for metric in metrics]
    names = ["kendall_b"]
    return [
        (float(pair.coefficients(names=names)["kendall_b"][0]), pair.coefficients(counts, names)["kendall_b"])
        for pair in pairs
    ]


def families(samples: int, metrics: int = 9, resamples: int = 999) -> None:
    """All pairs of nine metrics, corrected by Holm: false alarms where none differs, pairs of one better metric."""
    tests = ["bootstrap of tau-b", "studentised bootstrap of tau-b"]
    pairs = list(combinations(range(metrics), 2))
    with_best = np.array([0 in pair for pair in pairs])
    print(f"\n| test, {len(pairs)} pairs, Holm | any false alarm | pairs of the better metric found |\n|---|---:|---:|")
    rates = np.zeros((len(tests), 2))
    for column, advantage in enumerate((0.0, 0.6)):
        random = np.random.default_rng(3)
        for seed in range(samples):
            columns, human = several(random, metrics, advantage)
            found = taus(columns, human, draw(IMAGES, resamples, seed))
            p = [
                [bootstrap_test(found[i][1], found[j][1]) for i, j in pairs],
                [studentised_test(found[i][0] - found[j][0], found[i][1] - found[j][1], IMAGES) for i, j in pairs],
            ]
            significant = np.array([holm(each) < 0.05 for each in p])
            found_here = significant[:, with_best].mean(axis=1) if advantage else significant.any(axis=1)
            rates[:, column] += found_here / samples
    for test, row in zip(tests, rates, strict=True):
        print(f"| {test} | {row[0]:.1%} | {row[1]:.1%} |")


def several(random: np.random.Generator, metrics: int, advantage: float) -> tuple[list[np.ndarray], np.ndarray]:
    """Metrics with noise of their own, shared inside an image; the first has less of it."""
    quality = random.normal(size=IMAGES)[IMAGE] + random.normal(0, 0.5, len(IMAGE))
    human = np.digitize(quality + random.normal(0, 0.5, len(IMAGE)), [-1.0, 0.0, 1.0]).astype(float)
    noise = random.normal(size=(metrics, IMAGES))[:, IMAGE] + random.normal(0, 0.5, (metrics, len(IMAGE)))
    return [quality + each * (1 - advantage * (k == 0)) for k, each in enumerate(noise)], human


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000, help="samples of each simulation")
    samples = parser.parse_args().samples
    coverage(samples)
    alarms(samples)
    families(samples // 2)
