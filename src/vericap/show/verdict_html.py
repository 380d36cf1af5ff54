"""A verdict as a page and in a notebook."""

from __future__ import annotations

from vericap.options.page import PageOptions
from vericap.results.verdict import Verdict
from vericap.show.media import as_fragment, as_page
from vericap.show.page import bullets, paragraph
from vericap.show.report.document import document
from vericap.show.report.judge_report import judge_report
from vericap.show.verdict import contrast_grid, published_grid, sentences, verdict_grid


@as_page.register
def _(verdict: Verdict, scale: float = 100.0, options: PageOptions | None = None) -> str:
    return document(judge_report(verdict, scale), _still(verdict, scale))


@as_fragment.register
def _(verdict: Verdict) -> str:
    return _still(verdict)


def _still(verdict: Verdict, scale: float = 100.0) -> str:
    """The tables and the sentences."""
    parts = [paragraph(f"{verdict.what}."), verdict_grid(verdict, scale).draw("html")]
    if verdict.contrasts:
        parts.append(contrast_grid(verdict, scale).draw("html"))
    if verdict.published:
        parts.append(published_grid(verdict).draw("html"))
    return "\n".join([*parts, bullets(sentences(verdict))])
