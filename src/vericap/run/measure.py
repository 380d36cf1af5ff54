"""The run itself: every metric's statistics, scores, corpus score, signature and notes, once, for all readings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np

from vericap.arrays import Floats, Integers
from vericap.corpus import Corpus
from vericap.engine.progress import rate, watched
from vericap.metrics.base import Metric, Statistics, checked_scores
from vericap.readers.captions.systems import SYSTEM
from vericap.results.plain import ByName
from vericap.run.language import language_notes
from vericap.run.selection import MetricChoice, Selection, select
from vericap.views import View, Views

# What is done, number of completed steps (a fraction inside a step), and how many there are.
Progress: TypeAlias = Callable[[str, float, int], None]


@dataclass(frozen=True, eq=False)
class MeasuredMetric:
    """One metric on some captions: `statistics` [captions, k], `scores` [captions], and how long it took."""

    metric: Metric
    statistics: Floats
    scores: Floats
    seconds: float
    signature: str = ""

    @cached_property
    def aggregate(self) -> float:
        """The corpus score."""
        return float(self.metric.aggregate(self.statistics))


def measure_metric(metric: Metric, views: Views, expected: Iterable[tuple[int, View[Any]]] = ()) -> MeasuredMetric:
    """Return the checked statistics and scores of one metric: the one way from views to numbers, for every verb, for
    batches of a stream and for rewards. `expected` are the views of n-grams that this and other metrics will look at.
    """
    start = time.perf_counter()
    if expected and any(metric.expected_views()):
        views.look_at(expected)
    statistics = views.get(Statistics(metric))
    scores = checked_scores(metric, metric.score(statistics), len(statistics))
    return MeasuredMetric(metric, statistics, scores, time.perf_counter() - start)


@dataclass(frozen=True, eq=False)
class Measured(ByName[MeasuredMetric]):
    """The output of a run: the measured metrics by key, in the order asked for, and notes."""

    corpus: Corpus
    results: Mapping[str, MeasuredMetric]
    notes: tuple[str, ...] = ()


def measure(views: Views, metrics: MetricChoice | Selection, progress: Progress | None = None) -> Measured:
    """Return every metric asked for, on all captions of the views.

    >>> from vericap.options.inputs import Inputs
    >>> from vericap.run.prepare import prepare
    >>> run = measure(prepare(Inputs({1: "a dog"}, {1: ["the dog"]})), "rouge-l,bleu-1")
    >>> {key: round(each.aggregate, 3) for key, each in run.items()}
    {'rouge-l': 0.5, 'bleu-1': 0.5}
    """
    selection = metrics if isinstance(metrics, Selection) else select(metrics, views)
    for note in language_notes(views, selection.metrics):
        views.note(note)
    expected = dict.fromkeys(each for metric in selection.metrics for each in metric.expected_views())
    found, steps = {}, len(selection.metrics) + 1
    for done, metric in enumerate(selection.metrics, 1):
        if progress is not None:
            progress(metric.key, done, steps)
        with nullcontext() if progress is None else watched(partial(_tell_part, progress, metric.key, done, steps)):
            each = measure_metric(metric, views, expected)
            found[metric.key] = replace(each, signature=metric.signature(views))
    undefined = tuple(
        f"{key} is undefined for {missing:,} of {len(views.corpus):,} captions, which are left out"
        for key, each in found.items()
        if (missing := np.count_nonzero(np.isnan(each.scores)))
    )
    # What metrics noted while they computed is there by now.
    measured = Measured(views.corpus, found, (*views.corpus.notes, *views.notes, *selection.notes, *undefined))
    return best_of_image(measured) if views.best_of_image else measured


def best_of_image(measured: Measured) -> Measured:
    """Return the best caption, by the first metric, of several that a captioner has for an image."""
    first, corpus = next(iter(measured.values())), measured.corpus
    rows = best_rows(corpus, first.scores if first.metric.higher_is_better else -first.scores)
    if len(rows) == len(corpus):
        return measured
    kept = {
        key: replace(each, statistics=each.statistics[rows], scores=each.scores[rows]) for key, each in measured.items()
    }
    note = f"of {len(corpus):,} captions, the best of each image by {first.metric.key} is scored"
    return Measured(corpus.keep(rows), kept, (*measured.notes, note))


def best_rows(corpus: Corpus, better: Floats) -> Integers:
    """Return the row of each image, of each captioner, whose number is highest; the first of equal ones. NaN is the
    lowest.

    >>> corpus = Corpus(["a", "b", "a"], ["dog", "cat", "dogs"], np.array([0, 1, 0]))
    >>> best_rows(corpus, np.array([0.2, 0.5, 0.7])).tolist()
    [1, 2]
    """
    owner = np.unique(corpus.fields.get(SYSTEM, [""] * len(corpus)), return_inverse=True)[1]
    group = owner * (int(corpus.image.max(initial=0)) + 1) + corpus.image
    order = np.lexsort((np.arange(len(better)), -np.nan_to_num(better, nan=-np.inf), group))
    first = np.unique(group[order], return_index=True)[1]
    return np.sort(order[first])


def _tell_part(tell: Progress, key: str, done: int, steps: int, part: float) -> None:
    tell(f"{key}: {speed}" if (speed := rate()) else key, done + part, steps)
