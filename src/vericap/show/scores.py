"""The scores of one captioner, or of several, as the table of a paper."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import Any, Protocol

from vericap.results.comparison import Comparison
from vericap.results.curve import Curve
from vericap.results.scores import Result
from vericap.results.verdict import Verdict
from vericap.show.curve import CurveTable
from vericap.show.tables import Column, Row, ScoreTable
from vericap.show.verdict import VerdictTable
from vericap.stats.significance import letters, marks


class Table(Protocol):
    """A table that can be drawn for any medium."""

    def draw(self, format: str = "plain", scale: float = 1.0) -> str: ...


@singledispatch
def table_of(result: Any) -> Table:
    """The table of a result."""
    raise TypeError(f"{type(result).__name__} has no table")


table_of.register(Verdict, VerdictTable)
table_of.register(Curve, CurveTable)


@table_of.register
def score_table(result: Result) -> ScoreTable:
    """One row for the whole corpus, before it one for each group."""
    columns = [Column(key, each.higher_is_better) for key, each in result.items()]
    rows = [
        Row(label, group.captions, [group.scores[key] for key in result], [group.intervals.get(key) for key in result])
        for label, group in result.groups.items()
    ]
    whole = Row(
        "all" if rows else result.label,
        len(result.corpus),
        [each.score for each in result.values()],
        [each.interval for each in result.values()],
    )
    return ScoreTable(columns, [*rows, whole])


@table_of.register
def comparison_table(comparison: Comparison) -> ScoreTable:
    """One row per captioner; superscripts name the rows it beats significantly."""
    whole = [score_table(result) for result in comparison.values()]
    superscripts = [[marks(rows) for rows in comparison.beats(key)] for key in comparison.contrasts]
    rows = [
        replace(table.rows[-1], label=f"{letters(i)} {name}", marks=[column[i] for column in superscripts])
        for i, (name, table) in enumerate(zip(comparison, whole, strict=True))
    ]
    return ScoreTable(whole[0].columns, rows)
