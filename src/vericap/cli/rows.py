"""Options of `vericap score` on single captions: rows to a file, a condition on them, the worst and the best."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from vericap.errors import InputError
from vericap.options.declared import Between, check_fields
from vericap.written import check_writable

if TYPE_CHECKING:
    from vericap.results.score_rows import ScoreRows
    from vericap.results.scores import Result

_LISTED = 10  # captions, where --sort names a metric and nothing says how many


@dataclass(frozen=True)
class Rows:
    """What is written and printed for each caption."""

    output: Path | None = field(
        default=None,
        metadata={"help": "Write all columns of the captions, and their scores: .parquet, .jsonl, .csv or .tsv."},
    )
    filter: str | None = field(
        default=None,
        metadata={"help": "Rows to write to --output, as in 'vifidel > .4 and fluency > .01'."},
    )
    worst: Annotated[int, Between(0, 1_000_000)] = field(
        default=0, metadata={"help": "Print this many of the worst captions, with references and scores."}
    )
    best: Annotated[int, Between(0, 1_000_000)] = field(
        default=0, metadata={"help": "Print this many of the best captions, with references and scores."}
    )
    sort: str | None = field(
        default=None, metadata={"help": "Metric that says which captions are worst or best; the first without it."}
    )

    def __post_init__(self) -> None:
        check_fields(self, "a list of captions")

    def check(self, metrics: str) -> None:
        """Raises an error, before any work, where the options cannot be followed."""
        if self.filter is not None:
            from vericap.options.row_filter import check_condition

            check_condition(self.filter)
            if self.output is None:
                raise InputError("there is no file for the rows that pass", field="filter", fix="add --output FILE")
        if self.output is not None:
            from vericap.show.row_files import kind_of

            kind_of(self.output)
            check_writable(self.output, "output")
        if self.sort is not None:
            from vericap.metrics import parse_list

            self._key([metric.key for metric in parse_list(metrics)])

    def table(self, result: Result) -> ScoreRows:
        """The rows that are written."""
        from vericap.results.score_rows import score_rows

        rows = score_rows(result)
        return rows if self.filter is None else rows.keep(self.filter, metric_key)

    def lists(self, result: Result, scale: float) -> list[str]:
        """The worst and the best captions, as text."""
        if not (self.worst or self.best or self.sort):
            return []
        from vericap.results.score_rows import ordered_rows
        from vericap.show.scores import caption_list

        key = self._key(list(result))
        wanted = {"Worst": self.worst, "Best": self.best}
        if not (self.worst or self.best):
            wanted["Worst"] = _LISTED
        found = []
        for name, count in wanted.items():
            rows = ordered_rows(result, key, best=name == "Best")[:count]
            if rows:
                found.append(caption_list(result, rows, f"{name} {len(rows)} by {key}", scale))
        return found

    def _key(self, keys: list[str]) -> str:
        if self.sort is None:
            return keys[0]
        key = self.sort if self.sort in keys else metric_key(self.sort)
        if key not in keys:
            raise InputError(
                f"{self.sort} is not computed", field="sort", fix=f"use one of {', '.join(keys)}, or add it to -m"
            )
        return key


def metric_key(name: str) -> str:
    """The key of a metric that is spelled otherwise, as in `CIDEr-D`; what is not a metric stays as it is."""
    from vericap.metrics import parse

    try:
        return parse(name).key
    except InputError:
        return name
