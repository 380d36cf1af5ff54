"""Each result as an HTML page that needs nothing else."""

from __future__ import annotations

from html import escape

from vericap.results.comparison import Comparison
from vericap.results.explanation import Explanations
from vericap.results.scores import Result
from vericap.show.contrasts import contrast_grid, examples_title, legend
from vericap.show.explanation_page import page as explanation_page
from vericap.show.grids import Grid, page
from vericap.show.media import as_page, as_table


@as_page.register
def _(result: Result, scale: float = 1.0) -> str:
    signatures = [each.signature for each in result.values()]
    return page(result.label, [as_table(result, "html", scale), _lines([*result.notes, *signatures])])


@as_page.register
def _(explanations: Explanations, scale: float = 1.0) -> str:
    return explanation_page(explanations)


@as_page.register
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
            as_table(comparison, "html", scale),
            f"<p>{escape(legend(comparison))}</p>",
            contrast_grid(comparison.contrasts, scale).draw("html"),
            examples.draw("html"),
            _lines([*comparison.notes, *signatures]),
        ],
    )


def _lines(lines: list[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
