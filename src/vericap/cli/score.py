"""`vericap score`: the table for the paper."""

from __future__ import annotations

from typing import Annotated

import typer

from vericap.cli.file_names import short_name
from vericap.cli.options import Metrics, Output, Without, grouped_options
from vericap.cli.rows import Rows
from vericap.run.inputs import Inputs
from vericap.run.settings import Settings


@grouped_options
def score(
    context: typer.Context,
    *,
    inputs: Inputs,
    metrics: Metrics = "default",
    bootstrap: Annotated[int, typer.Option(help="Number of resamples for a 95 % interval beside each score.")] = 0,
    group_by: Annotated[str | None, typer.Option(help="Field of the captions; each value gets its own row.")] = None,
    rows: Rows,
    settings: Settings,
    output: Annotated[Output, Without("png")],
) -> None:
    """Score captions, against references or against what the pictures show."""
    from vericap.cli.output import deliver, progress_bar, say, write
    from vericap.run.evaluate import evaluate_inputs
    from vericap.show.row_files import as_row_file

    candidates = inputs.candidates
    _refuse_others(candidates, context.args)
    rows.check(metrics)
    label = short_name(candidates)
    with progress_bar(output.quiet) as progress:
        result = evaluate_inputs(
            inputs,
            settings,
            metrics,
            bootstrap=bootstrap,
            group_by=group_by,
            label=label,
            fields=["*"] if rows.output is not None else [],
            progress=progress,
        )
    deliver(result, output, rows.lists(result, output.scale))
    if rows.output is not None:
        table = rows.table(result)
        write(rows.output, as_row_file(table, rows.output))
        say(table.notes, output)


def _refuse_others(candidates: str, others: list[str]) -> None:
    """Several files of captions are for `compare`."""
    if others:
        from vericap.errors import InputError

        files = [candidates, *others]
        raise InputError(
            f"score takes the captions of one captioner, and {len(files)} files were given",
            source=", ".join(files),
            fix=f"to compare captioners: vericap compare {' '.join(files)}; to give references: --references FILE",
        )
