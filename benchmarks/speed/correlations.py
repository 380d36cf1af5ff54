"""Processor time of all four correlation coefficients in one resample, compared with SciPy's; one core.

python -m benchmarks.speed.correlations             prints the last table of docs/statistics.md
python -m benchmarks.speed.correlations --json      the same for benchmarks.speed.judge
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from vericap.stats.correlation import COEFFICIENTS, Paired
from vericap.stats.resampling import draw

# Rows, images and levels of human judgements: Flickr8k-Expert, Flickr8k-CF, and judgements without ties.
SIZES = [(16_992, 1_000, 4), (47_830, 1_000, 10), (16_992, 1_000, 16_992)]
RESAMPLES, BY_SCIPY = 100, 5


def main() -> None:
    found = measured()
    if "--json" in sys.argv[1:]:
        print(json.dumps(found))
        return
    print("| rows | human levels | ours, a resample | SciPy, a resample | ratio |\n|---:|---:|---:|---:|---:|")
    for each in found:
        ours, theirs = each["ours"], each["scipy"]
        times = f"{ours * 1e3:.2f} ms | {theirs * 1e3:.1f} ms | {theirs / ours:.0f}"
        print(f"| {each['rows']:,} | {each['levels']:,} | {times} |")


def measured() -> list[dict[str, Any]]:
    """Return for each size the processor seconds of a resample by both, and how far their coefficients are apart."""
    random = np.random.default_rng(0)
    found = []
    for rows, images, levels in SIZES:
        image = random.integers(0, images, rows)
        human = random.integers(0, levels, rows).astype(float)
        metric = np.round(human / levels + random.normal(0, 1, rows), 4)
        counts = draw(images, RESAMPLES, 0)
        pair = Paired(metric, human, image)
        ours, coefficients = timed(lambda pair=pair, counts=counts: pair.coefficients(counts))
        drawn = [np.repeat(np.arange(rows), row[image]) for row in counts[:BY_SCIPY]]
        theirs, by_scipy = timed(lambda x=metric, y=human, drawn=drawn: [scipy(x[rows], y[rows]) for rows in drawn])
        first = np.array([coefficients[name][:BY_SCIPY] for name in COEFFICIENTS]).T
        difference = float(np.abs(first - np.array(by_scipy)).max())
        about = {"rows": rows, "levels": levels, "difference": difference}
        found.append({**about, "ours": ours / RESAMPLES, "scipy": theirs / BY_SCIPY})
    return found


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    answer = work()
    return time.process_time() - start, answer


def scipy(x: np.ndarray, y: np.ndarray) -> list[float]:
    """Return the coefficients in the order of COEFFICIENTS."""
    return [
        float(stats.kendalltau(x, y).statistic),
        float(stats.kendalltau(x, y, variant="c").statistic),
        float(stats.spearmanr(x, y).statistic),
        float(stats.pearsonr(x, y).statistic),
    ]


if __name__ == "__main__":
    main()
