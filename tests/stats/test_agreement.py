"""Agreement with people: how often its interval holds the truth, and that clusters matter."""

from __future__ import annotations

import numpy as np

from vericap.stats.correlation import COEFFICIENTS, Paired, correlate
from vericap.stats.resampling import draw, estimate


def test_an_undefined_value_has_no_interval() -> None:
    found = correlate({"constant": [1.0, 1.0, 1.0]}, [1, 2, 3], resamples=20)["constant"]["kendall_b"]
    assert np.isnan(found.value)
    assert found.interval is None


def test_intervals_of_all_metrics_come_from_the_same_resamples() -> None:
    random = np.random.default_rng(5)
    human = random.integers(1, 5, 90)
    scores = {"a": random.normal(human), "b": random.normal(human)}
    image = np.arange(90) // 3
    found = correlate(scores, human, image, resamples=30, seed=4, workers=2)
    weights = draw(30, 30, 4)
    for metric, column in scores.items():
        expected = Paired(column, human, image).coefficients(weights)
        for name in COEFFICIENTS:
            assert np.array_equal(found[metric][name].replicates, expected[name])


def test_the_interval_holds_the_truth_nineteen_times_of_twenty() -> None:
    """Rows of an image are alike. In 95 % ± 2 of the samples the interval holds the correlation of the population;
    drawn row by row it is too narrow, and holds it less often."""
    samples, images, rows, resamples = 500, 120, 4, 200
    image = np.repeat(np.arange(images), rows)
    random = np.random.default_rng(20)

    def sample(size: int) -> tuple[np.ndarray, np.ndarray]:
        quality = np.repeat(random.normal(size=size), rows)
        easy = np.repeat(random.normal(size=size), rows)
        human = np.digitize(0.8 * quality + 0.8 * easy + random.normal(0, 0.5, size * rows), [-1.0, 0.0, 1.0])
        return np.round(0.8 * quality + random.normal(0, 0.5, size * rows), 1), human

    metric, human = sample(100_000)
    truth = {name: value[0] for name, value in Paired(metric, human).coefficients().items()}
    held = dict.fromkeys(COEFFICIENTS, 0)
    held_by_rows = 0
    for seed in range(samples):
        weights, weights_of_rows = draw(images, resamples, seed), draw(images * rows, resamples, seed)
        metric, human = sample(images)
        found = Paired(metric, human, image).coefficients(weights)
        for name in COEFFICIENTS:
            low, high = estimate(0.0, found[name]).interval or (np.nan, np.nan)
            held[name] += low <= truth[name] <= high
        by_rows = Paired(metric, human).coefficients(weights_of_rows, ["pearson"])["pearson"]
        low, high = estimate(0.0, by_rows).interval or (np.nan, np.nan)
        held_by_rows += low <= truth["pearson"] <= high
    coverage = {name: count / samples for name, count in held.items()}
    assert all(0.93 <= share <= 0.97 for share in coverage.values()), coverage
    assert held_by_rows / samples < 0.9
