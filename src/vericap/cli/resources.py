"""`vericap resources`: what ships, what you registered, and tables of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from vericap.cli.options import Reading
from vericap.options.command_line import add_verb

app = typer.Typer(
    help="What ships, with sizes, hashes and licences; models and tables of your own.", invoke_without_command=True
)


@app.callback()
def resources(context: typer.Context) -> None:
    """List what ships (file, size, licence, hash, source) and what was registered."""
    if context.invoked_subcommand is not None:
        return
    from vericap.data import listing
    from vericap.readers.storage.registered import KINDS, registered, registry_file
    from vericap.version import __version__

    typer.echo(f"vericap {__version__}")
    for each in listing():
        typer.echo(f"{each.path}: {each.what}")
        typer.echo(f"    {each.size:,} bytes, {each.licence}, sha256 {each.sha256}")
        typer.echo(f"    from {each.source}{f', by {each.script}' if each.script else ''}")
    for kind, path in registered().items():
        gone = "" if Path(path).exists() else " (which is gone)"
        typer.echo(f"{kind}: {path}{gone}")
        typer.echo(f"    registered in {registry_file()}; used by {KINDS[kind]}")


@app.command("add")
def add(
    kind: Annotated[
        str, typer.Argument(metavar="[KIND]", help="clip, or pac for the CLIP of PAC-S; nothing for the grammar.")
    ],
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="Folder or file with the weights; or englishPCFG.ser.gz of CoreNLP 3.6.0, or the jar of its models.",
        ),
    ] = None,
    activation: Annotated[
        str, typer.Option(help="gelu or quick_gelu, only to check weights that do not say it themselves.")
    ] = "auto",
) -> None:
    """Register a model, so that metrics find it without model=FOLDER, or the grammar of SPICE's parser. Weights stay
    where they are; the grammar is copied."""
    from vericap.errors import InputError
    from vericap.readers.storage.registered import KINDS, register, registry_file

    if path is None and kind in KINDS:
        raise InputError(f"{kind} needs a file", field="path", fix=f"vericap resources add {kind} FILE")
    if path is None or kind == "stanford":
        from vericap.scene.stanford.grammar import NAME, SHA256
        from vericap.scene.stanford.installed import add_grammar

        kind, whole, about = "stanford", add_grammar(path or kind), f"{NAME}, sha256 {SHA256}"
    else:
        if kind not in KINDS:
            raise InputError(f"`{kind}` is not a kind of model", field="kind", fix=f"use one of {', '.join(KINDS)}")
        if activation not in ("auto", "gelu", "quick_gelu"):
            fix = "use auto, gelu or quick_gelu"
            raise InputError(f"`{activation}` is not an activation", field="activation", fix=fix)
        from vericap.encoders.installed import require

        require(f"vericap resources add {kind}", "torch", "safetensors", "ftfy")
        from vericap.encoders.clip.checkpoint import ActivationChoice, described, read_checkpoint

        choice = cast(ActivationChoice, "pac" if kind == "pac" and activation == "auto" else activation)
        found = read_checkpoint(str(path), choice)  # an error names what is wrong with it, before anything is written
        whole, about = register(kind, path), f"{described(found)}, sha256 {found.sha256}"
    typer.echo(f"{kind}: {whole}")
    typer.echo(f"    {about}")
    typer.echo(f"    registered in {registry_file()}; used by {KINDS[kind]}")


@app.command("remove")
def remove(kind: Annotated[str, typer.Argument(help="Kind of model to forget: clip, pac or stanford.")]) -> None:
    """Forget a model that was registered. Its files stay where they are."""
    from vericap.readers.storage.registered import unregister

    typer.echo(f"{kind}: {unregister(kind)} is no longer registered; its files are still there")


def document_frequencies(
    references: Annotated[
        list[Path], typer.Argument(help="Reference captions in any format that score reads, or one pickled table.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="File for the table.")],
    settings: Reading,
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


add_verb(app, "df", document_frequencies)
