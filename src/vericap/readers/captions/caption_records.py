"""Records (objects with named fields, strings, or lists of strings) in batches → caption columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from vericap.corpus import ImageId
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, Wanted, checked, count_from_one
from vericap.readers.messages import describe, listed


class RecordColumns:
    """Takes batches of records and keeps only the columns that are wanted."""

    def __init__(self, wanted: Wanted, source: str, row_name: Callable[[int], int | str] = count_from_one) -> None:
        self.wanted, self.source, self.row_name = wanted, source, row_name
        self.ids: list[Any] | None = None
        self.values: list[Any] = []
        self.fields: dict[str, list[Any]] = {}
        self.id_field: str | None = None
        self.caption_field: str | None = None
        self.named: bool | None = None  # records are objects with named fields

    def add(self, records: list[Any]) -> None:
        """Append a batch."""
        if not records:
            return
        if self.named is None:
            self._look_at(records[0])
        if not self.named:
            for i, record in enumerate(records):
                if isinstance(record, Mapping):
                    raise self._wrong(i, "the row is an object where the rows before are not")
            self.values += records
            return
        try:
            values = [record[self.caption_field] for record in records]
            ids = None if self.id_field is None else [record[self.id_field] for record in records]
            extra = {name: [record[name] for record in records] for name in self.fields}
        except (KeyError, TypeError, IndexError):
            raise self._missing(records) from None
        self.values += values
        if ids is not None and self.ids is not None:
            self.ids += ids
        for name, column in extra.items():
            self.fields[name] += column

    def _look_at(self, record: Any) -> None:
        self.named = isinstance(record, Mapping)
        if not isinstance(record, Mapping):
            return
        self.caption_field = self.wanted.caption_in(record)
        if self.caption_field is None:
            raise self.wanted.no_caption(record, self.source, self.row_name(0))
        self.id_field = self.wanted.ids_in(record, record.get)
        if self.id_field is not None:
            self.ids = []
        elif self.wanted.id_field is not None:
            raise self.wanted.no_field(self.wanted.id_field, record, self.source, self.row_name(0))
        self.fields = {name: [] for name in self.wanted.fields if name in record}

    def _wrong(self, i: int, problem: str, field: str | None = None, fix: str | None = None) -> InputError:
        return InputError(
            problem,
            source=self.source,
            row=self.row_name(len(self.values) + i),
            field=field,
            fix=fix or "give every row the same shape",
        )

    def _missing(self, records: list[Any]) -> InputError:
        for i, record in enumerate(records):
            if not isinstance(record, Mapping):
                return self._wrong(i, f"the row is {describe_record(record)}, not an object with fields")
            for name in (self.caption_field, self.id_field, *self.fields):
                if name is not None and name not in record:
                    return self._wrong(i, f"the field is not there; the fields are: {listed(record)}", name)
        return self._wrong(0, "the row cannot be read")

    def finish(self, aliases: Mapping[str, ImageId] | None = None) -> Captions:
        """The columns, checked."""
        return checked(
            self.source,
            self.ids,
            self.values,
            fields=self.fields,
            aliases=aliases,
            row_name=self.row_name,
            id_field=self.id_field,
            caption_field=self.caption_field,
            lists=not self.named or self.wanted.role == "references",
        )


def describe_record(record: Any) -> str:
    """A record's kind in words."""
    return "a string" if isinstance(record, str) else describe(record)


def from_batches(
    batches: Iterable[list[Any]],
    wanted: Wanted,
    source: str,
    row_name: Callable[[int], int | str] = count_from_one,
) -> Captions:
    """Captions from records that come in batches."""
    columns = RecordColumns(wanted, source, row_name)
    for batch in batches:
        columns.add(batch)
    return columns.finish()
