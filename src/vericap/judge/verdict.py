"""What judging gives: a row a metric, with intervals, tests and what papers published beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vericap.judge.judgements import Benchmark
from vericap.judge.protocols import Protocol
from vericap.stats.resampling import Estimate
from vericap.version import __version__


@dataclass(frozen=True)
class Comparison:
    """A published value beside ours: `measure` of `metric`, in `where` of `paper`."""

    metric: str
    measure: str
    published: float
    ours: float
    paper: str
    where: str

    @property
    def difference(self) -> float:
        return self.ours - self.published

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "measure": self.measure,
            "published": self.published,
            "ours": _finite(self.ours),
            "difference": _finite(self.difference),
            "paper": self.paper,
            "where": self.where,
        }


@dataclass(frozen=True, eq=False)
class MetricRow:
    """How one metric agrees with people. `estimates` by measure: kendall_b, accuracy.HC, M1.pearson, …; `deviation`
    is their standard deviation over draws of references, `wilson` Wilson's interval of an accuracy, `ties` the share
    of pairs to which the metric gives equal scores, `beats` the rows it is significantly better than."""

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
        """A figure by its name; NaN where the benchmark has none."""
        found = self.estimates.get(measure)
        return float("nan") if found is None else found.value

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; a measure with a dot in its name is nested."""
        row: dict[str, Any] = {"metric": self.metric}
        for name, estimate in self.estimates.items():
            _nest(row, name, _finite(estimate.value))
        row["interval"] = {n: list(e.interval) for n, e in self.estimates.items() if e.interval is not None}
        if self.wilson:
            row["wilson"] = {name: list(interval) for name, interval in self.wilson.items()}
        if self.deviation:
            row["deviation"] = dict(self.deviation)
        row |= {"ties": _finite(self.ties), "seconds": round(self.seconds, 3), "signature": self.signature}
        return row


@dataclass(frozen=True, eq=False)
class Verdict:
    """The agreement of metrics with the people of a benchmark."""

    benchmark: Benchmark
    protocol: Protocol
    n: int
    rows: Sequence[MetricRow]
    measure: str
    bootstrap: int = 0
    ceiling: Mapping[str, float] = field(default_factory=dict)
    published: Sequence[Comparison] = ()
    notes: Sequence[str] = ()

    def __getitem__(self, metric: str) -> MetricRow:
        return next(row for row in self.rows if row.metric == metric)

    def measures(self) -> list[str]:
        """The names of all figures, in the order of the table."""
        return list(dict.fromkeys(name for row in self.rows for name in row.estimates))

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `vericap judge --json`."""
        rows = []
        for row in self.rows:
            beside = [each.to_dict() for each in self.published if each.metric == row.metric]
            beats = [self.rows[k].metric for k in row.beats]
            rows.append({**row.to_dict(), "beats": beats, "published": beside})
        return {
            "vericap": __version__,
            "benchmark": self.benchmark.name,
            "protocol": self.protocol.name,
            "choices": self.protocol.choices(),
            "n": self.n,
            "measure": self.measure,
            "bootstrap": self.bootstrap,
            "rows": rows,
            **({"ceiling": dict(self.ceiling)} if self.ceiling else {}),
            "notes": list(self.notes),
            "citation": self.benchmark.citation,
        }


def _nest(row: dict[str, Any], name: str, value: float | None) -> None:
    outer, dot, inner = name.partition(".")
    if dot:
        row.setdefault(outer, {})[inner] = value
    else:
        row[name] = value


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
