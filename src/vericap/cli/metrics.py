"""`vericap metrics`: what there is, which question it answers, what it needs, and whom to cite."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

import typer

from vericap.cli.streams import is_screen

if TYPE_CHECKING:
    from vericap.metrics.base import Metric


def metrics(
    name: Annotated[str | None, typer.Argument(help="Metric to describe, as cider-d.")] = None,
    citations: Annotated[bool, typer.Option("--citations", help="Name the paper of each metric.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the metrics, or describe one."""
    from vericap.metrics import parse, registry
    from vericap.show.metric_list import agreement, metric_json, metric_lines, metric_page
    from vericap.show.screen import on_screen

    if name is None:
        available = {key: entry.make() for key, entry in registry().items()}
    else:
        metric = parse(name)
        available = {metric.key: metric}
    if json:
        typer.echo(metric_json(available))
        return
    if name is None:
        lines = metric_lines(available, citations=citations)
    else:
        lines = metric_page(metric, _signature(metric), agreement().get(metric.key, {}))
    with on_screen(get_terminal_size().columns if is_screen(sys.stdout) else None):
        for line in lines:
            typer.echo(line)


def _signature(metric: Metric) -> str | None:
    """The signature of the metric on the captions that ship; None where it cannot be computed here."""
    from vericap.data import FOLDER
    from vericap.errors import VericapError
    from vericap.options.inputs import Inputs
    from vericap.run.prepare import prepare

    demo = FOLDER / "demo"
    objects = demo / "objects.json" if any("objects" in need for need in metric.needs) else None
    try:
        views = prepare(Inputs(demo / "strong.json", demo / "references.json", objects))
        return metric.signature(views)
    except (VericapError, ImportError):
        return None
