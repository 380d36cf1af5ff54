"""Image ids: 42, "42", "000000000042" and "COCO_val2014_000000000042.jpg" are spellings of one id."""

from __future__ import annotations

import re
from typing import TypeAlias

ImageId: TypeAlias = int | str

_NUMBER = re.compile(r"(?:COCO_[A-Za-z]+\d*_)?([0-9]+)", re.ASCII)
_EXTENSION = re.compile(r"\.(?:jpe?g|png|webp|gif|bmp|tiff?)$", re.IGNORECASE)


def canonical(image_id: ImageId) -> str:
    """The form that all spellings of an id share: no folder, no extension, no COCO prefix, no leading zeros.

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
