"""`vericap score`: the table for the paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vericap.cli import options

if TYPE_CHECKING:
    from vericap.results.scores import Result


def score(
    context: typer.Context,
    candidates: options.Candidates,
    references: options.References = None,
    objects: options.Objects = None,
    confidence: options.Confidence = None,
    regions: options.Regions = None,
    images: options.Images = None,
    detector: options.Detector = None,
    metrics: options.Metrics = "default",
    df: options.DocumentFrequency = "corpus",
    tokenizer: options.Tokenizer = "ptb",
    language: options.Language = "en",
    missing: options.Missing = "error",
    repeated: options.Repeated = "error",
    workers: options.Workers = 0,
    bootstrap: Annotated[int, typer.Option(help="Resamples for a 95 % interval beside each score.")] = 0,
    seed: options.Seed = 0,
    group_by: Annotated[str | None, typer.Option(help="A field of the candidates: a row for each value.")] = None,
    scale: Annotated[float, typer.Option(help="Multiply what the table shows, e.g. 100.")] = 1.0,
    format: options.Format = None,
    json: Annotated[Path | None, typer.Option(help="Write everything, per caption too, as JSON.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write a row a caption as CSV.")] = None,
) -> None:
    """Score captions, against references or what the pictures show."""
    from vericap.cli.output import progress_bar
    from vericap.run.evaluate import evaluate

    if context.args:
        from vericap.errors import InputError

        files = " ".join([candidates, *context.args])
        raise InputError(
            f"score takes the captions of one captioner, and there are {1 + len(context.args)}",
            source=", ".join([candidates, *context.args]),
            fix=f"to see captioners beside each other: vericap compare {files}; references go behind --references",
        )
    with progress_bar() as progress:
        result = evaluate(
            candidates,
            options.files(references),
            objects=options.files(objects),
            confidence=options.thresholds(confidence),
            regions=regions,
            images=images,
            detector=detector,
            metrics=metrics,
            df=df,
            tokenizer=tokenizer,
            language=language,
            missing=missing,
            repeated=repeated,
            workers=workers,
            bootstrap=bootstrap,
            seed=seed,
            group_by=group_by,
            label="stdin" if candidates == "-" else Path(candidates).name,
            progress=progress,
        )
    if json is not None:
        write_json(result, json)
    if csv is not None:
        write_csv(result, csv)
    show(result, format, scale)


def show(result: Result, format: str | None = None, scale: float = 1.0) -> None:
    """The table on stdout; notes and, for people, signatures below it on stderr."""
    import sys

    typer.echo(result.table(format or ("rich" if sys.stdout.isatty() else "plain"), scale))
    if scale != 1:
        typer.echo(f"(scores × {scale:g})", err=True)
    for note in result.notes:
        typer.echo(f"note: {note}", err=True)
    for each in result.values():
        typer.echo(each.signature, err=True)


def write_json(result: Result, path: Path) -> None:
    """`--json`: a line a caption, written one after the other; the same input gives the same bytes."""
    import orjson

    from vericap.cli.output import write

    def lines() -> Iterator[bytes]:
        yield orjson.dumps(result.summary(), option=orjson.OPT_INDENT_2).removesuffix(b"\n}") + b',\n  "captions": ['
        for number, row in enumerate(result.caption_rows()):
            yield (b",\n" if number else b"\n") + orjson.dumps(row)
        yield b"\n  ]\n}\n"

    write(path, lines())


def write_csv(result: Result, path: Path) -> None:
    """`--csv`: image id, caption and a column a metric."""
    import csv
    import io

    from vericap.cli.output import write

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["image_id", "caption", *result])
    for row in result.caption_rows():
        writer.writerow([row["image_id"], row["caption"], *row["scores"].values()])
    write(path, [text.getvalue().encode()])
