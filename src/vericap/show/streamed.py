"""The corpus scores of a stream: the table of a paper, and what there is to know about its rows."""

from __future__ import annotations

from vericap.options.page import PageOptions
from vericap.results.streamed import StreamResult
from vericap.show.media import as_page, as_table, note_lines, remarks, scale_lines
from vericap.show.page import bullets, page
from vericap.show.score_table import Column, Row, ScoreTable
from vericap.show.signatures import signature_lines


@as_table.register
def _(result: StreamResult, format: str = "plain", scale: float = 1.0) -> str:
    columns = [Column(key, each.higher_is_better) for key, each in result.items()]
    scores = [each.score for each in result.values()]
    return ScoreTable(columns, [Row(result.label, result.rows, scores, [None] * len(scores))]).draw(format, scale)


@remarks.register
def _(result: StreamResult, scale: float = 1.0, signatures: bool = False) -> list[str]:
    bad = [f"bad rows: {result.bad_rows_file}"] if result.bad_rows_file else []
    lines = signature_lines([each.signature for each in result.values()], each=signatures)
    return [*scale_lines(scale), *note_lines(result.notes), *bad, *lines]


@as_page.register
def _(result: StreamResult, scale: float = 1.0, options: PageOptions | None = None) -> str:
    signatures = [each.signature for each in result.values()]
    return page(result.label, [as_table(result, "html", scale), bullets([*result.notes, *signatures])])
