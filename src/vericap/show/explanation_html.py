"""Explanations as a page: each caption with its references, and below it how each metric scores it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import chain, repeat
from typing import Any

from vericap.corpus import ImageId
from vericap.options.page import PageOptions
from vericap.results.explanation import Explanation, Explanations, Matrix, Part
from vericap.show.explanation import by_caption
from vericap.show.grid import Grid
from vericap.show.media import as_fragment, as_page
from vericap.show.numbers import spell_value
from vericap.show.page import bullets, heading, paragraph
from vericap.show.report.document import document
from vericap.show.report.explain_report import explain_report
from vericap.show.report.explained import reaches

# The ends of one diverging scale whose middle is 0: light enough for black text.
_WARM, _COOL = "230, 159, 0", "86, 180, 233"


@as_page.register
def _(explanations: Explanations, scale: float = 1.0, options: PageOptions | None = None) -> str:
    images = str((options and options.images) or "")
    report = explain_report(explanations, options)
    return document(report, _still(explanations, coloured=False, pictures=_pictures(report["captions"])), images)


@as_fragment.register
def _(explanations: Explanations) -> str:
    """What the metrics say about one caption is below it.

    >>> text = as_fragment(Explanations([Explanation("bleu-1", 0.5, "a <dog>", ["the dog"], {"brevity penalty": 1.0})]))
    >>> "a &lt;dog&gt;" in text, "http" in text
    (True, False)
    """
    return _still(explanations, coloured=True)


def _still(explanations: Explanations, coloured: bool, pictures: Sequence[str] = ()) -> str:
    """Without colours where a page's policy allows no style but that of its sheet; `pictures` are those of the
    captions in their order, as HTML."""
    parts: list[str] = []
    reach = reaches(explanations) if coloured else {}
    for (image_id, found), picture in zip(by_caption(explanations), chain(pictures, repeat("")), strict=False):
        parts.append(heading(found[0].caption, 2))
        if image_id != "":
            parts.append(paragraph(f"image {image_id}"))
        if picture:
            parts.append(picture)
        if found[0].references:
            parts.append(bullets(found[0].references, "ol"))
        parts += [piece for explanation in found for piece in _explanation(explanation, reach)]
    if explanations.notes:
        parts.append(bullets(explanations.notes))
    return "\n".join(parts)


def _pictures(captions: Mapping[str, Any]) -> list[str]:
    """The picture of each caption of a report with boxes over it, for readers without scripts."""
    if not captions["pictures"]:
        return []
    objects = captions["objects"] or [[]] * len(captions["pictures"])
    columns = [captions["image_ids"], captions["pictures"], captions["sizes"], objects]
    return [_picture(*(column[image] for column in columns)) for image in captions["image"]]


def _picture(image_id: ImageId, source: str | None, size: tuple[int, int] | None, objects: Sequence[Any]) -> str:
    """As `picture` of page/detail.js draws it: boxes are an SVG over the picture, where its size is known."""
    if source is None:
        return ""
    names = ", ".join(each["label"] for each in objects)
    told = f"Picture of image {image_id}{': ' + names if names else ''}"
    image = f'<img src="{escape(source)}" alt="{escape(told)}">'
    boxed = [each for each in objects if "box" in each]
    if size is None or not boxed:
        return f'<div class="picture large">{image}</div>'
    letters = max(12, size[1] / 30)
    shapes = "".join(_box(each, letters) for each in boxed)
    view = f'viewBox="0 0 {size[0]} {size[1]}" preserveAspectRatio="none"'
    return f'<div class="picture large">{image}<svg class="boxes" aria-hidden="true" {view}>{shapes}</svg></div>'


def _box(each: Mapping[str, Any], letters: float) -> str:
    x, y, width, height = each["box"]
    colour = f"s{each['hue']}" if "hue" in each else "plain"
    name = each["label"] if "confidence" not in each else f"{each['label']} {each['confidence']:.2f}"
    return (
        f'<g class="{colour}">'
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" class="object-box"/>'
        f'<text x="{x + 3:g}" y="{y + letters:g}" font-size="{letters:g}" class="object-name">{escape(name)}</text></g>'
    )


def _explanation(explanation: Explanation, reach: Mapping[tuple[str, str], float]) -> Iterator[str]:
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
        yield _heat_map(matrix, reach.get((explanation.metric, matrix.hue)))


def _parts(parts: list[Part]) -> str:
    if not parts:
        return paragraph("(none)")
    names = list(dict.fromkeys(name for part in parts for name in part.values))
    rows = [
        [part.text, *(spell_value(part.values[name]) if name in part.values else "" for name in names)]
        for part in parts
    ]
    return Grid(["", *names], rows).draw("html")


def _heat_map(matrix: Matrix, reach: float | None) -> str:
    """The matrix, coloured up to `reach` on both sides of 0."""
    if not matrix.values.size:
        return paragraph("(none)")
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *matrix.columns))
    rows = [
        f"<tr><th>{escape(name)}</th>{''.join(_cell(value, reach) for value in values)}</tr>"
        for name, values in zip(matrix.rows, matrix.values.tolist(), strict=True)
    ]
    return "\n".join(['<div class="wide"><table class="heat">', f"<tr>{head}</tr>", *rows, "</table></div>"])


def _cell(value: float, reach: float | None) -> str:
    if not reach:
        return f"<td>{value:.2f}</td>"
    colour = f"rgba({_COOL if value < 0 else _WARM}, {abs(value) / reach:.3f})"
    return f'<td style="background: {colour}">{value:.2f}</td>'
