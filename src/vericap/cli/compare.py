"""`vericap compare`: captioners side by side, with tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from vericap.cli.options import Metrics, Output, named_files
from vericap.options.declared import Without
from vericap.options.inputs import Captioners, Inputs
from vericap.options.settings import Settings, Tests


def compare(
    systems: Annotated[
        list[str], typer.Argument(metavar="A B …", help="FILE or NAME=FILE of each captioner, all of the same images.")
    ],
    *,
    inputs: Annotated[Inputs, Without({"candidates"})],
    metrics: Metrics = "default",
    tests: Tests,
    settings: Settings,
    output: Annotated[Output, Without({"csv", "png"})],
) -> None:
    """Compare captioners on the same images: scores with intervals, paired tests, captions that differ most."""
    from vericap.cli.output import deliver, page_pictures, progress_bar
    from vericap.run.compare import compare_inputs

    inputs, images = page_pictures(inputs, output)
    captioners = Captioners(named_files(systems))
    with progress_bar(output.quiet) as progress:
        comparison = compare_inputs(replace(inputs, candidates=captioners), settings, metrics, tests, progress)
    deliver(comparison, output, images=images)
