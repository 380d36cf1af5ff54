"""What every reader gives: captions in columns, checked, with the names by which errors point at a row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from vericap.corpus import ImageId
from vericap.errors import InputError
from vericap.readers.messages import describe, listed

ID_FIELDS = (
    "image_id",
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

Role = Literal["candidates", "references"]


@dataclass(frozen=True)
class Wanted:
    """What is looked for in a source: its side, and the names of its fields where they are unusual."""

    role: Role = "candidates"
    id_field: str | None = None
    caption_field: str | None = None
    fields: tuple[str, ...] = ()

    def caption_in(self, names: Iterable[str]) -> str | None:
        """The field of `names` that holds the captions."""
        known = CAPTION_FIELDS if self.role == "candidates" else REFERENCE_FIELDS
        return _pick(names, (self.caption_field,) if self.caption_field else known)

    def ids_in(self, names: Iterable[str], first: Callable[[str], Any]) -> str | None:
        """The field of `names` that holds the image ids; `first` gives the first value of a field.

        A field named `image` may hold the picture itself: a field whose first value can be an id goes first.
        """
        if self.id_field:
            return _pick(names, (self.id_field,))
        names = list(names)
        found = [name for known in ID_FIELDS if (name := _pick(names, (known,))) is not None]
        for name in found:
            if isinstance(first(name), (int, str, np.integer)):
                return name
        return next((name for name in found if _plain(name) != "image"), None)

    def no_caption(self, names: Iterable[str], source: str, row: int | str | None = None) -> InputError:
        """The error for a source without a field of captions."""
        if self.caption_field:
            return self.no_field(self.caption_field, names, source, row)
        known = CAPTION_FIELDS if self.role == "candidates" else REFERENCE_FIELDS
        return InputError(
            f"no field holds the captions; the fields are: {listed(names)}",
            source=source,
            row=row,
            fix=f"name one of them {known[0]} (also known: {', '.join(known[1:])})",
        )

    @staticmethod
    def no_field(name: str, names: Iterable[str], source: str, row: int | str | None = None) -> InputError:
        """The error for a field that was asked for by name."""
        return InputError(
            f"there is no field of that name; the fields are: {listed(names)}",
            source=source,
            row=row,
            field=name,
            fix="name one that is there",
        )


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", "_", str(name).strip()).lower()


def _pick(names: Iterable[str], known: Iterable[str]) -> str | None:
    names = list(names)
    plain = {_plain(name): name for name in reversed(names)}
    for wanted in known:
        if wanted in names:
            return wanted
        if _plain(wanted) in plain:
            return plain[_plain(wanted)]
    return None


def count_from_one(record: int) -> int | str:
    """The usual name of a record: its number, the first being 1."""
    return record + 1


@dataclass(frozen=True, eq=False)
class Captions:
    """The captions of one source. A record is what the source counts: a JSON object, a line, a key of a dict.

    `ids` and `fields` have a value a record. `record[i]` is the record of caption i; None: a caption each.
    `ids` None: the records are aligned by position. `aliases` are other names of images (COCO's `file_name`).
    """

    source: str
    captions: Sequence[str]
    ids: Sequence[ImageId] | None = None
    record: NDArray[np.int64] | None = None
    records: int = 0
    fields: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    aliases: Mapping[str, ImageId] = field(default_factory=dict)
    row_name: Callable[[int], int | str] = count_from_one

    def __len__(self) -> int:
        return len(self.captions)


def checked(
    source: str,
    ids: list[Any] | None,
    values: list[Any],
    *,
    fields: Mapping[str, list[Any]] | None = None,
    aliases: Mapping[str, ImageId] | None = None,
    row_name: Callable[[int], int | str] = count_from_one,
    id_field: str | None = None,
    caption_field: str | None = None,
    lists: bool = False,
) -> Captions:
    """Captions from raw values: each must be a string, or, where `lists` allows it, a list of strings."""

    def wrong(problem: str, record: int, name: str | None, fix: str) -> InputError:
        return InputError(problem, source=source, row=row_name(record), field=name, fix=fix)

    if not values:
        raise InputError("there is no caption in it", source=source, fix="give at least one")
    kinds = set(map(type, values))
    if kinds != {str}:
        values = [_caption_value(value) for value in values]
        kinds = set(map(type, values))
    record = None
    captions = values
    if kinds != {str}:
        if not (lists and kinds <= {str, list}):
            allowed = {str, list} if lists else {str}
            bad = next(i for i, value in enumerate(values) if type(value) not in allowed)
            fix = "write each caption as a string"
            raise wrong(f"the caption is {describe(values[bad])}", bad, caption_field, fix)
        groups = [[value] if type(value) is str else value for value in values]
        captions = [caption for group in groups for caption in group]
        record = np.repeat(np.arange(len(groups)), np.fromiter(map(len, groups), np.int64, len(groups)))
        if not set(map(type, captions)) <= {str}:
            captions = [_caption_value(caption) for caption in captions]
        if not set(map(type, captions)) <= {str}:
            bad = next(i for i, caption in enumerate(captions) if type(caption) is not str)
            item = bad - int(np.searchsorted(record, record[bad]))
            raise wrong(
                f"caption {item + 1} of the list is {describe(captions[bad])}",
                int(record[bad]),
                caption_field,
                "write each caption as a string",
            )
    odd = _not_text(captions)
    if odd is not None:
        raise wrong(
            "the caption has half of a surrogate pair, which is no character",
            odd if record is None else int(record[odd]),
            caption_field,
            "write the whole character or leave it out",
        )
    if ids is not None:
        ids = _checked_ids(ids, lambda i, problem, fix: wrong(problem, i, id_field, fix))
    return Captions(source, captions, ids, record, len(values), dict(fields or {}), dict(aliases or {}), row_name)


def _checked_ids(ids: list[Any], wrong: Callable[[int, str, str], InputError]) -> list[Any]:
    if not set(map(type, ids)) <= {int, str}:
        ids = [_id_value(value) for value in ids]
        if not set(map(type, ids)) <= {int, str}:
            bad = next(i for i, value in enumerate(ids) if type(value) not in (int, str))
            raise wrong(bad, f"the image id is {describe(ids[bad])}", "write ids as whole numbers or as strings")
    numbers = ids if set(map(type, ids)) == {int} else [value for value in ids if type(value) is int]
    if numbers and not (min(numbers) >= -(2**63) and max(numbers) < 2**64):
        bad = next(i for i, v in enumerate(ids) if type(v) is int and not -(2**63) <= v < 2**64)
        raise wrong(bad, "the image id does not fit into 64 bits", "write it as a string")
    odd = _not_text([value if type(value) is str else "" for value in ids]) if len(numbers) < len(ids) else None
    if odd is not None:
        raise wrong(odd, "the image id has half of a surrogate pair", "write the whole character")
    return ids


def _caption_value(value: Any) -> Any:
    """A string or list from what counts as one (numpy strings, tuples, arrays)."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return value.tolist()
    return value


def _id_value(value: Any) -> Any:
    if isinstance(value, str):
        return str(value)
    return int(value) if isinstance(value, np.integer) else value


def _not_text(captions: Sequence[str]) -> int | None:
    """The first caption that no encoding can hold."""
    if all(map(str.isascii, captions)):
        return None
    for i, caption in enumerate(captions):
        if not caption.isascii():
            try:
                caption.encode()
            except UnicodeEncodeError:
                return i
    return None
