"""Processor time of all four correlation coefficients in one resample, beside SciPy's; one core.

    python -m benchmarks.speed.correlations

Prints the last table of docs/statistics.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from scipy import stats

from vericap.stats.correlation import Paired
from vericap.stats.resampling import draw


def main() -> None:
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


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def scipy(x: np.ndarray, y: np.ndarray) -> None:
    stats.kendalltau(x, y)
    stats.kendalltau(x, y, variant="c")
    stats.spearmanr(x, y)
    stats.pearsonr(x, y)


if __name__ == "__main__":
    main()
