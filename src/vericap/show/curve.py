"""A curve for people: its points as a table, its lines as a picture, and both as a page."""

from __future__ import annotations

import numpy as np

from vericap.options.page import PageOptions
from vericap.results.curve import Curve
from vericap.show import note_lines
from vericap.show.figures import draw_lines
from vericap.show.grid import Grid
from vericap.show.numbers import spell
from vericap.show.page import bullets, page


def curve_grid(curve: Curve, scale: float = 1.0, *, exact: bool = False) -> Grid:
    """Return one row per point, one column per metric and per published curve; for programs (`exact`) with more digits
    and the spread of each metric."""
    more = {" spread": curve.spread, " published": curve.published} if exact else {", published": curve.published}
    columns = {**curve.values, **{f"{key}{what}": column for what, of in more.items() for key, column in of.items()}}
    rows = []
    for k, point in enumerate(curve.points):
        values = [column[k] for column in columns.values()]
        cells = [f"{scale * value:.6f}" if exact else spell(value, scale) for value in values]
        rows.append([str(point) if exact else f"{point:g}", *cells])
    return Grid([curve.across, *columns], rows, curve.title)


def as_table(curve: Curve, format: str = "plain", scale: float = 1.0) -> str:
    """Return one row per point."""
    return curve_grid(curve, scale, exact=format == "csv").draw(format)


def as_csv(curve: Curve) -> str:
    """Return every digit of every point."""
    return as_table(curve, "csv") + "\n"


def remarks(curve: Curve, scale: float = 1.0, signatures: bool = False) -> list[str]:
    """Return the sentences about the table."""
    return note_lines(sentences(curve))


def sentences(curve: Curve) -> list[str]:
    """Return what a reader must know about the table: the protocol, and why a cell is a dash."""
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


def as_picture(curve: Curve, format: str = "svg") -> bytes:
    """Return the lines as a picture: png or svg."""
    return draw_lines(
        curve.title, curve.across, curve.measure, curve.points, curve.values, curve.spread, curve.published, format
    )


def as_page(curve: Curve, scale: float = 1.0, options: PageOptions | None = None) -> str:
    """Return picture and table as a page."""
    drawing = as_picture(curve, "svg").decode()
    return page(
        curve.title,
        [drawing[drawing.index("<svg") :], curve_grid(curve, scale).draw("html"), bullets(sentences(curve))],
    )
