"""`vericap demo`: three captioners of different quality on thirty images, as the table of a paper."""

from __future__ import annotations

from typing import Annotated

import typer

from vericap.cli import options

SYSTEMS = ("strong", "middling", "weak")


def demo(
    format: options.Format = None,
    scale: Annotated[float, typer.Option(help="Multiply what the table shows.")] = 100.0,
) -> None:
    """Score three invented captioners on the captions that ship."""
    import sys
    from importlib.resources import as_file, files

    from vericap.run.evaluate import evaluate
    from vericap.show.scores import score_table
    from vericap.show.tables import ScoreTable

    with as_file(files("vericap") / "data" / "demo") as folder:
        results = {
            system: evaluate(folder / f"{system}.json", folder / "references.json", label=system) for system in SYSTEMS
        }
    tables = [score_table(result) for result in results.values()]
    table = ScoreTable(tables[0].columns, [row for each in tables for row in each.rows])
    typer.echo(table.draw(format or ("rich" if sys.stdout.isatty() else "plain"), scale))
    typer.echo(f"(scores × {scale:g}; 30 images, 5 references each)")
    for each in results["strong"].values():
        typer.echo(each.signature, err=True)
