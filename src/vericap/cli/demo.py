"""`vericap demo`: three captioners of different quality on thirty images, as the table of a paper."""

from __future__ import annotations

from typing import Annotated

import typer

from vericap.cli.options import PERCENT, Output, Without, grouped_options

SYSTEMS = ("strong", "middling", "weak")
LEFT_OUT = Without("json", "csv", "html", "png", "explain", "embed_images", "quiet", "signatures")


@grouped_options
def demo(output: Annotated[Output, LEFT_OUT] = PERCENT) -> None:
    """Score three invented captioners on the captions that ship."""
    from vericap.cli.output import table_format
    from vericap.data import FOLDER
    from vericap.run.evaluate import evaluate
    from vericap.show.scores import score_table

    folder = FOLDER / "demo"
    results = [evaluate(folder / f"{system}.json", folder / "references.json", label=system) for system in SYSTEMS]
    typer.echo(score_table(*results).draw(table_format(output.format), output.scale))
    typer.echo(f"(scores × {output.scale:g}; 30 images, 5 references each)")
    for each in results[0].values():
        typer.echo(each.signature, err=True)
