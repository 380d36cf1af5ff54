"""The results of `evaluate` and of a stream: the scores of one captioner, by metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

import numpy as np

from vericap.arrays import Floats
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.results.drawable import Drawable
from vericap.results.plain import ByName, fields, versions

if TYPE_CHECKING:
    from vericap.results.explanation import Explanation

Interval: TypeAlias = tuple[float, float]
# From a corpus and some of its rows to what each metric says about each row.
Explainer: TypeAlias = Callable[[Corpus, Sequence[int]], "Mapping[int, Sequence[Explanation]]"]


Found = TypeVar("Found", bound="MetricResult | StreamedMetric")


class ByMetric(ByName[Found]):
    """Subclasses are dataclasses with a field `results`: one entry per metric, in the order asked for."""

    @property
    def scores(self) -> dict[str, float]:
        """The corpus scores by key, as loggers take them."""
        return {key: each.score for key, each in self.items()}

    def in_short(self, captions: int) -> str:
        """Return what `repr` shows: the number of captions, and each score."""
        scores = ", ".join(f"{key} {score:.4f}" for key, score in self.scores.items())
        return f"<{type(self).__name__} of {captions:,} captions: {scores}>"


@dataclass(frozen=True, eq=False)
class MetricResult:
    """One metric on one corpus: corpus score, score of each caption, and the line that makes it reproducible.

    `details` are further corpus figures, such as precision and recall; `statistics` [captions, k] are what scores are
    made of.
    """

    key: str
    score: float
    captions: Floats
    signature: str
    question: str = "adequacy"
    range: tuple[float | None, float | None] = (0.0, 1.0)
    higher_is_better: bool = True
    interval: Interval | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    statistics: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def __repr__(self) -> str:
        return f"<{self.key}: {self.score:.4f} over {len(self.captions):,} captions>"


@dataclass(frozen=True)
class GroupResult:
    """The corpus scores of the captions of one group, by metric, with intervals where they were asked for."""

    captions: int
    scores: Mapping[str, float]
    intervals: Mapping[str, Interval | None] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Result(ByMetric[MetricResult], Drawable):
    """Metric results by key, in the order asked for; `groups` holds one entry for each value of the grouping field, and
    `explainer` explains the scores of captions on demand."""

    corpus: Corpus
    results: Mapping[str, MetricResult]
    notes: tuple[str, ...] = ()
    label: str = "captions"
    groups: Mapping[str, GroupResult] = field(default_factory=dict)
    explainer: Explainer | None = None

    def __repr__(self) -> str:
        return self.in_short(len(self.corpus))

    def explain_rows(self, rows: Sequence[int]) -> Mapping[int, Sequence[Explanation]]:
        """Return what each metric says about each of these rows; nothing if the result has no explainer."""
        return self.explainer(self.corpus, rows) if self.explainer is not None and len(rows) else {}

    def to_arrow(self) -> Any:
        """Return a pyarrow table with one row per caption: image id, caption, and one column per metric."""
        import pyarrow as pa

        ids = list(self.corpus.image_ids)
        if len({type(image_id) for image_id in ids}) > 1:
            ids = list(map(str, ids))
        columns: dict[str, Any] = {"image_id": ids, "caption": list(self.corpus.candidates)}
        return pa.table({**columns, **{key: each.captions for key, each in self.items()}})

    def to_pandas(self) -> Any:
        """Return a pandas data frame with one row per caption: image id, caption, and one column per metric."""
        try:
            return self.to_arrow().to_pandas()
        except ImportError as error:
            raise InputError("pandas is not installed", fix="pip install pandas, or use to_arrow()") from error

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON of `vericap score --json`. Numbers that do not exist are None."""
        return {**self.summary(), "captions": list(self.caption_rows())}

    def caption_rows(self) -> Iterator[dict[str, Any]]:
        """Yield image id, caption and scores of each candidate."""
        columns = (self.corpus.image_ids, self.corpus.candidates, *self.score_columns())
        for image_id, caption, *scores in zip(*columns, strict=True):
            yield {"image_id": image_id, "caption": caption, "scores": dict(zip(self, scores, strict=True))}

    def score_columns(self) -> list[list[float | None]]:
        """Return the scores of the captions, one column per metric; None where a score does not exist."""
        return [np.where(np.isfinite(each.captions), each.captions, np.array(None)).tolist() for each in self.values()]

    def summary(self) -> dict[str, Any]:
        """Return all but the captions."""
        data: dict[str, Any] = {
            **versions(),
            "metrics": {
                key: {**_metric(each), **({"details": each.details} if each.details else {})}
                for key, each in self.items()
            },
            "notes": list(self.notes),
        }
        if self.groups:
            data["groups"] = {
                label: fields(group, "captions", "scores", *(["intervals"] if group.intervals else []))
                for label, group in self.groups.items()
            }
        return data


@dataclass(frozen=True)
class StreamedMetric:
    """The corpus score of one metric over a stream."""

    key: str
    score: float
    signature: str
    range: tuple[float | None, float | None] = (0.0, 1.0)
    higher_is_better: bool = True
    interval: ClassVar[None] = None


@dataclass(frozen=True, eq=False)
class StreamResult(ByMetric[StreamedMetric], Drawable):
    """Corpus scores by key. `rows` were scored, `bad_rows` set apart; `output` and `bad_rows_file` are their files.

    `seconds` is the time of all workers together for reading, for each metric and for the results.
    """

    results: Mapping[str, StreamedMetric]
    rows: int
    bad_rows: int = 0
    notes: tuple[str, ...] = ()
    label: str = "captions"
    output: str | None = None
    bad_rows_file: str | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        return self.in_short(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON of `vericap score --stream --json`. The rows are in `output`, not here."""
        return {
            **versions(),
            "metrics": {key: _metric(each) for key, each in self.items()},
            **fields(self, "rows", "bad_rows", "output", "bad_rows_file", "notes"),
        }


def _metric(each: MetricResult | StreamedMetric) -> dict[str, Any]:
    return fields(each, "score", "interval", "signature", "range", "higher_is_better")
