"""The objects of one source while it is read: checked rows, with the names by which errors point at them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from vericap.corpus import ImageId
from vericap.errors import InputError
from vericap.readers.messages import describe, shown

Box: TypeAlias = tuple[float, float, float, float]
NO_BOX: Box = (math.nan, math.nan, math.nan, math.nan)


class ObjectFields(NamedTuple):
    """The names of an object's label, confidence and box in a source, for errors."""

    label: str | None = None
    confidence: str | None = None
    box: str | None = None


@dataclass
class ObjectRows:
    """One row per object; `images` are the ids that the source names, also those without an object.

    A label is a word, or the number or code of a category (COCO's `category_id`, Open Images' /m/…), which `names`,
    of this source or of another, turns into a word; numbers without a name are COCO's.
    `positions`: image i is the source's i-th.

    >>> rows = ObjectRows("objects.json")
    >>> rows.add(rows.image(7, 1), "dog", 1, box=[1, 2, 31, 42], corners=True)
    >>> rows.labels, rows.boxes
    (['dog'], [(1.0, 2.0, 30.0, 40.0)])
    """

    source: str
    images: dict[ImageId, None] = field(default_factory=dict)
    aliases: dict[str, ImageId] = field(default_factory=dict)
    names: dict[int | str, str] = field(default_factory=dict)
    positions: bool = False
    ids: list[ImageId] = field(default_factory=list)
    labels: list[int | str] = field(default_factory=list)
    confidence: list[float] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    rows: list[int | str] = field(default_factory=list)

    def wrong(self, problem: str, row: int | str | None, name: str | None, fix: str) -> InputError:
        """The error for something in this source."""
        return InputError(problem, source=self.source, row=row, field=name, fix=fix)

    def image(self, image_id: Any, row: int | str, name: str | None = None) -> ImageId:
        """An image that the source names, with or without objects."""
        if type(image_id) not in (int, str):
            problem = f"the image id is {describe(image_id)}"
            raise self.wrong(problem, row, name, "write ids as whole numbers or as strings")
        found: ImageId = image_id
        self.images.setdefault(found)
        return found

    def add(
        self,
        image_id: ImageId,
        label: Any,
        row: int | str,
        *,
        confidence: Any = None,
        box: Any = None,
        corners: bool = False,
        fields: ObjectFields = ObjectFields(),  # noqa: B008  # a tuple, which cannot change
    ) -> None:
        """An object of an image. `corners`: the box is left, top, right, bottom, not x, y, width, height."""
        if type(label) is str and not label.strip():
            raise self.wrong("the label is empty", row, fields.label, "name the object, or leave it out")
        if type(label) not in (str, int):
            fix = "write labels as strings, or as numbers of categories"
            raise self.wrong(f"the label is {describe(label)}", row, fields.label, fix)
        sure = math.nan
        if confidence is not None:
            number = type(confidence) in (int, float)
            if not number or not 0 <= confidence <= 1:
                what = f"{confidence:g}" if number and confidence == confidence else describe(confidence)
                problem = f"the confidence of {shown(label)} in image {shown(image_id)} is {what}"
                fix = "give a number from 0 to 1, or leave the object out"
                raise self.wrong(problem, row, fields.confidence, fix)
            sure = float(confidence)
        self.boxes.append(NO_BOX if box is None else self._box(box, corners, row, fields.box))
        self.ids.append(image_id)
        self.labels.append(label)
        self.confidence.append(sure)
        self.rows.append(row)

    def _box(self, box: Any, corners: bool, row: int | str, name: str | None) -> Box:
        fix = f"give {'left, top, right, bottom' if corners else 'x, y, width, height'}"
        if not isinstance(box, (list, tuple)) or len(box) != 4 or {*map(type, box)} - {int, float}:
            raise self.wrong("the box is not four numbers", row, name, fix)
        a, b, c, d = map(float, box)
        if not all(map(math.isfinite, (a, b, c, d))):
            raise self.wrong("the box has NaN or infinity in it", row, name, fix)
        width, height = (c - a, d - b) if corners else (c, d)
        if width < 0 or height < 0:
            raise self.wrong("the box has a negative side", row, name, fix)
        return a, b, width, height
