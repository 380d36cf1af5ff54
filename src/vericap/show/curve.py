"""A curve for people: its points as a table, its lines as a picture, and both as a page."""

from __future__ import annotations

import html
from dataclasses import dataclass

import numpy as np

from vericap.results.curve import Curve
from vericap.show.figures import draw_lines
from vericap.show.grids import Grid, page
from vericap.show.tables import spell


@dataclass(frozen=True)
class CurveTable:
    """One row per point, one column per metric and per published curve; CSV has the spread of each metric too."""

    curve: Curve

    def draw(self, format: str = "plain", scale: float = 1.0) -> str:
        """The table as text: rich, plain, markdown, latex, csv or html."""
        return (self._exact(scale) if format == "csv" else self.grid(scale)).draw(format)

    def grid(self, scale: float = 1.0) -> Grid:
        """The table for people."""
        curve = self.curve
        columns = {**curve.values, **{f"{key}, published": column for key, column in curve.published.items()}}
        rows = [
            [f"{point:g}", *(spell(column[k], scale) for column in columns.values())]
            for k, point in enumerate(curve.points)
        ]
        return Grid([curve.across, *columns], rows, curve.title)

    def _exact(self, scale: float) -> Grid:
        """The table for programs."""
        curve = self.curve
        spread = {f"{key} spread": column for key, column in curve.spread.items()}
        columns = {**curve.values, **spread, **{f"{key} published": each for key, each in curve.published.items()}}
        rows = [
            [str(point), *(f"{scale * column[k]:.6f}" for column in columns.values())]
            for k, point in enumerate(curve.points)
        ]
        return Grid([curve.across, *columns], rows)


def sentences(curve: Curve) -> list[str]:
    """What a reader must know about the table: the protocol, and why a cell is a dash."""
    said = [curve.protocol]
    undefined = {key: np.flatnonzero(np.isnan(column)).tolist() for key, column in curve.values.items()}
    if any(undefined.values()):
        where = "; ".join(
            f"{key} at {', '.join(f'{curve.points[k]:g}' for k in places)} {curve.across}"
            for key, places in undefined.items()
            if places
        )
        said.append(f"– means undefined, because all scores or all judgements are the same or missing: {where}")
    if any(np.isnan(column).any() for column in curve.published.values()):
        said.append(f"– among published values means that none was published for that number of {curve.across}")
    return said


def curve_picture(curve: Curve, format: str) -> bytes:
    """The lines as a picture: png or svg."""
    return draw_lines(
        curve.title, curve.across, curve.measure, curve.points, curve.values, curve.spread, curve.published, format
    )


def curve_page(curve: Curve, scale: float = 1.0) -> str:
    """Picture and table as a page."""
    drawing = curve_picture(curve, "svg").decode()
    below = [f"<p>{html.escape(sentence)}</p>" for sentence in sentences(curve)]
    return page(curve.title, [drawing[drawing.index("<svg") :], CurveTable(curve).draw("html", scale), *below])
