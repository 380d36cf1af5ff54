"""The columns of a file by role: the names that are known, and those that a user gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Literal, TypeAlias

import numpy as np

from vericap.errors import InputError
from vericap.readers.messages import listed

Side: TypeAlias = Literal["candidates", "references"]
EVERY = "*"  # among the columns to keep: all of them

# ImageID is Open Images'.
ID_FIELDS = tuple(
    "image_id ImageID ImageId cocoid id image file_name filename image_name image_path path img_id imgid video_id "
    "video question_id index doc_id".split()
)
# In a row that has a prediction and a caption, the caption is what people wrote: names of predictions go first.
_PREDICTIONS = tuple("prediction pred predicted_caption candidate hypothesis generated_caption generated_text".split())
_CAPTIONS = ("caption", "text", "sentence", "description")
CAPTION_FIELDS = (*_PREDICTIONS, *_CAPTIONS)
# Names that only references have: a row of candidates that has one brings its references along.
OWN_REFERENCES = tuple(
    "references reference refs reference_strs reference_captions ground_truth ground_truths gts gt".split()
)
_OTHER_REFERENCES = ("captions", "annotations_captions", "sentences", "raw", "answer", "answers")
REFERENCE_FIELDS = (*OWN_REFERENCES, *_OTHER_REFERENCES, *_CAPTIONS, *_PREDICTIONS)
SPLIT_FIELDS = ("split", "set_name")
# The names that each role's column usually has, the most usual first.
KNOWN: dict[str, tuple[str, ...]] = {
    "image_id": ID_FIELDS,
    "caption": CAPTION_FIELDS,
    "references": REFERENCE_FIELDS,
    "objects": ("objects", "labels", "detections", "annotations"),
    "label": ("label", "name", "class", "class_name", "category", "category_name", "LabelName", "category_id"),
    "confidence": ("score", "confidence", "Confidence", "Score", "probability"),
    "box": ("bbox", "box", "xyxy"),
    "score": ("score", "rating"),
}


@dataclass(frozen=True)
class Fields:
    """The columns that a user names, by role; a role that is not named has one of the names in KNOWN.

    >>> names = ["answer", "Caption"]
    >>> Fields().find("caption", names), Fields({"caption": "answer"}).find("caption", names)
    ('Caption', 'answer')
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    # A file that lacks a column that was named has the usual names: references need not be named as candidates are.
    optional: bool = False

    def __post_init__(self) -> None:
        for role in self.columns:
            if role not in KNOWN:
                raise InputError(f"`{role}` is not a role of a field", fix=f"choose one of {', '.join(KNOWN)}")

    def names(self, role: str) -> tuple[str, ...]:
        """Return the names that the column of a role may have."""
        given = (self.columns[role],) if role in self.columns else ()
        return given if given and not self.optional else (*given, *KNOWN[role])

    def find(self, role: str, names: Iterable[str]) -> str | None:
        """Return the one of `names` that has a role."""
        return next(iter(self.find_all(role, names)), None)

    def find_all(self, role: str, names: Iterable[str]) -> list[str]:
        """Return all of `names` that may have a role, the most usual first. Case, blanks and hyphens do not matter."""
        there = dict.fromkeys(names)
        plain = {_plain(name): name for name in reversed(there)}
        found = [known if known in there else plain.get(_plain(known)) for known in self.names(role)]
        return [name for name in dict.fromkeys(found) if name is not None]

    def pick(self, role: str, record: Container[str]) -> str | None:
        """Return the field of a record that has a role, spelled exactly as it is known: for one record of very many.

        >>> Fields().pick("label", {"score": 0.5, "name": "dog"})
        'name'
        """
        return next((name for name in self.names(role) if name in record), None)

    def missing(self, role: str, names: Iterable[str], source: str, row: int | str | None = None) -> InputError:
        """Return the error for a source in which no column has a role."""
        if role in self.columns and not self.optional:
            return InputError(
                f"there is no field of that name; the fields are: {listed(names)}",
                source=source,
                row=row,
                field=self.columns[role],
                fix=f"write --field {role}=NAME with one of them",
            )
        what = "captions" if role in ("caption", "references") else role.replace("_", " ")
        usual = role if role in KNOWN[role] else KNOWN[role][0]
        return InputError(
            f"no field holds the {what}; the fields are: {listed(names)}",
            source=source,
            row=row,
            fix=f"say which one does: --field {role}=NAME, in Python columns={{{role!r}: NAME}}, or name it {usual}",
        )


@dataclass(frozen=True)
class Wanted:
    """The request to a reader: the side of a file, the names of its columns, and which other columns and which images
    to keep.

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
        """Return those of `names` that are kept.

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
        """Return the one of `names` that holds the captions; the first, where references have several columns."""
        if self.side == "candidates":
            return self.fields.find("caption", names)
        return next(iter(self.references_in(names)), None)

    def references_in(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of `names` that hold references: one column, or one for each (ref0, ref1, …). Of candidates,
        those that come with them, which may be none.

        >>> names = ["id", "prediction", "ref1", "ref10", "ref2"]
        >>> Wanted("references").references_in(names), Wanted().references_in(names)
        (('ref1', 'ref2', 'ref10'), ('ref1', 'ref2', 'ref10'))
        >>> Wanted("references").references_in(["id", "caption"]), Wanted().references_in(["id", "caption"])
        (('caption',), ())
        """
        names = [*names]
        given = self.fields.columns.get("references")
        if given is not None:
            return tuple(name for name in names if (fnmatchcase(name, given) if "*" in given else name == given))
        usual = Fields().find_all("references", names)
        single = next((name for name in usual if _plain(name) in OWN_REFERENCES), None)
        if single is not None:
            return (single,)
        if several := _numbered(names, self.side):
            return several
        if self.side == "references":
            return tuple(usual[:1])
        # VLMEvalKit's files: the answer next to a prediction is what people wrote.
        answer = next((name for name in usual if _plain(name) in ("answer", "answers")), None)
        return (answer,) if answer is not None and self.fields.find("caption", names) != answer else ()

    def ids_in(self, names: Iterable[str], first: Callable[[str], Any]) -> str | None:
        """Return the one of `names` that holds the image ids; `first` gives the first value of a column.

        A column named `image` may hold the picture itself: a column whose first value can be an id goes first.
        """
        names = [*names]
        found = self.fields.find_all("image_id", names)
        given = self.fields.columns.get("image_id")
        if given is not None and (given in names or not self.fields.optional):
            return next(iter(found), None)
        for name in found:
            if isinstance(first(name), (int, str, np.integer)):
                return name
        return next((name for name in found if _plain(name) != "image"), None)

    def no_captions(self, names: Iterable[str], source: str, row: int | str | None = None) -> InputError:
        """Return the error for a source without a column of captions."""
        return self.fields.missing(self.role, names, source, row)


_NUMBERED = re.compile(r"(refs?|references?|reference_captions?|gts?|captions?)_?([0-9]{1,6})")


def _numbered(names: Sequence[str], side: Side) -> tuple[str, ...]:
    """Return columns of one name and a number, in the order of their numbers."""
    families: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        found = _NUMBERED.fullmatch(_plain(name))
        if found is not None:
            families.setdefault(found[1], []).append((int(found[2]), name))
    if side == "candidates":  # caption_1 next to a prediction may be another candidate
        families = {stem: members for stem, members in families.items() if not stem.startswith("caption")}
    members = next(iter(families.values()), [])
    return tuple(name for _, name in sorted(members))


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", "_", str(name).strip()).lower()
