"""Explanations as text, as HTML and as heat maps: the parts of the formula, what matched with its weights, matrices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import chain, groupby, repeat
from typing import Any

import numpy as np

from vericap.corpus import ImageId
from vericap.options.page import PageOptions
from vericap.results.explanation import Explanation, Explanations, Matrix, Part
from vericap.show.grid import Grid
from vericap.show.numbers import spell_value
from vericap.show.page import bullets, document, heading, paragraph
from vericap.show.screen import visible

_WIDTH = 100
# The ends of one diverging scale whose middle is 0: light enough for black text.
_WARM, _COOL = "230, 159, 0", "86, 180, 233"


def explanation_text(explanation: Explanation) -> str:
    """Return lines for a fixed-width screen.

    >>> print(explanation_text(Explanation("bleu-1", 0.5, "a dog", ["the dog"], {"brevity penalty": 1.0},
    ...                                    {"1-grams": [Part("dog", {"count": 1, "matched": 1})]})))
    bleu-1 = 0.5000
      brevity penalty  1.0000
      1-grams
        dog  count 1  matched 1
    """
    lines = [f"{explanation.metric} = {spell_value(explanation.score)}"]
    width = max((len(name) for name in explanation.values), default=0)
    lines += [f"  {name.ljust(width)}  {spell_value(value)}" for name, value in explanation.values.items()]
    lines += [f"  {line}" for line in explanation.drawing]
    for name, parts in explanation.sections.items():
        lines += [f"  {name}", *(f"    {line}" for line in _columns(list(parts)))]
    for name, matrix in explanation.matrices.items():
        lines += [f"  {name}", *(f"    {line}" for line in matrix_lines(matrix))]
    return "\n".join(map(visible, lines))


def _columns(parts: list[Part]) -> list[str]:
    """Return one line per part, its numbers below those of the others."""
    if not parts:
        return ["(none)"]
    text_width = max(len(part.text) for part in parts)
    width: dict[str, int] = {}
    for part in parts:
        for name, value in part.values.items():
            width[name] = max(width.get(name, 0), len(spell_value(value)))
    lines = []
    for part in parts:
        numbers = [f"{name} {spell_value(value).rjust(width[name])}" for name, value in part.values.items()]
        lines.append("  ".join([part.text.ljust(text_width), *numbers]).rstrip())
    return lines


def matrix_lines(matrix: Matrix, width: int = _WIDTH) -> list[str]:
    """Return lines for a fixed-width screen, columns in blocks that fit; `*` marks the largest number of a column.

    >>> import numpy as np
    >>> print("\\n".join(matrix_lines(Matrix(["dog", "sofa"], ["a", "puppy"], np.array([[0.5, 3.25], [0.75, -1.0]])))))
             a  puppy
    dog   0.50  *3.25
    sofa *0.75  -1.00
    """
    if not matrix.values.size:
        return ["(none)"]
    largest = matrix.values.argmax(axis=0)
    columns = []
    for column, name in enumerate(matrix.columns):
        cells = [
            ("*" if row == largest[column] else "") + f"{value:.2f}"
            for row, value in enumerate(matrix.values[:, column])
        ]
        size = max(map(len, [name, *cells]))
        columns.append([text.rjust(size) for text in [name, *cells]])
    names = [name.ljust(max(map(len, matrix.rows))) for name in ("", *matrix.rows)]
    lines: list[str] = []
    while columns:
        block = [columns.pop(0)]
        used = len(names[0]) + 1 + len(block[0][0])
        while columns and used + 2 + len(columns[0][0]) <= width:
            used += 2 + len(columns[0][0])
            block.append(columns.pop(0))
        lines += [f"{name} {'  '.join(cells)}" for name, *cells in zip(names, *block, strict=True)]
    return lines


def object_lines(objects: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the objects of a picture, one per line: label, confidence, box from corner to corner, words that name it.

    >>> print("\\n".join(object_lines([{"label": "dog", "confidence": 0.91, "box": [4, 5, 20, 10], "words": ["puppy"]},
    ...                               {"label": "cup", "words": []}])))
    objects
      dog  0.91  (4, 5)–(24, 15)  puppy
      cup
    """
    if not objects:
        return []
    parts = []
    for each in objects:
        sure = f"{each['confidence']:.2f}" if "confidence" in each else ""
        box = each.get("box")
        where = f"({box[0]:.0f}, {box[1]:.0f})–({box[0] + box[2]:.0f}, {box[1] + box[3]:.0f})" if box else ""
        parts.append((each["label"], sure, where, ", ".join(dict.fromkeys(each["words"]))))
    width = [max(len(part[column]) for part in parts) for column in range(4)]
    kept = [column for column in range(4) if width[column]]
    return ["objects", *("  " + "  ".join(part[c].ljust(width[c]) for c in kept).rstrip() for part in parts)]


