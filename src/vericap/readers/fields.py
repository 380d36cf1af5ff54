"""Which column of a file holds what: the names that are known, and those that a user gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from vericap.errors import InputError
from vericap.readers.messages import listed

Side: TypeAlias = Literal["candidates", "references"]
EVERY = "*"  # among the columns to keep: all of them

ID_FIELDS = (
    "image_id",
    "ImageID",  # Open Images
    "ImageId",
    "cocoid",
    "id",
    "image",
    "file_name",
    "filename",
    "image_name",
    "image_path",
    "path",
    "img_id",
)
CAPTION_FIELDS = (
    "caption",
    "candidate",
    "prediction",
    "hypothesis",
    "generated_caption",
    "text",
    "sentence",
    "description",
)
REFERENCE_FIELDS = ("references", "reference", "refs", "captions", "sentences", "raw", *CAPTION_FIELDS)
# The names that each role's column usually has, the most usual first.
KNOWN: dict[str, tuple[str, ...]] = {
    "image_id": ID_FIELDS,
    "caption": CAPTION_FIELDS,
    "references": REFERENCE_FIELDS,
    "objects": ("objects", "labels", "detections", "annotations"),
    "label": ("label", "name", "class", "class_name", "category", "category_name", "LabelName", "category_id"),
    "confidence": ("score", "confidence", "Confidence", "Score", "probability"),
    "box": ("bbox", "box", "xyxy"),
}


@dataclass(frozen=True)
class Fields:
    """The columns that a user names, by role; a role that is not named has one of the names in KNOWN.

    >>> names = ["answer", "Caption"]
    >>> Fields().find("caption", names), Fields({"caption": "answer"}).find("caption", names)
    ('Caption', 'answer')
    """

    columns: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for role in self.columns:
            if role not in KNOWN:
                raise InputError(f"`{role}` is not a role of a field", fix=f"choose one of {', '.join(KNOWN)}")

    def names(self, role: str) -> tuple[str, ...]:
        """The names that the column of a role may have."""
        return (self.columns[role],) if role in self.columns else KNOWN[role]

    def find(self, role: str, names: Iterable[str]) -> str | None:
        """The one of `names` that has a role."""
        return next(iter(self.find_all(role, names)), None)

    def find_all(self, role: str, names: Iterable[str]) -> list[str]:
        """All of `names` that may have a role, the most usual name first. Case, blanks and hyphens do not matter."""
        there = dict.fromkeys(names)
        plain = {_plain(name): name for name in reversed(there)}
        found = [known if known in there else plain.get(_plain(known)) for known in self.names(role)]
        return [name for name in dict.fromkeys(found) if name is not None]

    def pick(self, role: str, record: Container[str]) -> str | None:
        """The field of a record that has a role, spelled exactly as it is known: for one record of very many.

        >>> Fields().pick("label", {"score": 0.5, "name": "dog"})
        'name'
        """
        return next((name for name in self.names(role) if name in record), None)

    def missing(self, role: str, names: Iterable[str], source: str, row: int | str | None = None) -> InputError:
        """The error for a source in which no column has a role."""
        if role in self.columns:
            return InputError(
                f"there is no field of that name; the fields are: {listed(names)}",
                source=source,
                row=row,
                field=self.columns[role],
                fix="name one that is there",
            )
        what = "captions" if role in ("caption", "references") else role.replace("_", " ")
        first, *others = KNOWN[role]
        return InputError(
            f"no field holds the {what}; the fields are: {listed(names)}",
            source=source,
            row=row,
            fix=f"name one of them {first} (also known: {', '.join(others)})",
        )


@dataclass(frozen=True)
class Wanted:
    """What is asked of a file: its side, the names of its columns, and which other columns and which images to keep.

    `images` are canonical image ids: a reader of a large file may pass over all others. None: all of them.
    """

    side: Side = "candidates"
    fields: Fields = field(default_factory=Fields)
    keep: tuple[str, ...] = ()
    images: Container[str] | None = None

    @property
    def every(self) -> bool:
        """Are all columns kept?"""
        return EVERY in self.keep

    def kept(self, names: Iterable[str]) -> list[str]:
        """Those of `names` that are kept.

        >>> Wanted(keep=("a", "x")).kept(["a", "b"]), Wanted(keep=(EVERY,)).kept(["a", "b"])
        (['a'], ['a', 'b'])
        """
        there = dict.fromkeys(names)
        return list(there) if self.every else [name for name in self.keep if name in there]

    @property
    def role(self) -> str:
        """The role of the captions' column."""
        return "caption" if self.side == "candidates" else "references"

    def captions_in(self, names: Iterable[str]) -> str | None:
        """The one of `names` that holds the captions."""
        return self.fields.find(self.role, names)

    def ids_in(self, names: Iterable[str], first: Callable[[str], Any]) -> str | None:
        """The one of `names` that holds the image ids; `first` gives the first value of a column.

        A column named `image` may hold the picture itself: a column whose first value can be an id goes first.
        """
        found = self.fields.find_all("image_id", names)
        if "image_id" in self.fields.columns:
            return next(iter(found), None)
        for name in found:
            if isinstance(first(name), (int, str, np.integer)):
                return name
        return next((name for name in found if _plain(name) != "image"), None)

    def no_captions(self, names: Iterable[str], source: str, row: int | str | None = None) -> InputError:
        """The error for a source without a column of captions."""
        return self.fields.missing(self.role, names, source, row)


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", "_", str(name).strip()).lower()
