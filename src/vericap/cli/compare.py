"""`vericap compare`: captioners beside each other, with tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from vericap.cli import options

if TYPE_CHECKING:
    from vericap.results.comparison import Comparison


def compare(
    systems: Annotated[
        list[str], typer.Argument(metavar="A B …", help="Captions of each captioner, all over the same images.")
    ],
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
    test: Annotated[
        Literal["bootstrap", "permutation"], typer.Option(help="Resample images, or exchange their captions.")
    ] = "bootstrap",
    against: Annotated[Literal["first", "all"], typer.Option(help="Test each with the first, or each two.")] = "first",
    resamples: Annotated[int, typer.Option(min=1, help="Resamples of intervals and tests.")] = 1000,
    seed: options.Seed = 0,
    examples: Annotated[int, typer.Option(min=0, help="How many captions that differ most to show of each two.")] = 10,
    scale: Annotated[float, typer.Option(help="Multiply what the table shows, e.g. 100.")] = 1.0,
    format: options.Format = None,
    json: Annotated[Path | None, typer.Option(help="Write everything as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write tables and captions as a page by itself.")] = None,
) -> None:
    """Compare captioners on the same images: scores with intervals, paired tests, captions that differ most."""
    from vericap.cli.output import progress_bar, write
    from vericap.run.compare import compare

    with progress_bar() as progress:
        comparison = compare(
            dict(zip(_names(systems), systems, strict=True)),
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
            test=test,
            against=against,
            resamples=resamples,
            seed=seed,
            examples=examples,
            progress=progress,
        )
    if json is not None:
        import orjson

        write(json, [orjson.dumps(comparison.to_dict(), option=orjson.OPT_INDENT_2), b"\n"])
    if html is not None:
        write(html, [comparison.to_html(scale=scale).encode()])
    show(comparison, format, scale)


def _names(paths: list[str]) -> list[str]:
    """Names of files without folder and ending; as given where that would make two the same.

    >>> _names(["runs/a.json", "runs/b.json"]), _names(["one/a.json", "two/a.json"])
    (['a', 'b'], ['one/a.json', 'two/a.json'])
    """
    short = [Path(path).name.split(".")[0] or path for path in paths]
    if len(set(short)) == len(short):
        return short
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice is not None:
        from vericap.errors import InputError

        raise InputError("the file is given twice", source=twice, fix="compare different captioners")
    return paths


def show(comparison: Comparison, format: str | None = None, scale: float = 1.0) -> None:
    """Table, contrasts and captions on stdout; what they mean, notes and signatures on stderr."""
    import sys

    from vericap.show.contrasts import examples_title, legend

    style = format or ("rich" if sys.stdout.isatty() else "plain")
    typer.echo(comparison.table(style, scale))
    # A table for a paper or a program is the table alone.
    if style not in ("latex", "csv", "html"):
        typer.echo("\n" + comparison.contrast_table(style, scale))
        if comparison.examples:
            typer.echo(f"\n{examples_title(comparison)}")
        for example in comparison.examples:
            sign = "better" if example.difference > 0 else "worse"
            typer.echo(
                f"\nimage {example.image_id}: {example.system} {sign} than {example.against} "
                f"by {abs(example.difference):.1f} deviations"
            )
            for name, caption in example.captions.items():
                typer.echo(f"  {name}: {caption}")
    typer.echo(f"({legend(comparison)})", err=True)
    if scale != 1:
        typer.echo(f"(scores × {scale:g})", err=True)
    for note in comparison.notes:
        typer.echo(f"note: {note}", err=True)
    for each in next(iter(comparison.values())).values():
        typer.echo(each.signature, err=True)
