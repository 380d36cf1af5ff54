"""Explanations as a page: each caption with its references, and below it how each metric scores it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from vericap.results.explanation import Explanation, Explanations, Matrix, Part
from vericap.show.explanation import by_caption
from vericap.show.grid import Grid
from vericap.show.matrix import shades
from vericap.show.media import as_page
from vericap.show.numbers import spell_value
from vericap.show.page import bullets, heading, page, paragraph

_HUES = {"red": "196, 30, 58", "blue": "24, 90, 189"}
_DARK = 0.6  # from this shade on, text on it is white


@as_page.register
def _(explanations: Explanations, scale: float = 1.0) -> str:
    """The page; what the metrics say about one caption is below it.

    >>> text = as_page(Explanations([Explanation("bleu-1", 0.5, "a <dog>", ["the dog"], {"brevity penalty": 1.0})]))
    >>> "a &lt;dog&gt;" in text, "http" in text
    (True, False)
    """
    parts: list[str] = []
    for image_id, found in by_caption(explanations):
        parts.append(heading(found[0].caption, 2))
        if image_id != "":
            parts.append(paragraph(f"image {image_id}"))
        if found[0].references:
            parts.append(bullets(found[0].references, "ol"))
        parts += [piece for explanation in found for piece in _explanation(explanation)]
    if explanations.notes:
        parts.append(bullets(explanations.notes))
    return page("Why these scores", parts)


def _explanation(explanation: Explanation) -> Iterator[str]:
    yield heading(f"{explanation.metric} = {spell_value(explanation.score)}", 3)
    if explanation.values:
        rows = [[name, spell_value(value)] for name, value in explanation.values.items()]
        yield Grid(["part of the formula", "value"], rows).draw("html")
    if explanation.drawing:
        yield f"<pre>{escape(chr(10).join(explanation.drawing))}</pre>"
    for name, parts in explanation.sections.items():
        yield heading(name, 4)
        yield _parts(list(parts))
    for name, matrix in explanation.matrices.items():
        yield heading(name, 4)
        yield _heat_map(matrix)


def _parts(parts: list[Part]) -> str:
    if not parts:
        return paragraph("(none)")
    names = list(dict.fromkeys(name for part in parts for name in part.values))
    rows = [
        [part.text, *(spell_value(part.values[name]) if name in part.values else "" for name in names)]
        for part in parts
    ]
    return Grid(["", *names], rows).draw("html")


def _heat_map(matrix: Matrix) -> str:
    if not matrix.values.size:
        return paragraph("(none)")
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *matrix.columns))
    rows = [
        f"<tr><th>{escape(name)}</th>{''.join(_cell(*each, matrix.hue) for each in zip(values, row, strict=True))}</tr>"
        for name, values, row in zip(matrix.rows, matrix.values.tolist(), shades(matrix).tolist(), strict=True)
    ]
    return "\n".join(['<div class="wide"><table class="heat">', f"<tr>{head}</tr>", *rows, "</table></div>"])


def _cell(value: float, shade: float, hue: str) -> str:
    text = "; color: #fff" if shade > _DARK else ""
    return f'<td style="background: rgba({_HUES[hue]}, {shade:.3f}){text}">{value:.2f}</td>'
