"""`vericap metrics`: what there is, which question it answers, what it needs, and whom to cite."""

from __future__ import annotations

from typing import Annotated

import typer


def metrics(json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False) -> None:
    """List the metrics."""
    from vericap.metrics import registry
    from vericap.show.metric_list import metric_json, metric_lines

    available = {key: entry.make() for key, entry in registry().items()}
    if json:
        typer.echo(metric_json(available))
        return
    for line in metric_lines(available):
        typer.echo(line)
