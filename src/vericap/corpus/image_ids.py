"""Image ids: 42, "42", "000000000042" and "COCO_val2014_000000000042.jpg" are spellings of one id. Which image an id
means is decided here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from vericap.arrays import Integers
from vericap.corpus.columns import IntegerColumn
from vericap.errors import InputError

ImageId: TypeAlias = int | str
Place: TypeAlias = Callable[[int], tuple[str, int | str]]  # from an image to the file and the row that name it first

_NUMBER = re.compile(r"(?:COCO_[A-Za-z]+\d*_)?([0-9]+)", re.ASCII)
_EXTENSION = re.compile(r"\.(?:jpe?g|png|webp|gif|bmp|tiff?)$", re.IGNORECASE)


def canonical(image_id: ImageId) -> str:
    """Return the form that all spellings of an id share: no folder, no extension, no COCO prefix, no leading zeros.

    >>> {canonical(i) for i in (42, "42", "000000000042", "COCO_val2014_000000000042.jpg", "val2014/42.jpg")}
    {'42'}
    >>> canonical("1000268201_693b08cb0e.jpg")
    '1000268201_693b08cb0e'
    """
    if isinstance(image_id, int):
        return str(image_id)
    name = _EXTENSION.sub("", image_id.replace("\\", "/").rpartition("/")[2])
    number = _NUMBER.fullmatch(name)
    return (number[1].lstrip("0") or "0") if number else name


def shown(image_id: ImageId) -> str:
    """Return an id as errors show it."""
    return " ".join(repr(image_id).split())[:80]


@dataclass(frozen=True, eq=False)
class Images:
    """The images that a source names, each once. `place(i)` is the file and the row that name image i first.

    `aliases` are other names of images (COCO's `file_name`) with the ids that they belong to.

    >>> images = Images(["a.jpg", 7])
    >>> images.find("a"), images.find("007"), images.find("b")
    (0, 1, -1)
    """

    ids: Sequence[ImageId]
    place: Place | None = None
    aliases: Mapping[str, ImageId] = field(default_factory=dict)
    source: str = ""

    def found(self, image: int) -> tuple[str, int | str]:
        """Return the file and the row that name an image first."""
        return (self.source, image + 1) if self.place is None else self.place(image)

    def where(self, image: int) -> str:
        """Return the place of an image in words."""
        source, row = self.found(image)
        return f"row {row} of {source}"

    def find(self, image_id: ImageId) -> int:
        """Return the image of an id: the same id, a file name that belongs to one, or another spelling; -1 where there
        is none. An id that may be either of two images is an error."""
        image = self._number.get(image_id)
        if image is None and isinstance(image_id, str):
            image = self._aliases.get(image_id)
        if image is not None:
            return image
        found = self._spellings.get(canonical(image_id), ())
        if len(found) > 1:
            one, two = (
                shown(self.ids[each]) + ("" if self.place is None else f" ({self.where(each)})")
                for each in sorted(found)[:2]
            )
            source = f" of {self.source}" if self.place is None and self.source else ""
            raise InputError(
                f"image {shown(image_id)} may be {one} or {two}{source}",
                fix="write image ids in the same way on both sides",
            )
        return next(iter(found), -1)

    def find_numbers(self, image_ids: Sequence[ImageId]) -> Integers | None:
        """Return the images of ids that are numbers in a column; None if one is not: then `find` them one by one. No
        dictionary of all ids is made, which would be a copy in each process."""
        if not isinstance(self.ids, IntegerColumn) or not all(type(image_id) is int for image_id in image_ids):
            return None
        ids, images = self._sorted
        with suppress(OverflowError):  # of a number beyond 64 bits
            wanted = np.array(image_ids, np.int64)
            place = ids.searchsorted(wanted)
            place[place == len(ids)] = 0
            if (ids[place] == wanted).all():
                return images[place]
        return None

    @cached_property
    def _sorted(self) -> tuple[Integers, Integers]:
        ids: Integers = np.asarray(self.ids.values if isinstance(self.ids, IntegerColumn) else self.ids)
        order = np.argsort(ids, kind="stable")
        return ids[order], order

    @cached_property
    def _number(self) -> dict[ImageId, int]:
        return {image_id: image for image, image_id in enumerate(self.ids)}

    @cached_property
    def _aliases(self) -> dict[str, int]:
        number = self._number
        return {name: number[image_id] for name, image_id in self.aliases.items() if image_id in number}

    @cached_property
    def _spellings(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for name, image in [*self._number.items(), *self._aliases.items()]:
            found.setdefault(canonical(name), set()).add(image)
        return found
