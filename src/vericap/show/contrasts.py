"""Contrasts of captioners, and the captions that differ most, as grids."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from vericap.results.comparison import Comparison, Example
from vericap.show.grids import Grid
from vericap.show.media import as_table, as_text, remarks, scaled
from vericap.show.tables import spell
from vericap.stats.contrast import Contrast


def contrast_grid(contrasts: Mapping[str, Sequence[Contrast]], scale: float = 1.0) -> Grid:
    """One row for each metric and two captioners.

    >>> one = Contrast("new", "old", 0.03, (0.01, 0.05), 0.004, 0.008, 0.2, 30, 50, 20)
    >>> print(contrast_grid({"cider-d": [one]}).draw("plain"))
    metric   captioners  difference    95 % interval  p (Holm)  effect  won  tied  lost
    cider-d   new − old     +0.0300  +0.0100 +0.0500     0.008   +0.20   30    50    20
    """
    head = ["metric", "captioners", "difference", "95 % interval", "p (Holm)", "effect", "won", "tied", "lost"]
    rows = [
        [
            key,
            f"{each.system} − {each.against}",
            _signed(each.difference, scale),
            " ".join(_signed(end, scale) for end in each.interval) if each.interval else "–",
            "–" if math.isnan(each.corrected) else f"{each.corrected:.3f}",
            "–" if math.isnan(each.effect) else f"{each.effect:+.2f}",
            *map(str, (each.wins, each.ties, each.losses)),
        ]
        for key, pairs in contrasts.items()
        for each in pairs
    ]
    return Grid(head, rows)


def examples_title(comparison: Comparison) -> str:
    """What the examples are, and by which metrics they were chosen."""
    keys = ", ".join(comparison.contrasts)
    over = f"mean over {keys}" if len(comparison.contrasts) > 1 else f"by {keys}"
    return f"Captions that differ most, in standard deviations of a metric's differences, {over}"


def legend(comparison: Comparison) -> str:
    """What a reader of the tables must know."""
    return (
        "± is half the 95 % interval; superscripts name the rows beaten at the level of 5 %: "
        f"paired {comparison.test} with {comparison.resamples:,} resamples of {comparison.images:,} images, "
        "Holm over the pairs of a metric; effect is Cohen's d, + is better"
    )


@as_text.register
def _(comparison: Comparison, format: str = "plain", scale: float = 1.0) -> str:
    """The scores, the contrasts and the captions that differ most; a table for a paper or a program is alone."""
    scores = as_table(comparison, format, scale)
    if format in ("latex", "csv", "html"):
        return scores
    parts = [scores, contrast_grid(comparison.contrasts, scale).draw(format)]
    if comparison.examples:
        parts.append(examples_title(comparison))
    return "\n\n".join([*parts, *map(_example, comparison.examples)])


def _example(example: Example) -> str:
    sign = "better" if example.difference > 0 else "worse"
    title = (
        f"image {example.image_id}: {example.system} {sign} than {example.against} "
        f"by {abs(example.difference):.1f} deviations"
    )
    return "\n".join([title, *(f"  {name}: {caption}" for name, caption in example.captions.items())])


@remarks.register
def _(comparison: Comparison, scale: float = 1.0) -> list[str]:
    signatures = [each.signature for each in next(iter(comparison.values())).values()]
    notes = [f"note: {note}" for note in comparison.notes]
    return [f"({legend(comparison)})", *scaled(scale), *notes, *signatures]


def _signed(number: float, scale: float) -> str:
    return spell(number, scale) if math.isnan(number) or number < 0 else f"+{spell(number, scale)}"
