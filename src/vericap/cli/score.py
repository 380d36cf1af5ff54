"""`vericap score`: the table for the paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import typer

from vericap.cli.file_names import short_name
from vericap.cli.options import Metrics, Output, Without, grouped_options
from vericap.cli.rows import Rows
from vericap.errors import InputError
from vericap.options.declared import Between, check_fields
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings
from vericap.streaming.options import StreamOptions


@dataclass(frozen=True)
class SummaryOptions:
    """What the table says beside the corpus scores."""

    bootstrap: Annotated[int, Between(0, 10_000_000)] = field(
        default=0, metadata={"help": "Number of resamples for a 95 % interval beside each score."}
    )
    group_by: str | None = field(default=None, metadata={"help": "Field of the captions; each value gets its own row."})

    def __post_init__(self) -> None:
        check_fields(self, "a table of scores")

    def refuse_in_stream(self) -> None:
        """Both need the statistics of all captions at once."""
        if self.bootstrap or self.group_by is not None:
            raise InputError(
                "a stream keeps sums, not captions: it has neither intervals nor groups",
                field="bootstrap" if self.bootstrap else "group-by",
                fix="leave it out, or score without --stream",
            )


@grouped_options
def score(
    context: typer.Context,
    *,
    inputs: Inputs,
    metrics: Metrics = "default",
    reading: SummaryOptions,
    rows: Rows,
    settings: Settings,
    output: Annotated[Output, Without("png")],
    streaming: StreamOptions,
) -> None:
    """Score captions, against references or against what the pictures show."""
    from vericap.cli.output import deliver, page_pictures, progress_bar, say, write
    from vericap.engine.freed_memory import are_small, return_freed_memory
    from vericap.run.evaluate import evaluate_inputs

    candidates, references = inputs.candidates, inputs.references or []
    if not are_small([candidates, *(references if isinstance(references, list) else [references])]):
        return_freed_memory()
    _refuse_others(candidates, context.args)
    if streaming.stream:
        from vericap.cli.streaming import score_stream

        reading.refuse_in_stream()
        score_stream(inputs, settings, metrics, rows, streaming, output)
        return
    rows.check(metrics)
    inputs, images = page_pictures(inputs, output)
    label = short_name(candidates)
    with progress_bar(output.quiet) as progress:
        result = evaluate_inputs(
            inputs,
            settings,
            metrics,
            bootstrap=reading.bootstrap,
            group_by=reading.group_by,
            label=label,
            fields=["*"] if rows.output is not None else [],
            progress=progress,
        )
    deliver(result, output, rows.lists(result, output.scale), images)
    if rows.output is not None:
        from vericap.show.row_files import as_row_file

        table = rows.table(result)
        write(rows.output, as_row_file(table, rows.output))
        say(table.notes, output)


def _refuse_others(candidates: str, others: list[str]) -> None:
    """Several files of captions are for `compare`."""
    if others:
        files = [candidates, *others]
        raise InputError(
            f"score takes the captions of one captioner, and {len(files)} files were given",
            source=", ".join(files),
            fix=f"to compare captioners: vericap compare {' '.join(files)}; to give references: --references FILE",
        )
