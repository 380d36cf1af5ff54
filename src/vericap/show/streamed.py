"""The corpus scores of a stream: the table of a paper, and what there is to know about its rows."""

from __future__ import annotations

from vericap.options.page import PageOptions
from vericap.results.scores import StreamResult
from vericap.show import note_lines
from vericap.show.numbers import signature_lines
from vericap.show.page import bullets, page
from vericap.show.score_table import Column, Row, ScoreTable


def as_table(result: StreamResult, format: str = "plain", scale: float = 1.0) -> str:
    """Return one row of corpus scores."""
    columns = [Column(key, each.higher_is_better) for key, each in result.items()]
    scores = [each.score for each in result.values()]
    return ScoreTable(columns, [Row(result.label, result.rows, scores, [None] * len(scores))]).draw(format, scale)


def remarks(result: StreamResult, scale: float = 1.0, signatures: bool = False) -> list[str]:
    """Return the scale, the notes, the file of bad rows and the signatures."""
    bad = [f"bad rows: {result.bad_rows_file}"] if result.bad_rows_file else []
    lines = signature_lines([each.signature for each in result.values()], each=signatures)
    return [*note_lines(result.notes, scale), *bad, *lines]


def as_page(result: StreamResult, scale: float = 1.0, options: PageOptions | None = None) -> str:
    """Return the table, the notes and the signatures as a page."""
    signatures = [each.signature for each in result.values()]
    return page(result.label, [as_table(result, "html", scale), bullets([*result.notes, *signatures])])
