"""`vericap metrics`: what there is, which question it answers, what it needs, and whom to cite."""

from __future__ import annotations

from typing import Annotated

import typer


def metrics(json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False) -> None:
    """List the metrics."""
    import orjson

    from vericap.metrics import registry

    available = {key: entry.make() for key, entry in registry().items()}
    if json:
        rows = [
            {
                "key": key,
                "question": metric.question,
                "needs": metric.needs,
                "range": metric.range,
                "higher_is_better": metric.higher_is_better,
                "citation": metric.citation,
            }
            for key, metric in available.items()
        ]
        typer.echo(orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode())
        return
    wide = max(map(len, available))
    for key, metric in available.items():
        low, high = ("∞" if bound is None else f"{bound:g}" for bound in metric.range)
        low = "−∞" if metric.range[0] is None else low
        better = "higher is better" if metric.higher_is_better else "lower is better"
        needs = ", ".join(metric.needs) or "nothing else"
        typer.echo(f"{key:<{wide}} {metric.question:<9} needs {needs}; {low}–{high}, {better}")
        typer.echo(f"{'':<{wide}} {metric.citation}")
    example = "mean(spice,cider-r(k_r=0.5),weights=.7:.3,normalize=quantiles)"
    typer.echo(f"{'mean(a,b,…)':<{wide}} combines metrics, as in {example}")
