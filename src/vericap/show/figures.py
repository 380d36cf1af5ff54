"""Curves as static figures, drawn by matplotlib (the extra `figures`)."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError

# Okabe and Ito's colours, which people with any colour vision tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F")


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
    """Lines over points, with a band of ± `spread` and, of the same colour, dashed lines to compare with.

    >>> picture = draw_lines("accuracy", "references", "accuracy", [1, 2], {"bleu-4": np.array([0.5, 0.6])})
    >>> b"<svg" in picture
    True
    """
    if format not in ("svg", "png"):
        raise InputError(f"no figure format is called {format!r}", fix="use png or svg")
    figure, axes = _figure()
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
    out = io.BytesIO()
    figure.savefig(
        out, format=format, bbox_inches="tight", dpi=150, metadata={"Date": None} if format == "svg" else None
    )
    return out.getvalue()


def _figure() -> tuple[Any, Any]:
    try:
        import matplotlib
    except ImportError:
        raise InputError("figures need matplotlib", fix="pip install 'vericap[figures]'") from None
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "vericap"  # the same curve gives the same bytes
    figure = Figure(figsize=(7, 4))
    return figure, figure.subplots()
