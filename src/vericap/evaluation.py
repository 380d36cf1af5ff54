"""`evaluate` and `explain`: from captions in any shape to scores with their signatures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import Explanation, Metric, asked
from vericap.metrics.base import Statistics
from vericap.readers import Missing, Repeated, load
from vericap.readers.objects import CONFIDENCE
from vericap.show.tables import Column, Row, ScoreTable
from vericap.stats.bootstrap import interval
from vericap.version import __version__
from vericap.views import Views
from vericap.vision.add_pictures import add_pictures

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies
    from vericap.vision.detectors import Detector

Progress: TypeAlias = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class MetricResult:
    """One metric on one corpus: corpus score, score of each caption, and the line that makes it reproducible."""

    metric: Metric
    score: float
    captions: Floats
    signature: str
    statistics: Floats = field(repr=False)
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class Result(Mapping[str, MetricResult]):
    """What `evaluate` gives: metric results by key, in the order asked for."""

    corpus: Corpus
    results: Mapping[str, MetricResult]
    notes: tuple[str, ...] = ()
    group_by: str | None = None
    label: str = "captions"
    bootstrap: int = 0
    seed: int = 0

    def __getitem__(self, key: str) -> MetricResult:
        return self.results[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def score_table(self) -> ScoreTable:
        """A row for the whole corpus, before it a row for each group where `group_by` was given."""
        columns = [Column(key, r.metric.higher_is_better) for key, r in self.items()]
        rows = [
            Row(
                group,
                len(members),
                [r.metric.aggregate(r.statistics[members]) for r in self.values()],
                [self._interval(r, members) for r in self.values()],
            )
            for group, members in self.groups().items()
        ]
        whole = Row(
            self.label if not rows else "all",
            len(self.corpus),
            [r.score for r in self.values()],
            [r.interval for r in self.values()],
        )
        return ScoreTable(columns, [*rows, whole])

    def _interval(self, result: MetricResult, members: NDArray[np.int64]) -> tuple[float, float] | None:
        if not self.bootstrap:
            return None
        statistics, images = result.statistics[members], self.corpus.image[members]
        return interval(result.metric, statistics, images, resamples=self.bootstrap, seed=self.seed)

    def groups(self) -> dict[str, NDArray[np.int64]]:
        """Rows of each group, groups in order of first appearance."""
        if self.group_by is None:
            return {}
        rows: dict[str, list[int]] = {}
        for row, value in enumerate(self.corpus.fields[self.group_by]):
            rows.setdefault(str(value), []).append(row)
        return {group: np.array(members) for group, members in rows.items()}

    def table(self, format: str = "plain", scale: float = 1.0) -> str:
        """The table of a paper: plain, rich, markdown, latex, csv or html."""
        return self.score_table().draw(format, scale)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `vericap score --json`. Numbers that do not exist are None."""
        return {**self.summary(), "captions": list(self.caption_rows())}

    def caption_rows(self) -> Iterator[dict[str, Any]]:
        """Image id, caption and scores of each candidate, one after the other."""
        columns = [
            r.captions.tolist() if np.isfinite(r.captions).all() else list(map(finite, r.captions.tolist()))
            for r in self.values()
        ]
        keys = list(self)
        for image_id, caption, *row in zip(self.corpus.image_ids, self.corpus.candidates, *columns, strict=True):
            yield {"image_id": image_id, "caption": caption, "scores": dict(zip(keys, row, strict=True))}

    def summary(self) -> dict[str, Any]:
        """All but the captions."""
        data: dict[str, Any] = {
            "vericap": __version__,
            "metrics": {
                key: {
                    "score": finite(r.score),
                    "interval": list(r.interval) if r.interval else None,
                    "signature": r.signature,
                    "range": list(r.metric.range),
                    **({"details": details} if (details := r.metric.details(r.statistics)) else {}),
                }
                for key, r in self.items()
            },
            "notes": list(self.notes),
        }
        if self.group_by is not None:
            table = self.score_table()
            data["groups"] = {
                row.label: {
                    "captions": row.captions,
                    "scores": dict(zip(self, map(finite, row.scores), strict=True)),
                    **({"intervals": dict(zip(self, row.intervals, strict=True))} if self.bootstrap else {}),
                }
                for row in table.rows[:-1]
            }
        return data


