"""The judgements of a benchmark, read and checked, whatever the benchmark: captions are strings, ids can be compared,
references are lists of strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from vericap.errors import InputError
from vericap.judging.benchmarks import benchmark
from vericap.judging.external import TableColumns, score_columns
from vericap.judging.judgements import Benchmark, Judged, Judgements
from vericap.judging.protocols import Protocol, Task, named
from vericap.options.inputs import columns_of
from vericap.readers.fields import Fields
from vericap.readers.judgements import Folder
from vericap.readers.messages import describe, one_line


def load(
    name: str,
    data: str | Path,
    protocol: str | None = None,
    subset: str | None = None,
    *,
    table: TableColumns | None = None,
    **choices: Any,
) -> tuple[Judgements, Protocol]:
    """Return a benchmark's judgements, and the protocol with its choices made;
    `table` names the columns of your own."""
    about = benchmark(name)
    if subset and subset not in about.subsets:
        some = ", ".join(about.subsets) or "none"
        raise InputError(f"{about.name} has no subset {subset!r}", field="subset", fix=f"it has {some}")
    chosen = named(about.protocols, protocol, about.name).changed(subset=subset or None, **choices)
    folder = Folder.find(Path(data), about.name, about.folders, about.source)
    if table is not None:
        folder = replace(folder, columns=table.columns, score_columns=table.scores, missing=table.missing)
    return read_checked(about, folder, chosen), chosen


def load_task(task: Task) -> tuple[Judgements, Protocol]:
    """Return the judgements that a task is about, and its protocol."""
    seed = task.settings.seed or None  # 0 leaves the protocol's own
    columns = Fields(columns_of(task.inputs.field)).columns
    table = TableColumns(columns, score_columns(task.others.score_column), task.settings.missing)
    return load(task.benchmark, task.data, task.choice.protocol, table=table, seed=seed, **task.choice.changes())


def read_checked(about: Benchmark, folder: Folder, protocol: Protocol) -> Judgements:
    """Return the judgements of a benchmark, read from its folder; an error names files of another shape."""
    try:
        judged = about.load(folder, protocol)
    except InputError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError) as error:
        raise InputError(
            f"the files are not as {about.name} has them ({one_line(f'{type(error).__name__}: {error}')})",
            source=str(folder.path),
            fix=f"take them as they are published: {about.source}",
        ) from error
    if isinstance(judged, Judged):
        check_judged(judged, str(folder.path))
    return judged


def check_judged(judged: Judged, source: str) -> None:
    """Raise an error that names the row and the field of the first value that cannot be.

    >>> import numpy as np
    >>> check_judged(Judged(["a"], [["a dog"]], [7], np.zeros(1, np.int64)), "ratings.json")
    Traceback (most recent call last):
    vericap.errors.InputError: ratings.json, row 1, field "caption": the caption is a number (7); write it as a string
    """
    if not len(judged):
        raise InputError("there is no caption in it", source=source, fix="give at least one")
    _check(judged.image_ids, lambda each: isinstance(each, (int, str)), "image_id", "image id", source)
    _check(judged.candidates, lambda each: isinstance(each, str), "caption", "caption", source)
    for row, given in enumerate(judged.references, 1):
        if not isinstance(given, (list, tuple)) or not all(isinstance(each, str) for each in given):
            what = describe(given)
            if isinstance(given, (list, tuple)):
                what = f"a list with {describe(next(each for each in given if not isinstance(each, str)))} in it"
            problem = f"the references are {what}"
            raise InputError(problem, source=source, row=row, field="references", fix="give a list of strings")


def _check(values: Sequence[Any], fits: Any, name: str, what: str, source: str) -> None:
    for row, value in enumerate(values, 1):
        if not fits(value) or isinstance(value, bool):
            problem = f"the {what} is {describe(value)}"
            raise InputError(problem, source=source, row=row, field=name, fix="write it as a string")
