"""The last layer: every result drawn for people, one renderer for each result and medium."""

from __future__ import annotations

from typing import Any

__all__ = ["draw_contrasts", "draw_page", "draw_table"]


def draw_table(result: Any, format: str = "plain", scale: float = 1.0) -> str:
    """The table of a result: rich, plain, markdown, latex, csv or html."""
    from vericap.show.scores import table_of

    return table_of(result).draw(format, scale)


def draw_contrasts(comparison: Any, format: str = "plain", scale: float = 1.0) -> str:
    """The contrasts of a comparison, one row for each two captioners and metric."""
    from vericap.show.contrasts import contrast_grid

    return contrast_grid(comparison.contrasts, scale).draw(format)


def draw_page(result: Any, scale: float = 1.0) -> str:
    """A result as an HTML page that needs nothing else."""
    from vericap.show.pages import page_of

    return page_of(result, scale)
