"""The result of `judge`: how well each metric agrees with people, with intervals, tests, and what papers published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vericap.corpus import ImageId
from vericap.results.curve import Curve
from vericap.results.drawable import Drawable, show
from vericap.results.plain import fields, finite, plain, versions
from vericap.stats.resampling import Estimate


@dataclass(frozen=True)
class PublishedValue:
    """A value that a paper prints, next to ours: `measure` of `metric`, in `where` of `paper`, in the paper's unit.

    `note` says what the paper did differently, if that is known to change the value.
    """

    metric: str
    measure: str
    published: float
    ours: float
    paper: str
    where: str
    note: str = ""

    @property
    def difference(self) -> float:
        return self.ours - self.published

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            **fields(self, "measure", "published", "ours", "difference", "paper", "where"),
            **({"note": self.note} if self.note else {}),
        }


@dataclass(frozen=True)
class MetricContrast:
    """Two metrics in the measure that the protocol tests by.

    A positive `difference` means that `metric` agrees more closely with people than `against`: the sign of a
    correlation is changed if lower scores of the metric are better. `corrected` is p after Holm's correction;
    `bound` says that both are the lowest that the resamples can give, so that the true ones may be lower.
    """

    metric: str
    against: str
    difference: float
    interval: tuple[float, float] | None
    p: float
    corrected: float
    bound: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return fields(self, "metric", "against", "difference", "interval", "p", "corrected", "bound")


@dataclass(frozen=True, eq=False)
class MetricRow:
    """The agreement of one metric with people.

    `estimates` by measure: kendall_b, accuracy.HC, M1.pearson, …; `deviation` is their standard deviation over draws of
    references, `wilson` the Wilson interval of an accuracy, `ties` the share of pairs to which the metric gives equal
    scores, `beats` the places of the rows that it is significantly better than.
    """

    metric: str
    estimates: Mapping[str, Estimate]
    deviation: Mapping[str, float] = field(default_factory=dict)
    wilson: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    ties: float = float("nan")
    seconds: float = 0.0
    signature: str = ""
    higher_is_better: bool = True
    beats: Sequence[int] = ()

    def value(self, measure: str) -> float:
        """Return the value of a measure; NaN if the benchmark does not have it."""
        found = self.estimates.get(measure)
        return float("nan") if found is None else found.value

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; a measure with a dot in its name is nested."""
        row: dict[str, Any] = {"metric": self.metric}
        for name, estimate in self.estimates.items():
            outer, dot, inner = name.partition(".")
            (row.setdefault(outer, {}) if dot else row)[inner if dot else name] = finite(estimate.value)
        row["interval"] = {n: plain(e.interval) for n, e in self.estimates.items() if e.interval is not None}
        if self.wilson:
            row["wilson"] = {name: list(interval) for name, interval in self.wilson.items()}
        if self.deviation:
            row["deviation"] = dict(self.deviation)
        row |= {"ties": finite(self.ties), "seconds": round(self.seconds, 3), "signature": self.signature}
        return row


@dataclass(frozen=True)
class Disagreement:
    """A caption that a metric places far from where people do. `human` is the mean rating and `score` the metric's; the
    places are among all captions, from 0 (worst) to 1 (best). Of two captions, `caption` is what people chose and
    `other` what the metric did."""

    metric: str
    image_id: ImageId
    caption: str
    references: Sequence[str]
    score: float
    human: float = float("nan")
    human_place: float = float("nan")
    metric_place: float = float("nan")
    other: str | None = None
    other_score: float = float("nan")


@dataclass(frozen=True, eq=False)
class Verdict(Mapping[str, MetricRow], Drawable):
    """The agreement of metrics with the people of a benchmark, by metric.

    `n` is the number of judgements (of systems, at their level), `measure` what the protocol tests by, `ceiling` how
    well people agree with each other, `choices` every choice of the protocol, and `protocol_line` the same in words;
    `contrasts` are the tests of every two metrics, or of each against a baseline; `disagreements` are the captions that
    each metric places furthest from where people do, and `curves` what a page shows with them.
    """

    benchmark: str
    what: str
    citation: str
    protocol: str
    protocol_line: str
    choices: Mapping[str, Any]
    n: int
    rows: Sequence[MetricRow]
    measure: str
    bootstrap: int = 0
    ceiling: Mapping[str, float] = field(default_factory=dict)
    published: Sequence[PublishedValue] = ()
    notes: Sequence[str] = ()
    contrasts: Sequence[MetricContrast] = ()
    test: str = "studentised"
    disagreements: Sequence[Disagreement] = ()
    curves: Sequence[Curve] = ()

    def __getitem__(self, metric: str) -> MetricRow:
        return {row.metric: row for row in reversed(self.rows)}[metric]

    def __iter__(self) -> Iterator[str]:
        return (row.metric for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Verdict of {self.benchmark}, {self.protocol}: {len(self.rows)} metrics, n = {self.n:,}>"

    def measures(self) -> list[str]:
        """Return the names of all measures, in the order of the table."""
        return list(dict.fromkeys(name for row in self.rows for name in row.estimates))

    def table(self, format: str = "plain", scale: float = 100.0) -> str:
        """Return one row per metric, one column per measure, × `scale`: plain, rich, markdown, latex, csv or html."""
        return super().table(format, scale)

    def contrast_table(self, format: str = "plain", scale: float = 100.0) -> str:
        """Return one row per test of two metrics: difference, interval and p."""
        return str(show().contrast_table(self, format, scale))

    def to_html(self, path: Any = None, scale: float = 100.0, **options: Any) -> str:
        """Return a self-contained page; written to `path` if given."""
        return super().to_html(path, scale, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON of `vericap judge --json`. Numbers that do not exist are None."""
        rows = []
        for row in self.rows:
            beside = [each.to_dict() for each in self.published if each.metric == row.metric]
            beats = [self.rows[k].metric for k in row.beats]
            rows.append({**row.to_dict(), "beats": beats, "published": beside})
        return {
            **versions(),
            **fields(self, "benchmark", "protocol", "choices", "n", "measure", "bootstrap"),
            "rows": rows,
            "test": {"name": self.test, "correction": "holm, over all contrasts"},
            "contrasts": [each.to_dict() for each in self.contrasts],
            **({"ceiling": dict(self.ceiling)} if self.ceiling else {}),
            "notes": list(self.notes),
            "citation": self.citation,
        }
