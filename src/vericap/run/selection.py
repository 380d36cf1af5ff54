"""Selection of the metrics that can be computed from what was given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from vericap.errors import InputError
from vericap.metrics import asked
from vericap.metrics.base import Metric, option_of
from vericap.views import Facts

MetricChoice: TypeAlias = str | Iterable[str | Metric]


@dataclass(frozen=True)
class Selection:
    """The metrics that are computed, and why others were left out."""

    metrics: tuple[Metric, ...]
    notes: tuple[str, ...] = ()


def select(metrics: MetricChoice, views: Facts, *, lenient: bool = False) -> Selection:
    """The metrics asked for. What a metric asked for by name lacks is an error before any work starts; of the sets
    `default` and `all` (of any metric, if `lenient`), those whose needs are not met are left out, and the notes say
    which and why."""
    chosen: list[Metric] = []
    notes: list[str] = []
    without: dict[str, list[str]] = {}
    for asked_for, by_name in asked(metrics):
        metric = asked_for.in_language(views.language)
        if by_name and metric.lacks(views) == ["references"] and (other := metric.without_references()) is not None:
            notes.append(f"no references were given, so {metric.key} is computed without them, as {other.key}")
            metric = other
        if by_name and metric.when_asked:
            notes.append(metric.when_asked)
        if (lenient or not by_name) and (lacking := metric.lacks(views)):
            for need in lacking:
                without.setdefault(need, []).append(metric.key)
            continue
        try:
            metric.check(views)
            chosen.append(metric)
        except InputError as error:
            if by_name and not lenient:
                raise
            notes.append(f"{metric.key} left out: {error}")
    # Once for all metrics that need the same: it is one thing to add.
    left_out = [
        f"no {need} were given, so these were left out: {', '.join(keys)}; add "
        + option_of(need, views.corpus.has_pictures)
        for need, keys in without.items()
    ] + notes
    if not chosen:
        raise _nothing_left(metrics, left_out)
    return Selection(tuple(chosen), tuple(left_out))


def _nothing_left(metrics: MetricChoice, left_out: list[str]) -> InputError:
    if not left_out:
        return InputError("no metric was asked for", field="metrics", fix="name one, or leave it to default")
    return InputError(
        f"no metric of {metrics!r} can be computed: {'; '.join(left_out)}",
        field="metrics",
        fix="or ask for others: `vericap metrics` says what each needs, and fluency needs captions alone",
    )
