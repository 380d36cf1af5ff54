"""What a stream gives beside its rows: the corpus scores, how many rows there were, and where they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vericap.results.by_metric import ByMetric
from vericap.results.drawable import Drawable
from vericap.results.numbers import finite
from vericap.results.versions import versions


@dataclass(frozen=True)
class StreamedMetric:
    """The corpus score of one metric over a stream."""

    key: str
    score: float
    signature: str
    range: tuple[float | None, float | None] = (0.0, 1.0)
    higher_is_better: bool = True


@dataclass(frozen=True, eq=False)
class StreamResult(ByMetric[StreamedMetric], Drawable):
    """Corpus scores by key. `rows` were scored, `bad_rows` set apart; `output` and `bad_rows_file` are where they are.

    `seconds` is how long all workers together took for reading, for each metric and for the results.
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
        """The JSON of `vericap score --stream --json`. The rows are in `output`, not here."""
        return {
            **versions(),
            "metrics": {
                key: {
                    "score": finite(each.score),
                    "interval": None,
                    "signature": each.signature,
                    "range": list(each.range),
                    "higher_is_better": each.higher_is_better,
                }
                for key, each in self.items()
            },
            "rows": self.rows,
            "bad_rows": self.bad_rows,
            "output": self.output,
            "bad_rows_file": self.bad_rows_file,
            "notes": list(self.notes),
        }
