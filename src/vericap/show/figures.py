"""Curves and heat maps as static figures, drawn by matplotlib (the extra `figures`)."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.results.explanation import Matrix

# Okabe and Ito's colours, which people with any colour vision tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F")
_DIVERGING = "PuOr_r"  # purple below 0, white at 0, orange above: safe for colour-blind people
_LARGEST = 300.0  # inches; with 110 dots each, half of what matplotlib can draw


def draw_lines(
    title: str,
    across: str,
    up: str,
    points: Sequence[float],
    values: Mapping[str, NDArray[np.float64]],
    spread: Mapping[str, NDArray[np.float64]] | None = None,
    dashed: Mapping[str, NDArray[np.float64]] | None = None,
    format: str = "svg",
) -> bytes:
    """Return lines over points, with a band of ± `spread` and, of the same colour, dashed lines to compare with.

    >>> picture = draw_lines("accuracy", "references", "accuracy", [1, 2], {"bleu-4": np.array([0.5, 0.6])})
    >>> b"<svg" in picture
    True
    """
    if format not in ("svg", "png"):
        raise InputError(f"no figure format is called {format!r}", fix="use png or svg")
    matplotlib = with_figures()
    matplotlib.rcParams["svg.hashsalt"] = "vericap"  # the same curve gives the same bytes
    figure = matplotlib.figure.Figure((7, 4))
    axes = figure.subplots()
    for k, (key, line) in enumerate(values.items()):
        colour = COLOURS[k % len(COLOURS)]
        axes.plot(
            points, line, color=colour, label=key, linewidth=1.8, marker="o" if len(points) < 20 else "", markersize=3
        )
        band = (spread or {}).get(key)
        if band is not None:
            axes.fill_between(points, line - band, line + band, color=colour, alpha=0.12, linewidth=0)
        other = (dashed or {}).get(key)
        if other is not None:
            axes.plot(points, other, color=colour, linestyle="--", linewidth=1.0, label=f"{key}, published")
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", linewidth=0.5, alpha=0.4)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return saved(figure, format, 150, bbox_inches="tight")


def draw_heat_maps(maps: Sequence[tuple[str, Matrix, float]]) -> bytes:
    """Return a PNG with one heat map below the other (FAIEr's Figure 6): each has a title, a matrix, and the number at
    which its colours end. The same input gives the same bytes."""
    if not maps:
        raise InputError(
            "none of these metrics has a matrix to draw",
            field="metrics",
            fix="ask for one that looks at regions: faier",
        )
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
    figure = with_figures().figure.Figure(size, layout="constrained")
    axes = figure.subplots(len(maps), squeeze=False, height_ratios=heights)[:, 0]
    for axis, (name, matrix, end) in zip(axes, maps, strict=True):
        image = axis.imshow(matrix.values, cmap=_DIVERGING, vmin=-end, vmax=end, aspect="auto")
        axis.set_title(plain(name), fontsize=9, loc="left")
        axis.set_xticks(
            range(len(matrix.columns)), list(map(plain, matrix.columns)), fontsize=7, rotation=30, ha="right"
        )
        axis.set_yticks(range(len(matrix.rows)), list(map(plain, matrix.rows)), fontsize=7)
        figure.colorbar(image, ax=axis, pad=0.01)
    return saved(figure, "png", 110)


def saved(figure: Any, format: str, dots: int, **options: Any) -> bytes:
    """Return a figure as a file, without the time and the writer's version in it: the bytes depend on the picture
    alone."""
    out = io.BytesIO()
    metadata = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {"Software": None}}[format]
    figure.savefig(out, format=format, dpi=dots, metadata=metadata, **options)
    return out.getvalue()


def with_figures() -> Any:
    """Return matplotlib, whose figures are imported."""
    try:
        import matplotlib.figure
    except ImportError:
        raise InputError("figures need matplotlib", fix="pip install 'vericap[figures]'") from None
    return matplotlib


def plain(text: str) -> str:
    """Return text that matplotlib does not take for a formula."""
    return text.replace("$", r"\$")
