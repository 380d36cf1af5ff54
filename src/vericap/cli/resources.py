"""`vericap resources`: what ships, and tables of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vericap.cli.options import Without, grouped_options
from vericap.run.settings import Settings

app = typer.Typer(help="What ships, with sizes, hashes and licences; tables of your own.", invoke_without_command=True)


@app.callback()
def resources(context: typer.Context) -> None:
    """List what ships: file, size, licence, hash, source."""
    if context.invoked_subcommand is not None:
        return
    from vericap.data import listing
    from vericap.version import __version__

    typer.echo(f"vericap {__version__}")
    for each in listing():
        typer.echo(f"{each.path}: {each.what}")
        typer.echo(f"    {each.size:,} bytes, {each.licence}, sha256 {each.sha256}")
        typer.echo(f"    from {each.source}{f', by {each.script}' if each.script else ''}")


@app.command("df")
@grouped_options
def document_frequencies(
    references: Annotated[
        list[Path], typer.Argument(help="Reference captions in any format that score reads, or one pickled table.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="File for the table.")],
    settings: Annotated[Settings, Without("df", "missing", "repeated", "uncaptioned", "workers", "seed")],
    order: Annotated[int, typer.Option(help="Length of the longest n-grams counted.")] = 4,
) -> None:
    """Count document frequencies for `--df FILE`."""
    from vericap.lexicon.frequencies import from_pickle, from_references

    if len(references) == 1 and references[0].suffix in (".p", ".pkl", ".pickle"):
        table = from_pickle(str(references[0]))
    else:
        table = from_references(references, settings.tokenizer, settings.language, order=order)
    table.save(output)
    typer.echo(f"{output}: {table.documents:,} images, {table.source}")
