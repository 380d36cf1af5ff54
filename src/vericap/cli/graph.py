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
    tree: Annotated[
        bool, typer.Option("--tree", help="Show the tree of phrases too, which the parser stanford makes.")
    ] = False,
    parser: Annotated[
        str, typer.Option(help="Parser: stanford or vericap; auto is stanford where its grammar is installed.")
    ] = "auto",
) -> None:
    """Show what a caption says: objects, attributes, relations."""
    from vericap.cli.output import write
    from vericap.errors import InputError
    from vericap.scene.caption_graphs import TREE_PARSERS, default_parser, scene_graph, written_sentences
    from vericap.scene.parses import parses_of
    from vericap.show.graphs import draw_svg, draw_tree, graph_json
    from vericap.show.phrases import draw_phrases, draw_phrases_svg, side_by_side
    from vericap.views.graphs import Graphs

    chosen = parser if parser != "auto" else "stanford" if tree else default_parser()
    if chosen not in TREE_PARSERS:
        fix = f"use auto or one of {', '.join(TREE_PARSERS)}"
        raise InputError(f"no parser of trees is called {chosen!r}", field="parser", fix=fix)
    Graphs(chosen).check("graph")
    if tree and chosen != "stanford":
        raise InputError(f"the parser {chosen} makes no tree of phrases", field="tree", fix="use --parser stanford")
    found = scene_graph(caption, parser=chosen)
    parsed = (parse for words in written_sentences(caption) for parse in parses_of(words, chosen)) if tree else ()
    trees = [parse.tree for parse in parsed if parse.tree is not None]
    if svg is not None:
        drawn = draw_svg(found, "" if trees else caption)
        write(svg, [(side_by_side(draw_phrases_svg(trees, caption), drawn) if trees else drawn).encode()])
    if json:
        typer.echo(graph_json(found, caption))
    elif svg is None or str(svg) != "-":
        for each in trees:
            typer.echo("\n".join([*draw_phrases(each), ""]))
        typer.echo("\n".join(draw_tree(found)))
