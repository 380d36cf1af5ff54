"""`vericap score`: the table for the paper; rows of single captions; captions that do not fit into memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from vericap.cli.options import Metrics, Output, short_name
from vericap.errors import InputError
from vericap.options.declared import Between, Checked, Without, option
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings, Summary
from vericap.streaming.options import StreamOptions
from vericap.written import check_writable

if TYPE_CHECKING:
    from vericap.results.scores import Result

_LISTED = 10  # captions, where --sort names a metric and nothing says how many


@dataclass(frozen=True)
class RowsOptions(Checked):
    """Options of what is written and printed for each caption."""

    output: Path | None = option(
        None, "Write all columns of the captions, and their scores: .parquet, .jsonl, .csv or .tsv."
    )
    filter: str | None = option(None, "Rows to write to --output, as in 'vifidel > .4 and fluency > .01'.")
    worst: Annotated[int, Between(0, 1_000_000)] = option(
        0, "Print this many of the worst captions, with references and scores."
    )
    best: Annotated[int, Between(0, 1_000_000)] = option(
        0, "Print this many of the best captions, with references and scores."
    )
    sort: str | None = option(None, "Metric to sort captions by; default: the first metric.")

    called = "a list of captions"

    def check(self, metrics: str) -> None:
        """Raise an error, before any work, where the options cannot be followed."""
        if self.filter is not None:
            from vericap.options.row_filter import check_condition

            check_condition(self.filter)
            if self.output is None:
                raise InputError("there is no file for the rows that pass", field="filter", fix="add --output FILE")
        if self.output is not None:
            from vericap.show.row_files import kind_of

            kind_of(self.output)
            check_writable(self.output, "output")
        if self.sort is not None:
            from vericap.metrics import parse_list

            self._key([metric.key for metric in parse_list(metrics)])

    def lists(self, result: Result, scale: float) -> list[str]:
        """Return the worst and the best captions, as text."""
        from vericap.results.score_rows import ordered_rows
        from vericap.show.scores import caption_list

        key = self._key(list(result))
        wanted = {"Worst": self.worst, "Best": self.best}
        if not (self.worst or self.best):
            wanted["Worst"] = _LISTED
        found = []
        for name, count in wanted.items():
            rows = ordered_rows(result, key, best=name == "Best")[:count]
            if rows:
                found.append(caption_list(result, rows, f"{name} {len(rows)} by {key}", scale))
        return found

    def _key(self, keys: list[str]) -> str:
        if self.sort is None:
            return keys[0]
        from vericap.metrics import metric_key

        key = self.sort if self.sort in keys else metric_key(self.sort)
        if key not in keys:
            raise InputError(
                f"{self.sort} is not computed", field="sort", fix=f"use one of {', '.join(keys)}, or add it to -m"
            )
        return key


def score(
    context: typer.Context,
    *,
    inputs: Inputs,
    metrics: Metrics = "default",
    summary: Summary,
    rows: RowsOptions,
    settings: Settings,
    output: Annotated[Output, Without({"png"})],
    streaming: StreamOptions,
) -> None:
    """Score captions, against references or against what the pictures show."""
    from vericap.cli.output import deliver, page_pictures, progress_bar, say, write
    from vericap.engine.freed_memory import are_small, return_freed_memory
    from vericap.run.evaluate import evaluate_inputs

    candidates, references = inputs.candidates, inputs.references or []
    if not are_small([candidates, *(references if isinstance(references, list) else [references])]):
        return_freed_memory()
    if context.args:
        files = [candidates, *context.args]
        problem = f"score takes the captions of one captioner, and {len(files)} files were given"
        fix = f"to compare captioners: vericap compare {' '.join(files)}; to give references: --references FILE"
        raise InputError(problem, source=", ".join(files), fix=fix)
    if streaming.stream:
        _refuse_in_stream(summary, rows, output)
        score_stream(inputs, settings, metrics, rows, streaming, output)
        return
    if rows.output is not None or rows.filter is not None or rows.sort is not None:
        rows.check(metrics)
    inputs, images = page_pictures(inputs, output)
    label = short_name(candidates)
    with progress_bar(output.quiet) as progress:
        result = evaluate_inputs(
            inputs,
            settings,
            metrics,
            summary,
            label=label,
            fields=["*"] if rows.output is not None else [],
            progress=progress,
        )
    below = rows.lists(result, output.scale) if rows.worst or rows.best or rows.sort else []
    deliver(result, output, below, images)
    if rows.output is not None:
        from vericap.metrics import metric_key
        from vericap.results.score_rows import score_rows
        from vericap.show.row_files import as_row_file

        table = score_rows(result)
        if rows.filter is not None:
            table = table.keep(rows.filter, metric_key)
        write(rows.output, as_row_file(table, rows.output))
        say(table.notes, output.quiet)


def score_stream(
    inputs: Inputs, settings: Settings, metrics: str, rows: RowsOptions, options: StreamOptions, output: Output
) -> None:
    """Score a stream, write its rows, and print the corpus scores."""
    import gc

    from vericap.cli.output import deliver, progress_bar
    from vericap.streaming.run import Stream, refuse_pictures

    gc.enable()  # the command line has it off, for processes that live shortly
    refuse_pictures(inputs)
    stream = Stream(inputs, settings, metrics, options, options.engine_for(settings.workers), rows.filter)
    with progress_bar(output.quiet) as bar:
        result = stream.write(rows.output, bar and _with_rate(bar))
    deliver(result, output)


def _refuse_in_stream(summary: Summary, rows: RowsOptions, output: Output) -> None:
    """Raise an error for what needs all captions, or their statistics, at once."""
    if summary.bootstrap or summary.group_by is not None:
        raise InputError(
            "a stream keeps sums, not captions: it has neither intervals nor groups",
            field="bootstrap" if summary.bootstrap else "group-by",
            fix="leave it out, or score without --stream",
        )
    if output.csv is not None:
        raise InputError(
            "a stream writes its rows while it runs",
            field="csv",
            fix="use --output FILE.jsonl, or --output FOLDER for Parquet files",
        )
    if rows.worst or rows.best or rows.sort is not None:
        raise InputError(
            "a stream does not put captions in order",
            field="sort" if rows.sort is not None else "worst" if rows.worst else "best",
            fix="use --output and sort what it holds",
        )
    if rows.filter is not None and rows.output is None:
        raise InputError("there is no file for the rows that pass", field="filter", fix="add --output")


def _with_rate(bar: Callable[[str, float, int], None]) -> Callable[[str, int, float], None]:
    """Return a function that shows rows, rows per second and the share that is done in a progress bar."""
    begun: dict[str, tuple[int, float]] = {}

    def show(what: str, rows: int, share: float) -> None:
        first, start = begun.setdefault(what, (rows, perf_counter()))  # rows of an earlier run took no time in this one
        seconds = perf_counter() - start
        rate = (rows - first) / seconds if seconds > 0 else 0.0
        bar(f"{what}: {rows:,} rows, {rate:,.0f} rows/s", share, 1)

    return show
