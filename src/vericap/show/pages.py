"""Each result as an HTML page that needs nothing else."""

from __future__ import annotations

from functools import singledispatch
from html import escape
from typing import Any

from vericap.results.comparison import Comparison
from vericap.results.curve import Curve
from vericap.results.explanation import Explanations
from vericap.results.scores import Result
from vericap.results.verdict import Verdict
from vericap.show import draw_contrasts, draw_table
from vericap.show.contrasts import examples_title, legend
from vericap.show.curve import curve_page
from vericap.show.explanation_page import page as explanation_page
from vericap.show.grids import Grid, page
from vericap.show.verdict import verdict_page


@singledispatch
def page_of(result: Any, scale: float = 1.0) -> str:
    """The page of a result."""
    raise TypeError(f"{type(result).__name__} has no page")


page_of.register(Verdict, verdict_page)
page_of.register(Curve, curve_page)


@page_of.register
def _(result: Result, scale: float = 1.0) -> str:
    signatures = [each.signature for each in result.values()]
    return page(result.label, [draw_table(result, "html", scale), _lines([*result.notes, *signatures])])


@page_of.register
def _(explanations: Explanations, scale: float = 1.0) -> str:
    return explanation_page(explanations)


@page_of.register
def _(comparison: Comparison, scale: float = 1.0) -> str:
    examples = Grid(
        ["image", "captioner", "caption", "better by"],
        [
            [str(each.image_id), name, caption, f"{each.difference:+.1f}" if name == each.system else ""]
            for each in comparison.examples
            for name, caption in each.captions.items()
        ],
        examples_title(comparison),
    )
    signatures = [each.signature for each in next(iter(comparison.values())).values()]
    return page(
        f"{' · '.join(comparison)}, {comparison.images:,} images",
        [
            draw_table(comparison, "html", scale),
            f"<p>{escape(legend(comparison))}</p>",
            draw_contrasts(comparison, "html", scale),
            examples.draw("html"),
            _lines([*comparison.notes, *signatures]),
        ],
    )


def _lines(lines: list[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
