"""`vericap figure`: curves as data, PNG, SVG and HTML."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vericap.cli import options

if TYPE_CHECKING:
    from vericap.results.curve import Curve

app = typer.Typer(help="Curves of agreement, as data and as pictures.", no_args_is_help=True)

Benchmark = Annotated[str, typer.Argument(help="A benchmark by name: see `vericap judge list`.")]
Data = Annotated[Path, typer.Option("--data", "-d", help="The benchmark's folder, or one that holds it.")]
ProtocolName = Annotated[str | None, typer.Option("--protocol", help="A named protocol of the benchmark.")]
Output = Annotated[
    list[Path] | None, typer.Option("--output", "-o", help="FILE.csv, .json, .png, .svg or .html; may be repeated.")
]


@app.command("references")
def references(
    benchmark: Benchmark,
    data: Data,
    metrics: options.Metrics = "bleu-4,meteor,rouge-l,cider-d,cider-r",
    protocol: ProtocolName = None,
    group: Annotated[str, typer.Option(help="all, or a group of pairs such as MM.")] = "all",
    points: Annotated[str | None, typer.Option(help="Numbers of references, such as 1,5,48 or 1-48.")] = None,
    draws: Annotated[int, typer.Option(help="How often references are drawn.")] = 5,
    published: Annotated[Path | None, typer.Option(help="The folder of curves that CIDEr-R's authors publish.")] = None,
    seed: options.Seed = 0,
    workers: options.Workers = 0,
    output: Output = None,
) -> None:
    """Accuracy against the number of references."""
    import os

    from vericap.cli.output import progress_bar
    from vericap.judge.curves import POINTS, over_references

    with progress_bar() as progress:
        curve = over_references(
            benchmark,
            data,
            metrics,
            points=_points(points) if points else POINTS,
            protocol=protocol,
            group=group,
            published=published,
            workers=workers or os.cpu_count() or 1,
            progress=progress,
            draws=draws,
            seed=seed or None,
        )
    _deliver(curve, output or [])


@app.command("length")
def length(
    benchmark: Benchmark,
    data: Data,
    metrics: options.Metrics = "default",
    protocol: ProtocolName = None,
    bins: Annotated[int, typer.Option(help="So many groups of captions, by length.")] = 6,
    bootstrap: Annotated[int, typer.Option(help="Resamples for the band of 95 %.")] = 200,
    seed: options.Seed = 0,
    workers: options.Workers = 0,
    output: Output = None,
) -> None:
    """Agreement against the length of captions."""
    import os

    from vericap.cli.output import progress_bar
    from vericap.judge.curves import over_lengths

    with progress_bar() as progress:
        curve = over_lengths(
            benchmark,
            data,
            metrics,
            bins=bins,
            protocol=protocol,
            bootstrap=bootstrap,
            seed=seed,
            workers=workers or os.cpu_count() or 1,
            progress=progress,
        )
    _deliver(curve, output or [])


def _points(text: str) -> list[int]:
    from vericap.errors import InputError

    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not first.strip().isdecimal() or not (last.strip() or "0").isdecimal():
            raise InputError(f"{part!r} is not a number of references", field="points", fix="write 1,5,48 or 1-48")
        found.update(range(int(first), int(last or first) + 1))
    return sorted(found)


def _deliver(curve: Curve, paths: list[Path]) -> None:
    """Each file as its name asks; the table on stdout."""
    from vericap.cli.output import print_result, write_files
    from vericap.errors import InputError
    from vericap.show.media import FILES

    files = [(path.suffix.lower().removeprefix("."), path) for path in paths]
    for kind, path in files:
        if kind not in FILES:
            raise InputError(
                f"{path.suffix!r} is not a kind of figure", source=str(path), fix=f"use one of .{', .'.join(FILES)}"
            )
    write_files(curve, files)
    print_result(curve, options.Output(format="plain"))