def evaluate(
    candidates: Any,
    references: Any = None,
    *,
    objects: Any = None,
    confidence: float | Sequence[float] = CONFIDENCE,
    regions: Any = None,
    images: str | Path | None = None,
    detector: str | Detector | None = None,
    metrics: str | Iterable[str | Metric] = "default",
    tokenizer: str = "ptb",
    language: str = "en",
    df: str | Path | DocumentFrequencies = "corpus",
    missing: Missing = "error",
    repeated: Repeated = "error",
    workers: int = 1,
    bootstrap: int = 0,
    seed: int = 0,
    group_by: str | None = None,
    label: str = "captions",
    progress: Progress | None = None,
) -> Result:
    """Scores captions with every metric asked for.

    `candidates` is {id: caption}, [{"image_id", "caption"}], a list of captions or a path; `references` is
    {id: [caption]}, a COCO annotations dict, a list of lists aligned by position or a path. `objects` is
    {id: [label]}, COCO instances, a detector's output, a path or a list of paths; what a detector found with less
    than `confidence` does not count. `regions` is a path of region features or a `vericap.vision.regions.Regions`;
    `images` is a folder of pictures in which `detector` (a plug-in's name) finds objects and regions. `progress` is
    told what is about to be done, how many steps are behind, and of how many.

    >>> result = evaluate({1: "A dog runs.", 2: "a cat"}, {1: ["a dog runs"], 2: ["the cat", "a red cat"]},
    ...                   metrics="bleu-1,rouge-l")
    >>> result["bleu-1"].score, result["bleu-1"].captions.round(3).tolist()
    (0.99999999..., [1.0, 1.0])
    """
    tell = progress or (lambda what, done, steps: None)
    tell("reading", 0, 1)
    corpus = load(
        candidates,
        references,
        missing=missing,
        repeated=repeated,
        fields=[group_by] if group_by is not None else [],
    )
    corpus = add_pictures(corpus, objects, regions, images, detector, confidence=confidence, missing=missing)
    views = Views(
        corpus,
        tokenizer=tokenizer,
        language=language,
        frequencies=frequencies_of(df, tokenizer, language),
        workers=workers,
    )
    chosen, left_out = choose(metrics, views)
    results = {}
    for done, metric in enumerate(chosen, 1):
        tell(metric.key, done, len(chosen) + 1)
        # Under the metric itself, where a combination finds what its parts have computed.
        statistics = views.get(Statistics(metric))
        results[metric.key] = MetricResult(
            metric,
            metric.aggregate(statistics),
            metric.score(statistics),
            metric.signature(views),
            statistics,
            interval(metric, statistics, corpus.image, resamples=bootstrap, seed=seed) if bootstrap else None,
        )
    undefined = tuple(
        f"{key} is undefined for {missing_scores:,} of {len(corpus):,} captions, which its mean leaves out"
        for key, result in results.items()
        if (missing_scores := int(np.isnan(result.captions).sum()))
    )
    notes = (*corpus.notes, *views.notes, *left_out, *undefined)
    return Result(corpus, results, notes, group_by, label, bootstrap, seed)


def explain(
    candidates: Any,
    references: Any = None,
    *,
    image_id: int | str,
    objects: Any = None,
    confidence: float | Sequence[float] = CONFIDENCE,
    regions: Any = None,
    images: str | Path | None = None,
    detector: str | Detector | None = None,
    metrics: str | Iterable[str | Metric] = "default",
    tokenizer: str = "ptb",
    language: str = "en",
    df: str | Path | DocumentFrequencies = "corpus",
    repeated: Repeated = "error",
) -> list[Explanation]:
    """Why the caption of one image has its scores, a metric at a time.

    >>> [why] = explain({1: "a dog"}, {1: ["the dog"]}, image_id=1, metrics="rouge-l")
    >>> why.values["reference 1"]
    'dog  [1 of 2, of 2]'
    """
    corpus = load(candidates, references, missing="zero", repeated=repeated)
    rows = [row for row, given in enumerate(corpus.image_ids) if str(given) == str(image_id)]
    if not rows:
        some = ", ".join(map(str, list(corpus.image_ids)[:3]))
        raise InputError(f"no candidate has image id {image_id}", field="image_id", fix=f"ids look like {some}")
    corpus = add_pictures(
        corpus, objects, regions, images, detector, confidence=confidence, missing="zero", look_at=rows[:1]
    )
    views = Views(corpus, tokenizer=tokenizer, language=language, frequencies=frequencies_of(df, tokenizer, language))
    chosen, _ = choose(metrics, views)
    return [metric.explain(views, row) for row in rows for metric in chosen]


def choose(
    metrics: str | Iterable[str | Metric], views: Views, *, lenient: bool = False
) -> tuple[list[Metric], tuple[str, ...]]:
    """The metrics asked for. What a metric asked for by name lacks is an error before any work starts; of the sets
    `default` and `all` (of any metric, if `lenient`), those whose needs are not met are left out, and the notes say
    which and why."""
    chosen: list[Metric] = []
    notes: list[str] = []
    without: dict[str, list[str]] = {}
    for asked_for, by_name in asked(metrics):
        metric = asked_for.in_language(views.language)
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
    notes = [
        f"no {need} were given, so these were left out: {', '.join(keys)}; add --{need} FILE ({need}=… in Python)"
        for need, keys in without.items()
    ] + notes
    if not chosen:
        if not notes:
            raise InputError("no metric was asked for", field="metrics", fix="name one, or leave it to default")
        raise InputError(
            f"no metric of {metrics!r} can be computed: {'; '.join(notes)}",
            field="metrics",
            fix="or ask for others: `vericap metrics` says what each needs, and fluency needs captions alone",
        )
    return chosen, tuple(notes)


def frequencies_of(df: str | Path | DocumentFrequencies, tokenizer: str, language: str) -> DocumentFrequencies | None:
    """The table that `df` names; None where the corpus's own references are counted."""
    if df == "corpus":
        return None
    from vericap.lexicon.frequencies import resolve

    return resolve(df, tokenizer, language)


def finite(number: float) -> float | None:
    """The number as JSON has it: None where it does not exist."""
    return number if math.isfinite(number) else None
