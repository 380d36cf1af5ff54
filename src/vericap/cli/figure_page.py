"""`vericap figure page`: the plots of a page as figures for a paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer


def page(
    page: Annotated[Path, typer.Argument(help="Page that score, compare or judge wrote with --html.")],
    folder: Annotated[Path, typer.Option("--output", "-o", help="Folder for the figures.")],
    format: Annotated[
        list[str] | None, typer.Option(help="pdf, svg or png; may be repeated. [default: pdf and svg]")
    ] = None,
    width: Annotated[
        Literal["column", "text"], typer.Option(help="Width of a column (3.3 inches) or of the text (6.9 inches).")
    ] = "column",
) -> None:
    """Draw every plot of a page from the data in it, as vector graphics of a paper's column."""
    from vericap.cli.output import write
    from vericap.errors import InputError
    from vericap.show.report.figures import draw_figures, report_in

    report = report_in(page)
    files = {
        folder / f"{name}.{each}": drawn
        for each in format or ["pdf", "svg"]
        for name, drawn in draw_figures(report, each, width).items()
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"the folder cannot be made ({error.strerror})", source=str(folder), fix="choose another"
        ) from None
    for path, drawn in files.items():
        write(path, [drawn])
        typer.echo(str(path))
