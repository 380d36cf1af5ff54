"""The matrices of explanations as a PNG of heat maps (FAIEr's Figure 6), drawn by matplotlib."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from vericap.errors import InputError
from vericap.results.explanation import Explanation
from vericap.show.report.explained import reaches

_COLOURS = "PuOr_r"  # purple below 0, white at 0, orange above: safe for colour-blind people
_LARGEST = 300.0  # inches; with 110 dots each, half of what matplotlib can draw


def heat_maps(explanations: Sequence[Explanation]) -> bytes:
    """A PNG with one heat map below the other; the same input gives the same bytes."""
    reach = reaches(explanations)
    maps = [
        (f"{explanation.metric}: {name}", matrix, reach[explanation.metric, matrix.hue] or 1.0)
        for explanation in explanations
        for name, matrix in explanation.matrices.items()
        if matrix.values.size
    ]
    if not maps:
        raise InputError(
            "none of these metrics has a matrix to draw",
            field="metrics",
            fix="ask for one that looks at regions: faier",
        )
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("pictures are drawn by matplotlib", fix="pip install 'vericap[figures]'") from None
    heights = [0.9 + 0.28 * len(matrix.rows) for _, matrix, _ in maps]
    widest = max(len(matrix.columns) for _, matrix, _ in maps)
    size = (3 + 0.6 * widest, sum(heights))
    if max(size) > _LARGEST:
        rows = sum(len(matrix.rows) for _, matrix, _ in maps)
        raise InputError(
            f"heat maps of {widest:,} words and {rows:,} rows are too large to draw",
            field="png",
            fix="use --html or --json, or ask for one metric",
        )
    figure: Any = Figure(size, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(maps), squeeze=False, height_ratios=heights)[:, 0]
    for axis, (name, matrix, end) in zip(axes, maps, strict=True):
        image = axis.imshow(matrix.values, cmap=_COLOURS, vmin=-end, vmax=end, aspect="auto")
        axis.set_title(_plain(name), fontsize=9, loc="left")
        axis.set_xticks(
            range(len(matrix.columns)), list(map(_plain, matrix.columns)), fontsize=7, rotation=30, ha="right"
        )
        axis.set_yticks(range(len(matrix.rows)), list(map(_plain, matrix.rows)), fontsize=7)
        figure.colorbar(image, ax=axis, pad=0.01)
    buffer = io.BytesIO()
    # Without the writer's version in it, so that the bytes depend on the picture alone.
    figure.savefig(buffer, format="png", dpi=110, metadata={"Software": None})
    return buffer.getvalue()


def _plain(text: str) -> str:
    """Text that matplotlib does not take for a formula."""
    return text.replace("$", r"\$")
