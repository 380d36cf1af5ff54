"""`evaluate`: the scores of one captioner, from captions in any shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from vericap.arrays import Integers
from vericap.errors import not_a_set
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings
from vericap.results.scores import GroupResult, Interval, MetricResult, Result
from vericap.run.explain import RowExplainer
from vericap.run.measure import Measured, MeasuredMetric, Progress, measure
from vericap.run.prepare import prepare
from vericap.run.selection import MetricChoice

if TYPE_CHECKING:
    from vericap.options.keywords import Options


def evaluate(
    candidates: Any,
    references: Any = None,
    *,
    metrics: MetricChoice = "default",
    bootstrap: int = 0,
    group_by: str | None = None,
    label: str = "captions",
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> Result:
    """Scores captions with every metric asked for.

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
    bootstrap
        Number of resamples of images for a 95 % interval beside each score; 0 for none.
    group_by
        A field of the captions, or of the images of COCO's references: the scores of each of its values come too.
    label
        What the table calls these captions.
    progress
        Called with what is done, how many steps are behind (a fraction inside a step), and how many there are.
    objects
        What is in the pictures, for VIFIDEL, CHAIR and FAIEr: {id: [label, …]}, COCO instances, PASCAL VOC, Open
        Images, a detector's output, a path, or a list of paths that are united.
    confidence
        Minimum confidence of a detected object, 0.5; one number, or one for each file of objects.
    regions
        Vectors of image regions, for FAIEr: a path (.npz, Parquet, safetensors, bottom-up TSV) or a table of regions.
    split
        Split of the references to use ("val", "test"), where they say to which one an image belongs.
    columns
        The column of a role, where it has none of the usual names: {"caption": "answer", "image_id": "file"}.
    images
        A folder of pictures, each named by its image id, at which the detector and metrics like CLIPScore look.
    detector
        The name of a detector, such as "ssd(threshold=0.4)", or a `Detector`, that finds objects and regions in
        `images`; "ssd" where a metric needs objects and none were given.
    cache
        A folder where what models find in pictures is kept for the next run.
    megapixels
        The largest picture that is read, 80.
    tokenizer
        "ptb" (COCO's, the default), "unicode" (any language), "whitespace", "rouge", or "none" for captions that are
        tokenized already.
    language
        Language of the captions, "en": METEOR's matchers and stop words depend on it.
    df
        Document frequencies of CIDEr: "corpus" (the references given, the default), "coco" (COCO's training captions),
        a path of captions or of a table, or a `DocumentFrequencies`.
    missing
        An image without references or objects is an "error", is left out ("drop"), or scores 0 ("zero").
    repeated
        Several captions of one image are an "error", or the "first", all of them ("keep"), or the "best" by the first
        metric are scored.
    uncaptioned
        An image of the references without a caption is an "error", is left out ("skip", the default, with a note), or
        scores an empty caption ("zero").
    workers
        Number of cores to use, 1; 0 means all of them. The numbers do not depend on it.
    seed
        Seed of everything random: resamples, and metrics that draw.

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
    from vericap.options.keywords import split_options

    inputs, settings = split_options(candidates, references, options)
    return evaluate_inputs(
        inputs, settings, metrics, bootstrap=bootstrap, group_by=group_by, label=label, progress=progress
    )


def evaluate_inputs(
    inputs: Inputs,
    settings: Settings,
    metrics: MetricChoice = "default",
    *,
    bootstrap: int = 0,
    group_by: str | None = None,
    label: str = "captions",
    fields: Sequence[str] = (),
    progress: Progress | None = None,
) -> Result:
    """What `evaluate` does, from inputs and settings; the corpus keeps `fields` too."""
    if progress is not None:
        progress("reading", 0, 1)
    metrics = metrics if isinstance(metrics, str) else list(not_a_set(metrics, "metrics"))
    columns = [*([] if group_by is None else [group_by]), *fields]
    views = prepare(inputs, settings, metrics=metrics, fields=columns, progress=progress)
    measured = measure(views, metrics, progress)
    reading = _Reading(measured, bootstrap, settings.seed)
    return Result(
        measured.corpus,
        {key: metric_result(each, reading.interval(each)) for key, each in measured.items()},
        measured.notes,
        label,
        reading.groups(group_by),
        RowExplainer(tuple(each.metric for each in measured.values()), settings),
    )


def metric_result(each: MeasuredMetric, interval: Interval | None = None) -> MetricResult:
    """A measured metric as plain data."""
    metric = each.metric
    return MetricResult(
        metric.key,
        each.aggregate,
        each.scores,
        each.signature,
        metric.question,
        metric.range,
        metric.higher_is_better,
        interval,
        metric.details(each.statistics),
        each.statistics,
    )


class _Reading:
    """Intervals and groups of a run."""

    def __init__(self, measured: Measured, bootstrap: int, seed: int) -> None:
        self.measured, self.bootstrap, self.seed = measured, bootstrap, seed

    def interval(self, each: MeasuredMetric, rows: Integers | None = None) -> Interval | None:
        """The 95 % interval of a metric's corpus score, over all captions or over some."""
        if not self.bootstrap:
            return None
        from vericap.stats.bootstrap import interval

        statistics, image = each.statistics, self.measured.corpus.image
        if rows is not None:
            statistics, image = statistics[rows], image[rows]
        return interval(each.metric, statistics, image, resamples=self.bootstrap, seed=self.seed)

    def groups(self, group_by: str | None) -> Mapping[str, GroupResult]:
        """The results of each group, in order of first appearance."""
        if group_by is None:
            return {}
        members: dict[str, list[int]] = {}
        for row, value in enumerate(self.measured.corpus.fields[group_by]):
            members.setdefault(str(value), []).append(row)
        return {label: self._group(np.array(rows)) for label, rows in members.items()}

    def _group(self, rows: Integers) -> GroupResult:
        scores = {key: each.metric.aggregate(each.statistics[rows]) for key, each in self.measured.items()}
        intervals = {key: self.interval(each, rows) for key, each in self.measured.items()} if self.bootstrap else {}
        return GroupResult(len(rows), scores, intervals)
