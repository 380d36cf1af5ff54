"""Wording of errors and notes: values, ids, names of fields, counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from vericap.corpus import ImageId
from vericap.corpus.image_ids import shown as shown


def one_line(text: object) -> str:
    """Words of others (an exception, a column's name) on one line, for an error."""
    return " ".join(str(text).split())[:200]


def listed_ids(image_ids: Sequence[ImageId], rows: Sequence[int]) -> str:
    """The ids of the first few rows, for notes.

    >>> listed_ids([7, "a.jpg", 9], [1, 2])
    "'a.jpg', 9"
    """
    return ", ".join(shown(image_ids[i]) for i in rows[:5]) + (", …" if len(rows) > 5 else "")


def listed(names: Iterable[Any]) -> str:
    """Names of fields as errors list them."""
    return ", ".join(one_line(name)[:40] for name in list(names)[:12]) or "none"


def describe(value: Any) -> str:
    """A value's kind in words, as an error names it.

    >>> describe(None), describe(7), describe([1])
    ('null', 'a number (7)', 'a list')
    """
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return "null"
    if isinstance(value, (bool, np.bool_)):
        return f"a truth value ({str(value).lower()})"
    if isinstance(value, (int, float, np.number)):
        return "NaN" if value != value else f"a number ({str(value)[:20]})"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    return f"of type {type(value).__name__}"


def count(number: int, noun: str) -> str:
    """A number of things, as notes write it.

    >>> count(1, "image"), count(1200, "image")
    ('1 image', '1,200 images')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
