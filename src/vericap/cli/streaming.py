"""`vericap score --stream`: captions that do not fit into memory."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from vericap.cli.options import Output
from vericap.cli.rows import Rows
from vericap.cli.streams import is_screen
from vericap.errors import InputError
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings
from vericap.streaming.options import StreamOptions


def score_stream(
    inputs: Inputs, settings: Settings, metrics: str, rows: Rows, options: StreamOptions, output: Output
) -> None:
    """Scores a stream, writes its rows, and prints the corpus scores."""
    from vericap.cli.output import deliver
    from vericap.streaming.run import Stream, refuse_pictures

    gc.enable()  # the command line has it off, for processes that live shortly
    refuse_pictures(inputs)
    _refuse_lists(rows, output)
    stream = Stream(inputs, settings, metrics, options, options.engine_for(settings.workers), rows.filter)
    with stream_progress(output.quiet) as progress:
        result = stream.write(rows.output, progress)
    deliver(result, output)


def _refuse_lists(rows: Rows, output: Output) -> None:
    """An error for what needs all captions at once."""
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


@contextmanager
def stream_progress(quiet: bool = False) -> Iterator[Callable[[str, int, float], None] | None]:
    """A function that shows rows, rows per second and the time left on stderr; None where that is not a terminal."""
    if quiet or not is_screen(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[rows]:,} rows, {task.fields[rate]:,.0f} rows/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=1.0, rows=0, rate=0.0)
        begun: dict[str, int] = {}

        def show(what: str, rows: int, share: float) -> None:
            current = bar.tasks[0]
            if current.description != what:
                bar.reset(task, description=what, total=1.0)
                begun[what] = rows  # rows of an earlier run took no time in this one
            elapsed = current.elapsed or 0.0
            rate = (rows - begun[what]) / elapsed if elapsed > 0 else 0.0
            bar.update(task, completed=share, rows=rows, rate=rate)

        yield show
