"""The scores of one captioner as a page and in a notebook."""

from __future__ import annotations

from vericap.options.page import PageOptions
from vericap.results.scores import Result
from vericap.show.media import as_fragment, as_page, as_table
from vericap.show.page import details
from vericap.show.report.document import document
from vericap.show.report.score_report import score_report


@as_page.register
def _(result: Result, scale: float = 1.0, options: PageOptions | None = None) -> str:
    return document(
        score_report(result, scale, options), _still(result, scale), str((options and options.images) or "")
    )


@as_fragment.register
def _(result: Result) -> str:
    return _still(result)


def _still(result: Result, scale: float = 1.0) -> str:
    """The table, and below it notes and signatures to unfold."""
    lines = [*result.notes, *(each.signature for each in result.values())]
    return as_table(result, "html", scale) + details("Notes and signatures", lines)
