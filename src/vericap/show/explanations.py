"""An explanation drawn as text: the formula's parts, then what matched with its weights, then matrices."""

from __future__ import annotations

from itertools import groupby

from vericap.results.explanation import Explanation, Explanations, Part
from vericap.show.heat_maps import png
from vericap.show.matrices import draw_matrix
from vericap.show.media import as_picture, as_text


def draw(explanation: Explanation) -> str:
    """Lines for a fixed-width screen.

    >>> print(draw(Explanation("bleu-1", 0.5, "a dog", ["the dog"], {"brevity penalty": 1.0},
    ...                        {"1-grams": [Part("dog", {"count": 1, "matched": 1})]})))
    bleu-1 = 0.5000
      brevity penalty  1.0000
      1-grams
        dog  count 1  matched 1
    """
    lines = [f"{explanation.metric} = {number(explanation.score)}"]
    width = max((len(name) for name in explanation.values), default=0)
    lines += [f"  {name.ljust(width)}  {number(value)}" for name, value in explanation.values.items()]
    lines += [f"  {line}" for line in explanation.drawing]
    for name, parts in explanation.sections.items():
        lines += [f"  {name}", *_columns(list(parts))]
    for name, matrix in explanation.matrices.items():
        lines += [f"  {name}", *(f"    {line}" for line in draw_matrix(matrix))]
    return "\n".join(lines)


def _columns(parts: list[Part]) -> list[str]:
    if not parts:
        return ["    (none)"]
    text_width = max(len(part.text) for part in parts)
    width: dict[str, int] = {}
    for part in parts:
        for name, value in part.values.items():
            width[name] = max(width.get(name, 0), len(number(value)))
    return [
        "    "
        + "  ".join(
            [
                part.text.ljust(text_width),
                *(f"{name} {number(value).rjust(width[name])}" for name, value in part.values.items()),
            ]
        ).rstrip()
        for part in parts
    ]


def number(value: float | int | str) -> str:
    """A number with four digits after the point; whole numbers and words as they are."""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


@as_text.register
def _(explanations: Explanations, format: str = "plain", scale: float = 1.0) -> str:
    """Each caption with its references, and below it what each metric makes of it."""
    several = len(set(explanations.image_ids)) > 1
    images = explanations.image_ids or [""] * len(explanations)
    paragraphs: list[str] = []
    for (image, caption), group in groupby(
        zip(images, explanations, strict=True), lambda pair: (pair[0], pair[1].caption)
    ):
        found = [explanation for _, explanation in group]
        head = [f"image      {image}"] if several else []
        head += [f"caption    {caption}"]
        head += [f"reference {number}  {text}" for number, text in enumerate(found[0].references, 1)]
        paragraphs += ["\n".join(head), *map(draw, found)]
    return "\n\n".join(paragraphs)


@as_picture.register
def _(explanations: Explanations, format: str = "png") -> bytes:
    return png(explanations)
