"""`vericap compare`: captioners side by side, with tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from vericap.cli.options import Metrics, Output, Without, grouped_options
from vericap.run.inputs import Captioners, Inputs
from vericap.run.settings import Settings
from vericap.run.tests import Tests


@grouped_options
def compare(
    systems: Annotated[
        list[str], typer.Argument(metavar="A B …", help="Captions of each captioner, all of the same images.")
    ],
    *,
    inputs: Annotated[Inputs, Without("candidates")],
    metrics: Metrics = "default",
    tests: Tests,
    settings: Settings,
    output: Annotated[Output, Without("csv", "png")],
) -> None:
    """Compare captioners on the same images: scores with intervals, paired tests, captions that differ most."""
    from vericap.cli.output import deliver, progress_bar
    from vericap.run.compare import compare_inputs

    captioners = Captioners(dict(zip(_names(systems), systems, strict=True)))
    with progress_bar() as progress:
        comparison = compare_inputs(replace(inputs, candidates=captioners), settings, metrics, tests, progress)
    deliver(comparison, output)


def _names(paths: list[str]) -> list[str]:
    """Names of files without folder and ending; as given where two would be the same.

    >>> _names(["runs/a.json", "runs/b.json"]), _names(["one/a.json", "two/a.json"])
    (['a', 'b'], ['one/a.json', 'two/a.json'])
    """
    short = [Path(path).name.split(".")[0] or path for path in paths]
    if len(set(short)) == len(short):
        return short
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice is not None:
        from vericap.errors import InputError

        raise InputError("the file is given twice", source=twice, fix="compare different captioners")
    return paths
