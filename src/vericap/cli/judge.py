"""`vericap judge`: how far the metrics agree with people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from vericap.cli import options

if TYPE_CHECKING:
    from vericap.judge.judgements import Choices, Ratings, Systems


def judge(
    benchmark: Annotated[str, typer.Argument(help="A benchmark by name, or `list`.")],
    data: Annotated[
        Path | None, typer.Option("--data", "-d", help="The benchmark's folder, one that holds it, or your own table.")
    ] = None,
    metrics: options.Metrics = "default",
    objects: options.Objects = None,
    confidence: options.Confidence = None,
    regions: options.Regions = None,
    missing: options.Missing = "error",
    protocol: Annotated[
        str | None, typer.Option(help="A named protocol; the first that `judge list` names if none.")
    ] = None,
    subset: Annotated[str | None, typer.Option(help="A part of the benchmark, such as coco of composite.")] = None,
    references_used: Annotated[int | None, typer.Option(help="So many references an image; 0 for none.")] = None,
    drawn: Annotated[Literal["all", "first", "random"] | None, typer.Option(help="Which references.")] = None,
    draws: Annotated[int | None, typer.Option(help="How often random references are drawn.")] = None,
    judges: Annotated[Literal["apart", "averaged"] | None, typer.Option(help="Ratings of several judges.")] = None,
    ties: Annotated[
        Literal["half", "random", "lose", "win"] | None, typer.Option(help="What equal scores earn in a forced choice.")
    ] = None,
    label: Annotated[str | None, typer.Option(help="Which human label, where there are several.")] = None,
    df: Annotated[
        Literal["rows", "images", "coco"] | None, typer.Option(help="What CIDEr's document frequencies count.")
    ] = None,
    level: Annotated[Literal["caption", "system"] | None, typer.Option(help="Captions, or means of systems.")] = None,
    over: Annotated[
        Literal["pooled", "image"] | None, typer.Option(help="One correlation, or the mean of each image's own.")
    ] = None,
    tokenizer: Annotated[str | None, typer.Option(help="Another tokenizer than the protocol's.")] = None,
    scores: Annotated[
        list[Path] | None, typer.Option(help="Scores of another tool: a table with id and score; may be repeated.")
    ] = None,
    rows: Annotated[
        Path | None, typer.Option(help="Write the captions with their ids as JSON Lines, and stop.")
    ] = None,
    bootstrap: Annotated[int, typer.Option(help="Resamples of images for intervals and tests; 0 for none.")] = 1000,
    seed: options.Seed = 0,
    workers: options.Workers = 0,
    scale: Annotated[float, typer.Option(help="Multiply what the table shows.")] = 100.0,
    format: options.Format = None,
    json: Annotated[Path | None, typer.Option(help="Write everything as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page.")] = None,
) -> None:
    """Judge the metrics: their agreement with people, with intervals and tests. `vericap judge list` says with what."""
    if benchmark == "list":
        _list()
        return
    import sys

    import orjson

    from vericap.cli.output import progress_bar, write
    from vericap.errors import InputError
    from vericap.judge import benchmark as find
    from vericap.judge import judge as run
    from vericap.judge import load
    from vericap.show.verdict import published_grid, sentences

    about = find(benchmark)
    if data is None:
        raise InputError(
            f"the folder of {benchmark} is not named", field="data", fix=f"add --data DIR; it comes from {about.source}"
        )
    choices: dict[str, Any] = {
        "references_used": references_used,
        "drawn": drawn,
        "draws": draws,
        "judges": judges,
        "ties": ties,
        "label": label,
        "df": df,
        "level": level,
        "over": over,
        "tokenizer": tokenizer,
    }
    if rows is not None:
        _write_rows(load(benchmark, data, protocol, subset, **choices)[0], rows)
        return
    with progress_bar() as progress:
        verdict = run(
            benchmark,
            data,
            metrics=metrics,
            protocol=protocol,
            subset=subset,
            scores=scores or [],
            objects=options.files(objects),
            regions=regions,
            confidence=options.thresholds(confidence),
            missing=missing,
            bootstrap=bootstrap,
            seed=seed,
            workers=workers,
            progress=progress,
            **choices,
        )
    if json is not None:
        write(json, [orjson.dumps(verdict.to_dict(), option=orjson.OPT_INDENT_2), b"\n"])
    if html is not None:
        write(html, [verdict.to_html().encode()])
    style = format or ("rich" if sys.stdout.isatty() else "plain")
    typer.echo(verdict.table(style, scale))
    if verdict.published and style not in ("csv", "latex"):
        typer.echo("\n" + published_grid(verdict).draw(style))
    for sentence in sentences(verdict):
        typer.echo(f"note: {sentence}", err=True)


def _list() -> None:
    """What each benchmark is, how many judgements, licence, where it comes from, and whom to cite."""
    from vericap.judge import NAMES
    from vericap.judge import benchmark as find

    for name in NAMES:
        about = find(name)
        typer.echo(f"{name}: {about.what}")
        typer.echo(f"    judgements: {about.size}")
        typer.echo(f"    licence: {about.licence}; from: {about.source}")
        typer.echo(f"    cite: {about.citation}")
        if about.subsets:
            typer.echo(f"    subsets: {', '.join(about.subsets)}")
        for protocol in about.protocols:
            typer.echo(f"    protocol {protocol.name} ({protocol.of}): {protocol.spell()}")


def _write_rows(judged: Ratings | Choices | Systems, path: Path) -> None:
    """The captions that another tool should score, with the ids that --scores asks for."""
    import orjson

    from vericap.cli.output import write
    from vericap.judge.judgements import Systems

    if isinstance(judged, Systems):
        write(path, (orjson.dumps({"id": name}) + b"\n" for name in judged.names))
        return
    write(
        path,
        (
            orjson.dumps(
                {"id": k, "image_id": judged.image_ids[item], "caption": caption, "references": judged.references[item]}
            )
            + b"\n"
            for k, (caption, item) in enumerate(zip(judged.candidates, judged.item.tolist(), strict=True))
        ),
    )
