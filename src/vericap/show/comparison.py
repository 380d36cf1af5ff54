"""Captioners side by side: their scores, the contrasts between them, the captions that differ most, and a page."""

from __future__ import annotations

import math
from dataclasses import replace

from vericap.options.page import PageOptions
from vericap.results.comparison import Comparison, Example
from vericap.show import note_lines
from vericap.show.claims import better_first, claims, contrast_sentences, opposite_signs, unsupported
from vericap.show.grid import Grid
from vericap.show.numbers import contrast_cells, signature_lines
from vericap.show.score_table import ScoreTable
from vericap.show.scores import score_table
from vericap.show.screen import visible
from vericap.stats.significance import letters, marks


def comparison_table(comparison: Comparison) -> ScoreTable:
    """Return one row per captioner; superscripts name the rows it beats significantly."""
    table = score_table(*comparison.values())
    superscripts = [[marks(rows) for rows in comparison.beats(key)] for key in comparison.contrasts]
    rows = [
        replace(row, label=name, letter=letters(i), marks=[column[i] for column in superscripts])
        for i, (name, row) in enumerate(zip(comparison, table.rows, strict=True))
    ]
    return replace(table, rows=rows, remark=f"{comparison.images:,} images; {_test(comparison)}")


def contrast_grid(comparison: Comparison, scale: float = 1.0) -> Grid:
    """Return one row for each metric and pair of captioners."""
    head = ["metric", "captioners", "difference", "95 % interval", "p (Holm)", "effect", "won", "tied", "lost"]
    rows = [
        [
            key,
            *contrast_cells(each.system, each, scale),
            "–" if math.isnan(each.effect) else f"{each.effect:+.2f}",
            *map(str, (each.wins, each.ties, each.losses)),
        ]
        for key, pairs in comparison.contrasts.items()
        for each in pairs
    ]
    return Grid(head, rows, names=2)


def examples_title(comparison: Comparison) -> str:
    """Return what the examples are, and by which metrics they were chosen."""
    keys = ", ".join(comparison.contrasts)
    over = f"mean over {keys}" if len(comparison.contrasts) > 1 else f"by {keys}"
    return f"Captions that differ most, in standard deviations of a metric's differences, {over}"


def examples_grid(comparison: Comparison) -> Grid:
    """Return one row for each image and captioner."""
    rows = []
    for each in comparison.examples:
        for name, caption in each.captions.items():
            better = f"{each.difference:+.1f}" if name == each.system else ""
            rows.append([str(each.image_id), name, caption, better])
        rows += [[str(each.image_id), "(reference)", text, ""] for text in each.references]
    return Grid(["image", "captioner", "caption", "better by"], rows, examples_title(comparison))


def legend(comparison: Comparison) -> str:
    """Return what a reader of the tables must know."""
    return f"{_test(comparison)}; effect is Cohen's d, + is better"


def _test(comparison: Comparison) -> str:
    return (
        "± is half the 95 % interval; superscripts name the rows beaten at the level of 5 %: "
        f"paired {comparison.test} with {comparison.resamples:,} resamples of {comparison.images:,} images, "
        "Holm over the pairs of a metric"
    )


def as_table(comparison: Comparison, format: str = "plain", scale: float = 1.0) -> str:
    """Return the table of scores."""
    return comparison_table(comparison).draw(format, scale)


def as_text(comparison: Comparison, format: str = "plain", scale: float = 1.0) -> str:
    """Return the scores, the contrasts and the captions that differ most; for a paper or a program the table alone."""
    scores = as_table(comparison, format, scale)
    if format in ("latex", "csv", "html"):
        return scores
    title = [examples_title(comparison)] if comparison.examples else []
    examples = map(_example, comparison.examples)
    contrasts = contrast_grid(comparison, scale).draw(format)
    said = "\n".join(map(visible, contrast_sentences(comparison, scale)))
    return "\n\n".join([scores, contrasts, said, *title, *examples])


def _example(example: Example) -> str:
    sign = "better" if example.difference > 0 else "worse"
    apart = f"by {abs(example.difference):.1f} deviations"
    title = f"image {example.image_id}: {example.system} {sign} than {example.against} {apart}"
    captions = [f"{name}: {caption}" for name, caption in example.captions.items()]
    references = [f"reference: {text}" for text in example.references]
    return "\n".join([visible(title), *(f"  {visible(line)}" for line in [*captions, *references])])


def remarks(comparison: Comparison, scale: float = 1.0, signatures: bool = False) -> list[str]:
    """Return the legend, the scale, the notes and the signatures."""
    notes = note_lines([*comparison.notes, *opposite_signs(comparison)], scale)
    lines = signature_lines(_signatures(comparison), each=signatures)
    return [f"({legend(comparison)})", *notes, *lines]


def _signatures(comparison: Comparison) -> list[str]:
    """Return the signatures of the first captioner, which hold for all."""
    return [each.signature for each in next(iter(comparison.values())).values()]


def as_page(comparison: Comparison, scale: float = 1.0, options: PageOptions | None = None) -> str:
    """Return the report of the comparison as a page."""
    from vericap.show.page import document
    from vericap.show.report.compare_report import compare_report

    comparison = better_first(comparison)
    return document(compare_report(comparison, scale, options), as_fragment(comparison, scale), options)


def as_fragment(comparison: Comparison, scale: float = 1.0) -> str:
    """Return the claims, the scores and the contrasts."""
    from vericap.show.page import details, paragraph

    comparison = better_first(comparison)
    notes = [*comparison.notes, *opposite_signs(comparison), *_signatures(comparison)]
    return "\n".join(
        [
            *map(paragraph, claims(comparison, scale)),
            as_table(comparison, "html", scale),
            paragraph(legend(comparison)),
            contrast_grid(comparison, scale).draw("html"),
            *([examples_grid(comparison).draw("html")] if comparison.examples else []),
            details("What the data do not show", unsupported(comparison, scale)),
            details("Notes and signatures", notes),
        ]
    )
