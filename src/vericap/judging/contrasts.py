"""Contrasts between metrics in their agreement with people: of every two, or of each with a baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.judging.protocols import AgreementTests
from vericap.metrics import parse
from vericap.results.verdict import MetricContrast, MetricRow
from vericap.stats.paired import bootstrap_test, studentised_test
from vericap.stats.resampling import estimate
from vericap.stats.significance import ALPHA, holm, is_bound


def contrasts(rows: Sequence[MetricRow], measure: str, tests: AgreementTests, units: int) -> list[MetricContrast]:
    """The contrasts in one measure, corrected by Holm over all of them. `units` is how many images (or systems) a
    resample draws.

    A correlation is turned round where the metric's lower scores are better, so that a positive difference always means
    closer agreement with people.
    """
    if not tests.bootstrap:
        return []
    # A metric that gives every caption the same score has no correlation, and nothing to test.
    tested = [row for row in rows if math.isfinite(row.value(measure)) and len(row.estimates[measure].replicates)]
    made = [_contrast(first, second, measure, tests, units) for first, second in _pairs(rows, tested, tests.against)]
    corrected = holm([each.p for each in made]).tolist()
    return [replace(each, corrected=p) for each, p in zip(made, corrected, strict=True)]


def _pairs(
    rows: Sequence[MetricRow], tested: Sequence[MetricRow], against: str | None
) -> list[tuple[MetricRow, MetricRow]]:
    if against is None or against == "all":
        return [(later, earlier) for earlier, later in combinations(tested, 2)]
    baseline = rows[0] if against == "first" else _baseline(rows, against)
    return [(row, baseline) for row in tested if row is not baseline] if baseline in tested else []


def _baseline(rows: Sequence[MetricRow], name: str) -> MetricRow:
    """The row of a metric by its key in any spelling, or by the name of a column of scores."""
    known = {row.metric: row for row in rows}
    if name in known:
        return known[name]
    try:
        return known[parse(name).key]
    except (KeyError, InputError):
        raise InputError(
            f"{name!r} is not among the metrics judged", field="against", fix=f"use one of {', '.join(known)}"
        ) from None


def _contrast(first: MetricRow, second: MetricRow, measure: str, tests: AgreementTests, units: int) -> MetricContrast:
    (value, values), (other, others) = (_oriented(row, measure) for row in (first, second))
    difference, replicates = value - other, values - others
    by_resamples = tests.test == "bootstrap"
    p = bootstrap_test(values, others) if by_resamples else studentised_test(difference, replicates, units)
    interval = estimate(difference, replicates).interval
    bound = is_bound(p, tests.test, int(np.count_nonzero(~np.isnan(replicates))))
    return MetricContrast(first.metric, second.metric, difference, interval, p, p, bound)


def _oriented(row: MetricRow, measure: str) -> tuple[float, Floats]:
    """The value and its replicates, higher for closer agreement. An accuracy is that already."""
    sign = 1 if row.higher_is_better or measure.startswith("accuracy") else -1
    return sign * row.estimates[measure].value, sign * row.estimates[measure].replicates


def with_beaten(rows: Sequence[MetricRow], found: Sequence[MetricContrast]) -> list[MetricRow]:
    """The rows, each with the places of those that it is significantly better than."""
    place = {row.metric: k for k, row in enumerate(rows)}
    beaten: dict[str, list[int]] = {row.metric: [] for row in rows}
    for each in found:
        if each.corrected < ALPHA and each.difference:
            better, worse = (each.metric, each.against) if each.difference > 0 else (each.against, each.metric)
            beaten[better].append(place[worse])
    return [replace(row, beats=sorted(beaten[row.metric])) for row in rows]
