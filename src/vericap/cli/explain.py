"""`vericap explain`: the parts of each metric's formula for the captions of a few images."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from vericap.cli.options import Metrics, Output
from vericap.options.declared import Without
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings


def explain(
    *,
    inputs: Inputs,
    id: Annotated[list[str], typer.Option("--id", "--image-id", help="Image to explain; may be repeated.")],
    metrics: Metrics = "default",
    settings: Annotated[Settings, Without({"missing", "uncaptioned", "workers", "seed"})],
    output: Annotated[Output, Without({"format", "scale", "csv", "signatures", "explain"})],
) -> None:
    """Show why a caption has its scores."""
    from vericap.cli.output import deliver, page_pictures
    from vericap.options.page import is_address
    from vericap.run.explain import explain_inputs

    inputs, images = page_pictures(inputs, output)
    if images is not None and not is_address(images):
        output = replace(output, embed_images=True)  # a few pictures, whose boxes are drawn over them
    deliver(explain_inputs(inputs, settings, id, metrics), output, images=images)
