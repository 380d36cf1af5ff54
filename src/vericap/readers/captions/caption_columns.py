"""Captions in columns, checked, with the names by which errors point at a row: what every reader of captions gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from vericap.arrays import Integers, rows_of
from vericap.corpus import ImageId
from vericap.corpus.columns import take
from vericap.errors import InputError
from vericap.readers.messages import describe, listed


def count_from_one(record: int) -> int | str:
    """Return the usual name of a record: its number, the first being 1."""
    return record + 1


@dataclass(frozen=True, eq=False)
class Captions:
    """The captions of one source. A record is what the source counts: a JSON object, a line, a key of a dict.

    `ids` and `fields` have one value per record. `record[i]` is the record of caption i; None: one caption each.
    `ids` None: the records are aligned by position. `aliases` are other names of images (COCO's `file_name`).
    """

    source: str
    captions: Sequence[str]
    ids: Sequence[ImageId] | None = None
    record: Integers | None = None
    records: int = 0
    fields: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    aliases: Mapping[str, ImageId] = field(default_factory=dict)
    row_name: Callable[[int], int | str] = count_from_one
    references: Captions | None = None  # those in the same rows
    notes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # of all fields that the first record has

    def __len__(self) -> int:
        return len(self.captions)

    @property
    def records_of_captions(self) -> Integers:
        """The record of each caption, array [captions]."""
        return np.arange(self.records) if self.record is None else self.record

    def keep(self, captions: Integers, records: Integers, *notes: str) -> Captions:
        """Return some of the captions and of the records, both by place in ascending order; a note says why.

        >>> rows = Captions("rows", ["a dog", "dogs", "a cat"], [7, 8], np.array([0, 0, 1]), 2)
        >>> kept = rows.keep(np.array([2]), np.array([1]))
        >>> kept.captions, kept.ids, kept.row_name(0)
        (['a cat'], [8], 2)
        """
        rows = records.tolist()
        return replace(
            self,
            captions=take(self.captions, captions),
            ids=None if self.ids is None else take(self.ids, records),
            record=np.searchsorted(records, self.records_of_captions[captions]),
            records=len(rows),
            fields={name: [column[row] for row in rows] for name, column in self.fields.items()},
            row_name=lambda row: self.row_name(rows[row]),
            notes=(*self.notes, *notes),
        )


@dataclass(eq=False)
class RawCaptions:
    """Columns as a file has them, before they are checked.

    `lists`: a value may be a list of captions. `id_field` and `caption_field` are the names that errors use.

    >>> RawCaptions("results.json", ["a dog", 7]).checked()
    Traceback (most recent call last):
    vericap.errors.InputError: results.json, row 2: the caption is a number (7); write each caption as a string
    """

    source: str
    values: list[Any] = field(default_factory=list)
    ids: list[Any] | None = None
    fields: dict[str, list[Any]] = field(default_factory=dict)
    row_name: Callable[[int], int | str] = count_from_one
    id_field: str | None = None
    caption_field: str | None = None
    lists: bool = False
    references: list[Any] | None = None  # lists of the references in the same rows
    reference_fields: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def checked(self, aliases: Mapping[str, ImageId] | None = None) -> Captions:
        """Return the captions: each value must be a string, or, where `lists` allows it, a list of strings."""
        if not self.values:
            raise InputError("there is no caption in it", source=self.source, fix="give at least one")
        captions, record = self._captions()
        if not all(map(str.isascii, captions)) and (odd := _not_text(captions)) is not None:
            raise self._wrong(
                "the caption has half of a surrogate pair, which is not a character",
                odd if record is None else int(record[odd]),
                self.caption_field,
                "write the whole character or leave it out",
            )
        ids = self.ids
        kinds = set(map(type, ids or ()))
        if ids is not None and not kinds <= {int, str}:
            ids, kinds = [_id_value(value) for value in ids], {str}
            if (bad := next((i for i, value in enumerate(ids) if type(value) not in (int, str)), None)) is not None:
                fix = "write ids as whole numbers or as strings"
                raise self._wrong(f"the image id is {describe(ids[bad])}", bad, self.id_field, fix)
        numbers = (ids or []) if kinds == {int} else [value for value in ids or () if type(value) is int]
        if numbers and not (min(numbers) >= -(2**63) and max(numbers) < 2**64):
            bad = next(i for i, v in enumerate(ids or ()) if type(v) is int and not -(2**63) <= v < 2**64)
            raise self._wrong("the image id does not fit into 64 bits", bad, self.id_field, "write it as a string")
        texts = [value if type(value) is str else "" for value in ids or ()] if str in kinds else []
        if not all(map(str.isascii, texts)) and (odd := _not_text(texts)) is not None:
            fix = "write the whole character"
            raise self._wrong("the image id has half of a surrogate pair", odd, self.id_field, fix)
        return Captions(
            self.source,
            captions,
            ids,
            record,
            len(self.values),
            self.fields,
            dict(aliases or {}),
            self.row_name,
            self._own_references() if self.references and any(self.references) else None,
            self.notes,
            self.names,
        )

    def _own_references(self) -> Captions:
        """Return the references of the same rows."""
        return replace(
            RawCaptions(self.source, self.references or [], self.ids, row_name=self.row_name, id_field=self.id_field),
            caption_field=listed(self.reference_fields),
            lists=True,
        ).checked()

    def _wrong(self, problem: str, record: int, name: str | None, fix: str) -> InputError:
        return InputError(problem, source=self.source, row=self.row_name(record), field=name, fix=fix)

    def _captions(self) -> tuple[list[str], Integers | None]:
        """Return the captions and the record of each; None: one caption each."""
        values = self.values
        kinds = set(map(type, values))
        if not kinds <= {str, list}:
            values = [_caption_value(value) for value in values]
            kinds = set(map(type, values))
        if kinds == {str}:
            return values, None
        allowed = {str, list} if self.lists else {str}
        if not kinds <= allowed:
            bad = next(i for i, value in enumerate(values) if type(value) not in allowed)
            fix = "write each caption as a string" + (", several as a list" if self.lists else "")
            raise self._wrong(f"the caption is {describe(values[bad])}", bad, self.caption_field, fix)
        groups = [[value] if type(value) is str else value for value in values]
        captions = [caption for group in groups for caption in group]
        record = rows_of(np.fromiter(map(len, groups), np.int64, len(groups)))
        if not set(map(type, captions)) <= {str}:
            captions = [_caption_value(_sentence(caption)) for caption in captions]
        bad_one = next((i for i, caption in enumerate(captions) if type(caption) is not str), None)
        if bad_one is not None:
            item = bad_one - int(np.searchsorted(record, record[bad_one])) + 1
            problem = f"caption {item} of the list is {describe(captions[bad_one])}"
            raise self._wrong(problem, int(record[bad_one]), self.caption_field, "write each caption as a string")
        return captions, record


def _sentence(value: Any) -> Any:
    """Return the caption of an object, such as coco-caption's {id: [{"caption": …}]} and Karpathy's sentences."""
    if isinstance(value, Mapping):
        return next((value[name] for name in ("caption", "raw") if name in value), value)
    return value


def _caption_value(value: Any) -> Any:
    """Return a string or list for what counts as one (numpy strings, tuples, arrays)."""
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
    """Return the first caption that no encoding can hold."""
    for i, caption in enumerate(captions):
        if not caption.isascii():
            try:
                caption.encode()
            except UnicodeEncodeError:
                return i
    return None
