"""`vericap figure`: curves as data, PNG, SVG and HTML."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from vericap.cli.options import Metrics
from vericap.cli.options import Output as Printed
from vericap.judging.protocols import ProtocolChoice
from vericap.options.command_line import add_verb
from vericap.options.declared import Without, option
from vericap.options.settings import Settings

if TYPE_CHECKING:
    from vericap.results.curve import Curve

app = typer.Typer(help="Curves of agreement with people, and the plots of a page, as pictures.", no_args_is_help=True)

MOST_REFERENCES = 100_000
PLAIN = Printed(format="plain")
FIVE_DRAWS = ProtocolChoice(draws=5)
Benchmark = Annotated[str, typer.Argument(help="Name of a benchmark: see `vericap judge list`.")]
Data = Annotated[Path, typer.Option("--data", "-d", help="Folder of the benchmark, or one that holds it.")]
Randomness = Annotated[Settings, Without({"tokenizer", "language", "df", "missing", "repeated", "uncaptioned"})]
Output = Annotated[
    list[Path] | None, typer.Option("--output", "-o", help="FILE.csv, .json, .png, .svg or .html; may be repeated.")
]


@dataclass(frozen=True)
class ReferencesOptions:
    """The points of the curve over references, and its pairs."""

    points: str | None = option(None, "Numbers of references, such as 1,5,48 or 1-48.")
    group: str = option("all", "all, or one group of pairs, such as MM.")
    published: Path | None = option(None, "Folder of the curves that the authors of CIDEr-R publish.")


@dataclass(frozen=True)
class LengthOptions:
    """Options of grouping captions by length."""

    bins: int = option(6, "Number of groups of captions, by length.")
    bootstrap: int = option(200, "Resamples for the 95 % band.")


def references(
    benchmark: Benchmark,
    data: Data,
    *,
    metrics: Metrics = "bleu-4,meteor,rouge-l,cider-d,cider-r",
    curve: ReferencesOptions,
    protocol: Annotated[ProtocolChoice, Without({"references_used", "sampling"})] = FIVE_DRAWS,
    settings: Randomness,
    output: Output = None,
) -> None:
    """Accuracy against the number of references."""
    from vericap.cli.output import progress_bar
    from vericap.judging.curves import POINTS, over_references

    points = _points(curve.points) if curve.points else POINTS
    with progress_bar() as progress:
        found = over_references(
            benchmark,
            data,
            metrics,
            points=points,
            group=curve.group,
            published=curve.published,
            progress=progress,
            **_options(protocol, settings),
        )
    _deliver(found, output or [])


def length(
    benchmark: Benchmark,
    data: Data,
    *,
    metrics: Metrics = "default",
    curve: LengthOptions,
    protocol: ProtocolChoice,
    settings: Randomness,
    output: Output = None,
) -> None:
    """Agreement against the length of captions."""
    from vericap.cli.output import progress_bar
    from vericap.judging.curves import over_lengths

    options = {**_options(protocol, settings), "bootstrap": curve.bootstrap}
    with progress_bar() as progress:
        found = over_lengths(benchmark, data, metrics, bins=curve.bins, progress=progress, **options)
    _deliver(found, output or [])


def _options(protocol: ProtocolChoice, settings: Settings) -> dict[str, Any]:
    """The keyword arguments of a curve."""
    return {
        "protocol": protocol.protocol,
        **protocol.changes(),
        "seed": settings.seed,
        "workers": settings.workers,
    }


def _points(text: str) -> list[int]:
    from vericap.errors import InputError

    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not first.strip().isdecimal() or not (last.strip() or "0").isdecimal():
            raise InputError(f"{part!r} is not a number of references", field="points", fix="write 1,5,48 or 1-48")
        if max(int(first), int(last or 0)) > MOST_REFERENCES:
            fix = f"use numbers up to {MOST_REFERENCES:,}"
            raise InputError(f"{part!r} is more references than any image has", field="points", fix=fix)
        found.update(range(int(first), int(last or first) + 1))
    if not found:
        raise InputError(f"{text!r} names no number of references", field="points", fix="write 1,5,48 or 1-48")
    return sorted(found)


def _deliver(curve: Curve, paths: list[Path]) -> None:
    """Writes each file as its name asks, and prints the table."""
    from vericap.cli.output import print_result, write_files
    from vericap.errors import InputError
    from vericap.show import FILES

    files = [(path.suffix.lower().removeprefix("."), path) for path in paths]
    for kind, path in files:
        if kind not in FILES:
            raise InputError(
                f"{path.suffix!r} is not a kind of figure", source=str(path), fix=f"use one of .{', .'.join(FILES)}"
            )
    write_files(curve, files)
    print_result(curve, PLAIN)


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


add_verb(app, "page", page)
add_verb(app, "references", references)
add_verb(app, "length", length)
