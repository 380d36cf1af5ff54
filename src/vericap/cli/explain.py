"""`vericap explain`: the parts of each metric's formula for one caption."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vericap.cli import options


def explain(
    candidates: options.Candidates,
    id: Annotated[str, typer.Option("--id", help="The image whose caption is explained.")],
    references: options.References = None,
    objects: options.Objects = None,
    confidence: options.Confidence = None,
    regions: options.Regions = None,
    images: options.Images = None,
    detector: options.Detector = None,
    metrics: options.Metrics = "default",
    df: options.DocumentFrequency = "corpus",
    tokenizer: options.Tokenizer = "ptb",
    language: options.Language = "en",
    repeated: options.Repeated = "error",
    json: Annotated[Path | None, typer.Option(help="Write the explanations as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write them as a page that needs nothing else.")] = None,
    png: Annotated[Path | None, typer.Option(help="Draw the heat maps of metrics that have them.")] = None,
) -> None:
    """Show why a caption has its scores."""
    from vericap.cli.output import write
    from vericap.run.explain import explain as explain_captions
    from vericap.show.explanations import draw

    explanations = explain_captions(
        candidates,
        options.files(references),
        image_id=id,
        objects=options.files(objects),
        confidence=options.thresholds(confidence),
        regions=regions,
        images=images,
        detector=detector,
        metrics=metrics,
        df=df,
        tokenizer=tokenizer,
        language=language,
        repeated=repeated,
    )
    picture = None
    if png is not None:  # drawn first: where nothing can be drawn, no file is written
        from vericap.show.heat_maps import png as heat_maps

        picture = heat_maps(explanations)
    if json is not None:
        import orjson

        data = [explanation.to_dict() for explanation in explanations]
        write(json, [orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)])
    if html is not None:
        from vericap.show.explanation_page import page

        write(html, [page(explanations).encode()])
    if png is not None and picture is not None:
        write(png, [picture])
    shown = None
    for explanation in explanations:
        if explanation.caption != shown:
            typer.echo(f"caption    {explanation.caption}")
            for number, reference in enumerate(explanation.references, 1):
                typer.echo(f"reference {number}  {reference}")
            shown = explanation.caption
        typer.echo()
        typer.echo(draw(explanation))
