"""`vericap resources`: what ships, and tables of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vericap.cli import options

app = typer.Typer(help="What ships, with versions, hashes and licences.", invoke_without_command=True)


@app.callback()
def resources(context: typer.Context) -> None:
    """List what ships: file, size, licence, hash."""
    if context.invoked_subcommand is not None:
        return
    from vericap.data import listing

    for entry in listing():
        typer.echo(f"{entry.path:<40} {entry.size:>12,} bytes  {entry.licence:<12} sha256 {entry.sha256[:16]}…")
        typer.echo(f"{'':<40} {entry.source}")


@app.command("df")
def document_frequencies(
    references: Annotated[list[str], typer.Argument(help="Reference captions, any format that score reads.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the table goes.")],
    tokenizer: options.Tokenizer = "ptb",
    order: Annotated[int, typer.Option(help="Longest n-gram counted.")] = 4,
) -> None:
    """Count document frequencies for `--df FILE`."""
    from vericap.lexicon.frequencies import from_references

    table = from_references(references, tokenizer=tokenizer, order=order)
    table.save(output)
    typer.echo(f"{output}: {table.documents:,} images, {table.source}")