def by_caption(explanations: Explanations) -> Iterator[tuple[ImageId, list[Explanation]]]:
    """Yield the explanations of each caption with the id of its image, which is empty if it is not known."""
    images = explanations.image_ids or [""] * len(explanations)
    pairs = zip(images, explanations, strict=True)
    for (image_id, _), group in groupby(pairs, lambda pair: (pair[0], pair[1].caption)):
        yield image_id, [explanation for _, explanation in group]


def as_text(explanations: Explanations, format: str = "plain", scale: float = 1.0) -> str:
    """Return each caption with its references, and below it how each metric scores it."""
    several = len(set(explanations.image_ids)) > 1
    paragraphs: list[str] = []
    for image_id, found in by_caption(explanations):
        head = [f"image        {image_id}"] if several else []
        head += [f"caption      {found[0].caption}"]
        head += [f"reference {number}  {text}" for number, text in enumerate(found[0].references, 1)]
        head += object_lines(explanations.objects_of(image_id, found[0].caption))
        paragraphs += ["\n".join(map(visible, head)), *map(explanation_text, found)]
    return "\n\n".join(paragraphs)


def as_picture(explanations: Explanations, format: str = "png") -> bytes:
    """Return the matrices as heat maps."""
    from vericap.show.figures import draw_heat_maps

    reach = reaches(explanations)
    return draw_heat_maps(
        [
            (f"{each.metric}: {name}", matrix, reach[each.metric, matrix.hue] or 1.0)
            for each in explanations
            for name, matrix in each.matrices.items()
            if matrix.values.size
        ]
    )


def reaches(explanations: Iterable[Explanation]) -> dict[tuple[str, str], float]:
    """Return for each metric and hue the largest absolute number of all its matrices, at which the colours end."""
    reach: dict[tuple[str, str], float] = {}
    for each in explanations:
        for matrix in each.matrices.values():
            largest = float(np.nanmax(np.abs(matrix.values), initial=0.0)) if matrix.values.size else 0.0
            key = each.metric, matrix.hue
            reach[key] = max(reach.get(key, 0.0), largest)
    return reach


def as_page(explanations: Explanations, scale: float = 1.0, options: PageOptions | None = None) -> str:
    """Return the report of the explanations as a page."""
    from vericap.show.report.explain_report import explain_report

    report = explain_report(explanations, options)
    return document(report, _still(explanations, coloured=False, pictures=_pictures(report["captions"])), options)


def as_fragment(explanations: Explanations) -> str:
    """Return each caption, and below it how each metric scores it.

    >>> text = as_fragment(Explanations([Explanation("bleu-1", 0.5, "a <dog>", ["the dog"], {"brevity penalty": 1.0})]))
    >>> "a &lt;dog&gt;" in text, "http" in text
    (True, False)
    """
    return _still(explanations, coloured=True)


def _still(explanations: Explanations, coloured: bool, pictures: Sequence[str] = ()) -> str:
    """Return HTML without scripts, without colours if a page's policy allows no style outside its sheet; `pictures`
    are those of the captions in their order, as HTML."""
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
    """Return the picture of each caption of a report with boxes over it, for readers without scripts."""
    if not captions["pictures"]:
        return []
    objects = captions["objects"] or [[]] * len(captions["pictures"])
    columns = [captions["image_ids"], captions["pictures"], captions["sizes"], objects]
    return [_picture(*(column[image] for column in columns)) for image in captions["image"]]


def _picture(image_id: ImageId, source: str | None, size: tuple[int, int] | None, objects: Sequence[Any]) -> str:
    """Return the picture as `picture` of page/detail.js draws it: boxes are an SVG over it if its size is known."""
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
    """Return the matrix, coloured up to `reach` on both sides of 0."""
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
