"""`evaluate`: the scores of one captioner, from captions in any shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from vericap.arrays import Integers
from vericap.errors import not_a_set
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings, Summary
from vericap.results.scores import GroupResult, Interval, MetricResult, Result
from vericap.run.explain import RowExplainer
from vericap.run.keywords import EVALUATE, EvaluateOptions, inputs_and_settings
from vericap.run.measure import Measured, MeasuredMetric, Progress, measure
from vericap.run.prepare import prepare
from vericap.run.selection import MetricChoice


@EVALUATE
def evaluate(
    candidates: Any,
    references: Any = None,
    *,
    metrics: MetricChoice = "default",
    label: str = "captions",
    progress: Progress | None = None,
    **options: Unpack[EvaluateOptions],
) -> Result:
    """Return the scores of captions by every metric asked for.

    Parameters
    ----------
    candidates
        Captions to score: {id: caption}, [{"image_id": …, "caption": …}], a list of captions, a table of pandas or
        pyarrow, a Hugging Face data set, or the path of a file with any of these.
    references
        What people wrote: {id: [caption, …]}, COCO annotations, a list of lists aligned by position, a table, or a
        path; several paths in a list are text files with one reference per line. None where no metric needs them.
    metrics
        Keys such as "bleu-4,cider-r(k_r=0.5)", a list of keys or of `Metric` objects, "default" (the table of a paper),
        or "all" whose needs are met. `vericap metrics` lists them.
    label
        What the table calls these captions.
    progress
        Called with what is done, the number of completed steps (a fraction inside a step), and how many there are.

    Returns
    -------
    Result
        `result["cider-d"].score` is a corpus score, `.captions` the scores of the captions in their order;
        `result.scores` are plain numbers, `result.table()` is the table, `result.notes` say what was done to the input.

    Examples
    --------
    >>> result = evaluate({1: "A dog runs.", 2: "a cat"}, {1: ["a dog runs"], 2: ["the cat", "a red cat"]},
    ...                   metrics="bleu-1,rouge-l")
    >>> result["bleu-1"].score, result["bleu-1"].captions.round(3).tolist()
    (0.99999999..., [1.0, 1.0])
    """
    given = EVALUATE.read(options)
    inputs, settings = inputs_and_settings(candidates, references, given)
    return evaluate_inputs(inputs, settings, metrics, Summary(**given[Summary]), label=label, progress=progress)


def evaluate_inputs(
    inputs: Inputs,
    settings: Settings,
    metrics: MetricChoice = "default",
    summary: Summary | None = None,
    *,
    label: str = "captions",
    fields: Sequence[str] = (),
    progress: Progress | None = None,
) -> Result:
    """Return the result of inputs under settings; the corpus keeps `fields` too."""
    if progress is not None:
        progress("reading", 0, 1)
    metrics = metrics if isinstance(metrics, str) else list(not_a_set(metrics, "metrics"))
    summary = summary or Summary()
    columns = [*([] if summary.group_by is None else [summary.group_by]), *fields]
    views = prepare(inputs, settings, metrics=metrics, fields=columns, progress=progress)
    measured = measure(views, metrics, progress)
    intervals = _intervals(measured, summary, settings.seed) if summary.bootstrap else {}
    return Result(
        measured.corpus,
        {key: metric_result(each, intervals.get(key)) for key, each in measured.items()},
        measured.notes,
        label,
        {} if summary.group_by is None else _groups(measured, summary.group_by, summary, settings.seed),
        RowExplainer(tuple(each.metric for each in measured.values()), settings),
    )


def metric_result(each: MeasuredMetric, interval: Interval | None = None) -> MetricResult:
    """A measured metric as plain data."""
    metric = each.metric
    return MetricResult(
        metric.key,
        float(metric.aggregate(each.statistics)),
        each.scores,
        each.signature,
        metric.question,
        metric.range,
        metric.higher_is_better,
        interval,
        metric.details(each.statistics),
        each.statistics,
    )


def _intervals(
    measured: Measured, summary: Summary, seed: int, rows: Integers | slice = slice(None)
) -> dict[str, Interval | None]:
    """Return the 95 % intervals of the corpus scores, over all captions or over some."""
    from vericap.stats.bootstrap import interval

    image = measured.corpus.image[rows]
    return {
        key: interval(each.metric, each.statistics[rows], image, resamples=summary.bootstrap, seed=seed)
        for key, each in measured.items()
    }


def _groups(measured: Measured, group_by: str, summary: Summary, seed: int) -> dict[str, GroupResult]:
    """Return the results of each group, in order of first appearance."""
    members: dict[str, list[int]] = {}
    for row, value in enumerate(measured.corpus.fields[group_by]):
        members.setdefault(str(value), []).append(row)
    found = {}
    for label, group in members.items():
        rows = np.array(group)
        scores = {key: each.metric.aggregate(each.statistics[rows]) for key, each in measured.items()}
        intervals = _intervals(measured, summary, seed, rows) if summary.bootstrap else {}
        found[label] = GroupResult(len(rows), scores, intervals)
    return found
