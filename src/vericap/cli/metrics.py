"""`vericap metrics`: what there is, which question it answers, what it needs, and whom to cite."""

from __future__ import annotations

from typing import Annotated

import typer


def metrics(json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False) -> None:
    """List the metrics."""
    import orjson

    from vericap.metrics import registry

    rows = [
        {
            "key": key,
            "question": metric.question,
            "needs": list(metric.needs),
            "range": list(metric.range),
            "higher_is_better": metric.higher_is_better,
            "citation": metric.citation,
        }
        for key, metric in ((key, make()) for key, make in registry().items())
    ]
    if json:
        typer.echo(orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode())
        return
    for row in rows:
        low, high = (("∞" if bound is None else f"{bound:g}") for bound in row["range"])
        better = "higher is better" if row["higher_is_better"] else "lower is better"
        typer.echo(
            f"{row['key']:<14} {row['question']:<9} needs {', '.join(row['needs'])}; {low}–{high}, {better}"
        )
        typer.echo(f"{'':<14} {row['citation']}")
