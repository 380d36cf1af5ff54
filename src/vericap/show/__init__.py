"""The last layer: every result drawn for people, one renderer for each result and medium."""

from __future__ import annotations

from typing import Any

from vericap.show import (  # each registers how its results are drawn
    contrasts,
    curve,
    explanations,
    pages,
    scores,
    verdict,
)
from vericap.show.media import as_csv, as_file, as_json, as_page, as_picture, as_table, as_text, remarks

__all__ = [
    "as_csv",
    "as_file",
    "as_json",
    "as_page",
    "as_picture",
    "as_table",
    "as_text",
    "contrasts",
    "curve",
    "draw_contrasts",
    "explanations",
    "pages",
    "remarks",
    "scores",
    "verdict",
]


def draw_contrasts(comparison: Any, format: str = "plain", scale: float = 1.0) -> str:
    """The contrasts of a comparison, one row for each two captioners and metric."""
    return contrasts.contrast_grid(comparison.contrasts, scale).draw(format)
