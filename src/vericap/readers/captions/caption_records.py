"""Records (objects with named fields, strings, or lists of strings) in batches → caption columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, RawCaptions, count_from_one
from vericap.readers.captions.published import plain_record
from vericap.readers.captions.reference_cells import merged
from vericap.readers.fields import Wanted
from vericap.readers.messages import describe, listed

BATCH = 4096


class RecordColumns(RawCaptions):
    """Takes batches of records and keeps only the columns that are wanted."""

    def __init__(self, wanted: Wanted, source: str) -> None:
        super().__init__(source)
        self.wanted = wanted
        self.named: bool | None = None  # records are objects with named fields
        self.columns: tuple[str, ...] = ()  # that hold references

    def add(self, records: list[Any]) -> None:
        """Append a batch."""
        if not records:
            return
        if self.named is None:
            self.look_at(records[0])
        if not self.named:
            for i, record in enumerate(records):
                if isinstance(record, Mapping):
                    raise self._unlike(i, "the row is an object where the rows before are not")
            self.values += records
            return
        try:
            values = self._values(records)
            own = [merged([record.get(name) for name in self.reference_fields]) for record in records]
            ids = None if self.id_field is None else [record[self.id_field] for record in records]
            extra = {} if self.wanted.every else {name: [record[name] for record in records] for name in self.fields}
        except (KeyError, TypeError, IndexError):
            raise self._missing(records) from None
        if self.wanted.every:
            self._keep_every_field(records)
        self.values += values
        if self.references is not None:
            self.references += own
        if ids is not None and self.ids is not None:
            self.ids += ids
        for name, column in extra.items():
            self.fields[name] += column

    def _values(self, records: list[Any]) -> list[Any]:
        """The captions of records; of references in several columns, those that are not empty."""
        if self.wanted.side == "references" and len(self.columns) > 1:
            return [merged([record.get(name) for name in self.columns]) for record in records]
        return [record[self.caption_field] for record in records]

    def look_at(self, record: Any) -> None:
        """Take the names of the fields from the first record."""
        self.named = isinstance(record, Mapping)
        self.lists = not self.named or self.wanted.side == "references"
        if not isinstance(record, Mapping):
            return
        self.names = tuple(map(str, record))
        self.caption_field = self.wanted.captions_in(record)
        if self.caption_field is None:
            raise self.wanted.no_captions(record, self.source, self.row_name(0))
        self.columns = self.wanted.references_in(record)
        if self.wanted.side == "candidates" and self.columns and self.caption_field not in self.columns:
            self.references, self.reference_fields = [], self.columns
        self.id_field = self.wanted.ids_in(record, record.get)
        if self.id_field is not None:
            self.ids = []
        elif "image_id" in self.wanted.fields.columns and not self.wanted.fields.optional:
            raise self.wanted.fields.missing("image_id", record, self.source, self.row_name(0))
        self.fields = {} if self.wanted.every else {name: [] for name in self.wanted.kept(record)}

    def _keep_every_field(self, records: list[Any]) -> None:
        """All fields of the records; what a record does not have is None."""
        for name in dict.fromkeys(str(name) for record in records for name in record):
            self.fields.setdefault(name, [None] * len(self.values))
        for name, column in self.fields.items():
            column += [record.get(name) for record in records]

    def _unlike(self, i: int, problem: str, name: str | None = None) -> InputError:
        return self._wrong(problem, len(self.values) + i, name, "give every row the same shape")

    def _missing(self, records: list[Any]) -> InputError:
        for i, record in enumerate(records):
            if not isinstance(record, Mapping):
                return self._unlike(i, f"the row is {describe_record(record)}, not an object with fields")
            for name in (self.caption_field, self.id_field, *([] if self.wanted.every else self.fields)):
                if name is not None and name not in record:
                    return self._unlike(i, f"the field is not there; the fields are: {listed(record)}", name)
        return self._unlike(0, "the row cannot be read")


def describe_record(record: Any) -> str:
    """A record's kind in words."""
    return "a string" if isinstance(record, str) else describe(record)


def from_batches(
    batches: Iterable[list[Any]],
    wanted: Wanted,
    source: str,
    row_name: Callable[[int], int | str] = count_from_one,
) -> Captions:
    """Captions from records that come in batches.

    >>> from_batches([[{"id": 7, "text": "a dog"}], [{"id": 8, "text": "a cat"}]], Wanted(), "rows").ids
    [7, 8]
    """
    columns = RecordColumns(wanted, source)
    columns.row_name = row_name
    for batch in batches:
        columns.add(plain_records(batch, wanted))
    return columns.checked()


def plain_records(records: list[Any], wanted: Wanted) -> list[Any]:
    """Records with the usual names of fields: [{id: caption}, …] and the shapes of data sets and tools.

    >>> plain_records([{"42": "a dog"}, {"7": "a cat"}], Wanted())
    [{'image_id': '42', 'caption': 'a dog'}, {'image_id': '7', 'caption': 'a cat'}]
    """
    first = records[0] if records else None
    if not isinstance(first, Mapping):
        return records
    if len(first) == 1 and wanted.captions_in(first) is None and all(map(_is_pair, records)):
        return [
            {"image_id": image_id, wanted.role: captions} for record in records for image_id, captions in record.items()
        ]
    return records if plain_record(first) is first else [plain_record(record) for record in records]


def _is_pair(record: Any) -> bool:
    """Is it {id: caption} or {id: [captions]}?"""
    return (
        isinstance(record, Mapping)
        and len(record) == 1
        and all(isinstance(key, (int, str)) and isinstance(value, (str, list)) for key, value in record.items())
    )


def from_rows(rows: Iterator[Mapping[str, Any]], wanted: Wanted, source: str) -> Captions:
    """Captions from rows that come one by one."""
    return from_batches(iter(lambda: list(islice(rows, BATCH)), []), wanted, source)
