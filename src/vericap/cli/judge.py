"""`vericap judge`: how far the metrics agree with people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vericap.cli.options import PERCENT, Metrics, Output
from vericap.judging.protocols import AgreementTests, JudgedInputs, JudgedSettings, OtherScores, ProtocolChoice, Task
from vericap.options.declared import Without, option

if TYPE_CHECKING:
    from vericap.judging.judgements import Judgements


@dataclass(frozen=True)
class SourceOptions(OtherScores):
    """The sources of judgements and scores."""

    data: Path | None = option(
        None, "Folder of the benchmark, one that holds it, or your own table.", flags=("--data", "-d")
    )
    captions: Path | None = option(
        None, "Write the captions with their ids as JSON Lines to this file, and stop.", former=("rows",)
    )


def judge(
    benchmark: Annotated[str, typer.Argument(help="Name of a benchmark, or `list`.")],
    *,
    source: SourceOptions,
    metrics: Metrics = "default",
    tests: AgreementTests,
    protocol: ProtocolChoice,
    inputs: JudgedInputs,
    settings: JudgedSettings,
    output: Annotated[Output, Without({"csv", "png", "explain", "embed_images"})] = PERCENT,
) -> None:
    """Judge the metrics by their agreement with people. `vericap judge list` names the benchmarks."""
    if benchmark == "list":
        _list()
        return
    from vericap.cli.output import deliver, progress_bar
    from vericap.errors import InputError
    from vericap.judging import benchmark as find
    from vericap.judging.reading import load_task
    from vericap.judging.run import judge_task

    about = find(benchmark)
    if source.data is None:
        fix = f"add --data DIR; it comes from {about.source}"
        raise InputError(f"the folder of {benchmark} is not named", field="data", fix=fix)
    task = Task(benchmark, source.data, metrics, protocol, inputs, settings, source)
    if source.captions is not None:
        _write_captions(load_task(task)[0], source.captions)
        return
    with progress_bar(output.quiet) as progress:
        verdict = judge_task(task, tests, progress)
    deliver(verdict, output)


def _list() -> None:
    """Yield for each benchmark a description, the number of judgements, licence, source and citation."""
    from vericap.errors import InputError
    from vericap.judging import benchmark as find
    from vericap.judging import names

    for name in names():
        try:
            about = find(name)
        except InputError as error:  # a package that cannot be imported must not hide the other benchmarks
            typer.echo(f"{name}: cannot be loaded: {error}", err=True)
            continue
        typer.echo(f"{name}: {about.what}")
        typer.echo(f"    judgements: {about.size}")
        typer.echo(f"    licence: {about.licence}; from: {about.source}")
        typer.echo(f"    cite: {about.citation}")
        if about.subsets:
            typer.echo(f"    subsets: {', '.join(about.subsets)}")
        for protocol in about.protocols:
            typer.echo(f"    protocol {protocol.name} ({protocol.of}): {protocol.spell()}")


def _write_captions(judged: Judgements, path: Path) -> None:
    """The captions that another tool should score, with the ids that --scores asks for."""
    import orjson

    from vericap.cli.output import write
    from vericap.judging.judgements import Systems

    rows: Iterable[dict[str, Any]]
    if isinstance(judged, Systems):
        rows = ({"id": name} for name in judged.names)
    else:
        rows = (
            {"id": k, "image_id": judged.image_ids[item], "caption": caption, "references": judged.references[item]}
            for k, (caption, item) in enumerate(zip(judged.candidates, judged.item.tolist(), strict=True))
        )
    write(path, (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows))
