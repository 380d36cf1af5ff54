"""An explanation as text: the formula's parts, then what matched with its weights, then matrices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from vericap.corpus import ImageId
from vericap.results.explanation import Explanation, Explanations, Part
from vericap.show.heat_maps import heat_maps
from vericap.show.matrix import matrix_lines
from vericap.show.media import as_picture, as_text
from vericap.show.numbers import spell_value
from vericap.show.visible import visible


def explanation_text(explanation: Explanation) -> str:
    """Lines for a fixed-width screen.

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
    """One line per part, its numbers below those of the others."""
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


def object_lines(objects: Sequence[Mapping[str, Any]]) -> list[str]:
    """The objects of a picture, one per line: label, confidence, box from corner to corner, words that name it.

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
    """What the metrics say about each caption, with the image's id; that is empty where it is not known."""
    images = explanations.image_ids or [""] * len(explanations)
    pairs = zip(images, explanations, strict=True)
    for (image_id, _), group in groupby(pairs, lambda pair: (pair[0], pair[1].caption)):
        yield image_id, [explanation for _, explanation in group]


@as_text.register
def _(explanations: Explanations, format: str = "plain", scale: float = 1.0) -> str:
    """Each caption with its references, and below it how each metric scores it."""
    several = len(set(explanations.image_ids)) > 1
    paragraphs: list[str] = []
    for image_id, found in by_caption(explanations):
        head = [f"image        {image_id}"] if several else []
        head += [f"caption      {found[0].caption}"]
        head += [f"reference {number}  {text}" for number, text in enumerate(found[0].references, 1)]
        head += object_lines(explanations.objects_of(image_id, found[0].caption))
        paragraphs += ["\n".join(map(visible, head)), *map(explanation_text, found)]
    return "\n\n".join(paragraphs)


@as_picture.register
def _(explanations: Explanations, format: str = "png") -> bytes:
    return heat_maps(explanations)
