"""`vericap serve`: scores over HTTP."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from vericap.options.declared import Without
from vericap.options.settings import Settings
from vericap.serve.options import ServeOptions

Served: TypeAlias = Annotated[Settings, Without({"missing", "repeated", "uncaptioned", "workers", "seed"})]


def serve(
    metrics: Annotated[
        str | None,
        typer.Option("--metrics", "-m", help="Metrics to offer. [default: a paper's table, and a few others]"),
    ] = None,
    references: Annotated[
        Path | None, typer.Option("--references", "-r", help="References to load, found by the image ids of requests.")
    ] = None,
    *,
    settings: Served = Settings(df="coco"),  # noqa: B008
    server: ServeOptions,
) -> None:
    """Score captions over HTTP: POST /score, /health, /metrics, /openapi.json."""
    import gc

    from vericap.metrics import served
    from vericap.serve.run import serve as run

    gc.enable()  # the command line has it off, for processes that live shortly
    metrics = metrics or served()
    local = server.host if ":" not in server.host else f"[{server.host}]"
    typer.echo(f"vericap: http://{local}:{server.port} offers {metrics}", err=True)
    run(replace(settings, workers=1), server, metrics, references)
