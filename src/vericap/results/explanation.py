"""Explanations of a caption's score: one data type that the terminal, the HTML page and JSON each draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, overload

from vericap.arrays import Floats
from vericap.corpus import ImageId
from vericap.results.drawable import Drawable
from vericap.results.plain import fields, plain, versions


@dataclass(frozen=True)
class Part:
    """One line of an explanation: a text, and the numbers that belong to it."""

    text: str
    values: Mapping[str, float | int | str] = field(default_factory=dict)


def word_rows(*rows: tuple[str, Sequence[str]]) -> list[str]:
    """Return rows of words for a fixed-width screen, word under word, each after its name.

    >>> word_rows(("caption", ["a", "dog"]), ("reference", ["the", "dog"]))
    ['caption    a    dog', 'reference  the  dog']
    """
    width = [9, *(max(map(len, column)) for column in zip(*(words for _, words in rows), strict=True))]
    cells = (zip([name, *words], width, strict=True) for name, words in rows)
    return ["  ".join(word.ljust(wide) for word, wide in row).rstrip() for row in cells]


@dataclass(frozen=True, eq=False)
class Matrix:
    """Numbers with a name for each row and column, such as objects × words; drawn as a heat map in a hue."""

    rows: Sequence[str]
    columns: Sequence[str]
    values: Floats
    hue: Literal["red", "blue"] = "blue"

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.rows), len(self.columns)):
            raise ValueError(f"{len(self.rows)} × {len(self.columns)} names for numbers of shape {self.values.shape}")

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return fields(self, "rows", "columns", "values")


@dataclass(frozen=True)
class Explanation:
    """An explanation of a caption's score. The terminal, the HTML page and JSON each draw this one type.

    `values` are the parts of the formula in the order it is computed, `sections` are named lists such as the
    matched n-grams, `drawing` holds lines for a fixed-width screen (an alignment, an edit script), and `matrices`
    are heat maps by name.
    """

    metric: str
    score: float
    caption: str
    references: Sequence[str]
    values: Mapping[str, float | int | str] = field(default_factory=dict)
    sections: Mapping[str, Sequence[Part]] = field(default_factory=dict)
    drawing: Sequence[str] = ()
    matrices: Mapping[str, Matrix] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            # The distance to a text without words is infinite, which JSON does not have.
            **fields(self, "metric", "score", "caption", "references", "values"),
            "sections": {
                name: [{"text": part.text, **plain(part.values)} for part in parts]
                for name, parts in self.sections.items()
            },
            "drawing": list(self.drawing),
            "matrices": {name: matrix.to_dict() for name, matrix in self.matrices.items()},
        }


@dataclass(frozen=True)
class Explanations(Sequence[Explanation], Drawable):
    """The result of `explain`: explanations in the order asked for, the image of each, and notes on the run.

    `facts` are question, range, direction and signature of each metric; `objects` are those of each image, by its id as
    text: label, box as x, y, width, height if it has one, and confidence if a detector found it. `mentions` holds for
    each caption the characters that name each label: {caption: {label: [(first, end), …]}}.
    """

    explanations: Sequence[Explanation]
    image_ids: Sequence[ImageId] = ()
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    objects: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    mentions: Mapping[str, Mapping[str, Sequence[tuple[int, int]]]] = field(default_factory=dict)

    def objects_of(self, image_id: ImageId | None, caption: str) -> list[dict[str, Any]]:
        """Return the objects of a caption's image, each with the words of the caption that name it."""
        spans = self.mentions.get(caption, {})
        return [
            {**each, "words": [caption[first:last] for first, last in spans.get(each["label"], ())]}
            for each in self.objects.get(str(image_id), ())
        ]

    @overload
    def __getitem__(self, index: int) -> Explanation: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Explanation]: ...

    def __getitem__(self, index: int | slice) -> Explanation | Sequence[Explanation]:
        return self.explanations[index]

    def __len__(self) -> int:
        return len(self.explanations)

    def __repr__(self) -> str:
        scores = ", ".join(f"{each.metric} {each.score:.4f}" for each in self.explanations[:9])
        return f"<{len(self)} explanations: {scores}{', …' if len(self) > 9 else ''}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON of `vericap explain --json`. Numbers that do not exist are None."""
        images: Sequence[ImageId | None] = self.image_ids or [None] * len(self)
        rows = [{"image_id": i, **each.to_dict()} for i, each in zip(images, self, strict=True)]
        if self.objects:
            rows = [{**row, "objects": self.objects_of(row["image_id"], row["caption"])} for row in rows]
        return {**versions(), "explanations": rows, "notes": list(self.notes)}
