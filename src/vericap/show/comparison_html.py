"""Captioners side by side as a page and in a notebook."""

from __future__ import annotations

from vericap.options.page import PageOptions
from vericap.results.comparison import Comparison
from vericap.show.comparison import contrast_grid, examples_grid, legend
from vericap.show.contrast_sentences import opposite_signs
from vericap.show.media import as_fragment, as_page, as_table
from vericap.show.page import details, paragraph
from vericap.show.report.claims import better_first, claims, unsupported
from vericap.show.report.compare_report import compare_report
from vericap.show.report.document import document


@as_page.register
def _(comparison: Comparison, scale: float = 1.0, options: PageOptions | None = None) -> str:
    images = str((options and options.images) or "")
    comparison = better_first(comparison)
    return document(compare_report(comparison, scale, options), _still(comparison, scale), images)


@as_fragment.register
def _(comparison: Comparison) -> str:
    return _still(better_first(comparison))


def _still(comparison: Comparison, scale: float = 1.0) -> str:
    """The claims, the scores and the contrasts."""
    signatures = [each.signature for each in next(iter(comparison.values())).values()]
    return "\n".join(
        [
            *map(paragraph, claims(comparison, scale)),
            as_table(comparison, "html", scale),
            paragraph(legend(comparison)),
            contrast_grid(comparison, scale).draw("html"),
            *([examples_grid(comparison).draw("html")] if comparison.examples else []),
            details("What the data do not show", unsupported(comparison, scale)),
            details("Notes and signatures", [*comparison.notes, *opposite_signs(comparison), *signatures]),
        ]
    )
