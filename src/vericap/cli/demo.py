"""`vericap demo`: three captioners of different quality on thirty images, as the table of a paper."""

from __future__ import annotations

from typing import Annotated

import typer

from vericap.cli.options import PERCENT, Output
from vericap.options.declared import Without

SYSTEMS = ("strong", "middling", "weak")
LEFT_OUT = Without({"json", "csv", "png", "explain", "embed_images", "quiet", "signatures"})


def demo(output: Annotated[Output, LEFT_OUT] = PERCENT) -> None:
    """Score three invented captioners on the captions that ship; --html compares them on a page."""
    from vericap.cli.output import table_format, write_files
    from vericap.data import FOLDER
    from vericap.run.compare import compare
    from vericap.run.evaluate import evaluate
    from vericap.show.scores import score_table

    folder = FOLDER / "demo"
    results = [evaluate(folder / f"{system}.json", folder / "references.json", label=system) for system in SYSTEMS]
    typer.echo(score_table(*results).draw(table_format(output.format), output.scale))
    typer.echo(f"(scores × {output.scale:g}; 30 images, 5 references each)")
    for note in results[0].notes:
        typer.echo(f"note: {note}", err=True)
    for each in results[0].values():
        typer.echo(each.signature, err=True)
    if output.html is not None:  # every two captioners compared, with the objects in the pictures too
        found = compare(
            {system: folder / f"{system}.json" for system in SYSTEMS},
            folder / "references.json",
            objects=folder / "objects.json",
            metrics=["default", "ter", "vifidel", "chair-i", "fluency"],
            against="all",
        )
        write_files(found, output.files(), output.scale)
        typer.echo(f"{output.html}: open it in a browser", err=True)
