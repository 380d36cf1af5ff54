"""`vericap graph`: the scene graph of a caption, as a tree, a drawing or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def graph(
    caption: Annotated[str, typer.Argument(help="A caption, as it is written.")],
    svg: Annotated[Path | None, typer.Option(help="Draw the graph into an SVG file.")] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the graph as JSON, which spice(parser=graphs) reads back.")
    ] = False,
) -> None:
    """Show what a caption says: objects, attributes, relations."""
    from vericap.cli.output import write
    from vericap.scene.caption_graphs import scene_graph
    from vericap.show.graphs import draw_svg, draw_tree, graph_json

    found = scene_graph(caption)
    if svg is not None:
        write(svg, [draw_svg(found, caption).encode()])
    if json:
        typer.echo(graph_json(found, caption))
    elif svg is None or str(svg) != "-":
        typer.echo("\n".join(draw_tree(found)))
