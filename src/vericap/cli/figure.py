"""`vericap figure`: curves as data, PNG, SVG and HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vericap.cli import figure_page
from vericap.cli.options import Metrics, Without, grouped_options
from vericap.cli.options import Output as Printed
from vericap.judging.protocol_choice import ProtocolChoice
from vericap.options.settings import Settings

if TYPE_CHECKING:
    from vericap.results.curve import Curve

app = typer.Typer(help="Curves of agreement with people, and the plots of a page, as pictures.", no_args_is_help=True)

app.command("page")(figure_page.page)

MOST_REFERENCES = 100_000
PLAIN = Printed(format="plain")
FIVE_DRAWS = ProtocolChoice(draws=5)
Benchmark = Annotated[str, typer.Argument(help="Name of a benchmark: see `vericap judge list`.")]
Data = Annotated[Path, typer.Option("--data", "-d", help="Folder of the benchmark, or one that holds it.")]
Randomness = Annotated[Settings, Without("tokenizer", "language", "df", "missing", "repeated", "uncaptioned")]
Output = Annotated[
    list[Path] | None, typer.Option("--output", "-o", help="FILE.csv, .json, .png, .svg or .html; may be repeated.")
]


@dataclass(frozen=True)
class ReferencesOptions:
    """Where the curve over references is computed, and for which pairs."""

    points: str | None = field(default=None, metadata={"help": "Numbers of references, such as 1,5,48 or 1-48."})
    group: str = field(default="all", metadata={"help": "all, or one group of pairs, such as MM."})
    published: Path | None = field(
        default=None, metadata={"help": "Folder of the curves that the authors of CIDEr-R publish."}
    )


@dataclass(frozen=True)
class LengthOptions:
    """How captions are grouped by length."""

    bins: int = field(default=6, metadata={"help": "Number of groups of captions, by length."})
    bootstrap: int = field(default=200, metadata={"help": "Resamples for the 95 % band."})


@app.command("references")
@grouped_options
def references(
    benchmark: Benchmark,
    data: Data,
    *,
    metrics: Metrics = "bleu-4,meteor,rouge-l,cider-d,cider-r",
    curve: ReferencesOptions,
    protocol: Annotated[ProtocolChoice, Without("references_used", "drawn")] = FIVE_DRAWS,
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


@app.command("length")
@grouped_options
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
