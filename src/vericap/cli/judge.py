"""`vericap judge`: how far the metrics agree with people."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from vericap.cli.options import PERCENT, Metrics, Output, Without, grouped_options
from vericap.run.inputs import Inputs
from vericap.run.settings import Settings

if TYPE_CHECKING:
    from vericap.judge.judgements import Choices, Ratings, Systems

FORMER_NAMES = {"--drawn": "--sampling", "--over": "--correlation"}


@dataclass(frozen=True)
class ProtocolOptions:
    """A named protocol, and choices that are made otherwise; None leaves one as the protocol has it."""

    protocol: str | None = field(
        default=None, metadata={"help": "Named protocol; without it, the first that `judge list` names."}
    )
    subset: str | None = field(default=None, metadata={"help": "Part of the benchmark, such as coco of composite."})
    references_used: int | None = field(default=None, metadata={"help": "Number of references per image; 0 for none."})
    drawn: Literal["all", "first", "random"] | None = field(
        default=None,
        metadata={"help": "Which references are used: all, the first, or a random sample.", "flags": ("--sampling",)},
    )
    draws: int | None = field(default=None, metadata={"help": "Number of random samples of references."})
    judges: Literal["apart", "averaged"] | None = field(
        default=None, metadata={"help": "Ratings of several judges: one row each, or their mean."}
    )
    ties: Literal["half", "random", "lose", "win"] | None = field(
        default=None, metadata={"help": "What equal scores earn in a forced choice."}
    )
    label: str | None = field(default=None, metadata={"help": "Human label to use, where there are several."})
    df: Literal["rows", "images", "coco"] | None = field(
        default=None, metadata={"help": "What the document frequencies of CIDEr count."}
    )
    level: Literal["caption", "system"] | None = field(
        default=None, metadata={"help": "Compare captions, or the means of systems."}
    )
    over: Literal["pooled", "image"] | None = field(
        default=None,
        metadata={"help": "One correlation over all captions, or the mean over images.", "flags": ("--correlation",)},
    )
    tokenizer: str | None = field(default=None, metadata={"help": "Tokenizer to use instead of the protocol's."})

    def choices(self) -> dict[str, Any]:
        """The single choices, without the names of protocol and subset."""
        return {name: value for name, value in vars(self).items() if name not in ("protocol", "subset")}


@grouped_options
def judge(
    benchmark: Annotated[str, typer.Argument(help="Name of a benchmark, or `list`.")],
    *,
    data: Annotated[
        Path | None, typer.Option("--data", "-d", help="Folder of the benchmark, one that holds it, or your own table.")
    ] = None,
    metrics: Metrics = "default",
    scores: Annotated[
        list[Path] | None, typer.Option(help="Scores of another tool: a table with id and score; may be repeated.")
    ] = None,
    rows: Annotated[
        Path | None, typer.Option(help="Write the captions with their ids as JSON Lines, and stop.")
    ] = None,
    bootstrap: Annotated[int, typer.Option(help="Resamples of images for intervals and tests; 0 for none.")] = 1000,
    protocol: ProtocolOptions,
    inputs: Annotated[Inputs, Without("candidates", "references", "images", "detector")],
    settings: Annotated[Settings, Without("tokenizer", "language", "df", "repeated")],
    output: Annotated[Output, Without("csv", "png")] = PERCENT,
) -> None:
    """Judge the metrics: their agreement with people, with intervals and tests. `vericap judge list` says with what."""
    if benchmark == "list":
        _list()
        return
    from vericap.cli.output import deliver, progress_bar
    from vericap.errors import InputError
    from vericap.judge import benchmark as find
    from vericap.judge import judge as run
    from vericap.judge import load

    about = find(benchmark)
    if data is None:
        raise InputError(
            f"the folder of {benchmark} is not named", field="data", fix=f"add --data DIR; it comes from {about.source}"
        )
    if rows is not None:
        _write_rows(load(benchmark, data, protocol.protocol, protocol.subset, **protocol.choices())[0], rows)
        return
    with progress_bar() as progress:
        verdict = run(
            benchmark,
            data,
            metrics=metrics,
            protocol=protocol.protocol,
            subset=protocol.subset,
            scores=scores or [],
            objects=inputs.objects,
            regions=inputs.regions,
            confidence=inputs.confidence,
            missing=settings.missing,
            bootstrap=bootstrap,
            seed=settings.seed,
            workers=settings.workers,
            progress=progress,
            **protocol.choices(),
        )
    deliver(verdict, output)


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
