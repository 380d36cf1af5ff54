"""The rows of a span as columns, checked by the rules of every reader; bad rows apart, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from vericap.corpus import ImageId
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import RawCaptions
from vericap.readers.captions.caption_shapes import listed_cells, merged
from vericap.readers.messages import listed
from vericap.streaming.layout import Layout, id_of
from vericap.streaming.shards import Shards, Span


@dataclass(frozen=True)
class BadRow:
    """A row that cannot be scored: where it is, why, and what the file has there."""

    source: str
    row: int
    reason: str
    content: str

    def line(self) -> bytes:
        """As one line of JSON."""
        return orjson.dumps(vars(self), option=orjson.OPT_APPEND_NEWLINE)


@dataclass
class Rows:
    """Good rows in columns, in their order: captions, image ids, own references (empty lists where there are none).

    `row` is the place of each in its span.
    """

    captions: list[str] = field(default_factory=list)
    image_ids: list[ImageId] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    row: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.captions)


def read_rows(shards: Shards, span: Span, layout: Layout) -> tuple[Rows, list[tuple[int, InputError]]]:
    """The good rows of a span, and the bad ones as (place in the span, error)."""
    records = shards[span.file].read(span, layout.names)
    source = shards.paths[span.file]
    try:
        return _checked(records, layout, source, span, range(len(records))), []
    except InputError:
        pass
    good, bad = Rows(), list[tuple[int, InputError]]()
    for place, record in enumerate(records):
        try:
            one = _checked([record], layout, source, span, [place])
        except InputError as error:
            bad.append((place, error))
            continue
        good.captions += one.captions
        good.image_ids += one.image_ids
        good.references += one.references
        good.row += one.row
    return good, bad


def good_rows_after(shards: Shards, span: Span, layout: Layout) -> Iterator[Rows]:
    """The good rows behind a span, one by one."""
    for place, record in enumerate(shards.after(span, layout.names), span.rows):
        try:
            yield _checked([record], layout, shards.paths[span.file], span, [place])
        except InputError:
            continue


def _checked(records: Sequence[Any], layout: Layout, source: str, span: Span, places: Sequence[int]) -> Rows:
    """The rows as columns; an error for the first that is wrong."""

    def name(record: int) -> int:
        return span.first + places[record] + 1

    try:
        captions = [record[layout.caption] for record in records]
        ids = None if layout.image_id is None else [record[layout.image_id] for record in records]
        given = [[record.get(name) for name in layout.references] for record in records]
    except (KeyError, TypeError, AttributeError):
        raise _first_wrong(records, layout, source, name) from None
    raw = RawCaptions(source, captions, ids, row_name=name, id_field=layout.image_id, caption_field=layout.caption)
    checked = raw.checked()
    image_ids: list[ImageId] = list(checked.ids) if checked.ids is not None else [*(span.overall + p for p in places)]
    for i, value in enumerate(image_ids):
        fits = layout.numbers and value < 2**63 if isinstance(value, int) else not layout.numbers
        if not fits and (error := id_of(value, layout, source, name(i))):
            raise error
    references = _references(given, layout, source, name) if layout.references else [[] for _ in captions]
    return Rows(list(checked.captions), image_ids, references, list(places))


def _references(given: list[list[Any]], layout: Layout, source: str, name: Any) -> list[list[str]]:
    """The references of each row, from all cells that hold some: lists, strings, or lists written into a cell."""
    values = [merged(list(map(_list_in, cells))) for cells in given]
    raw = RawCaptions(source, values, row_name=name, caption_field=layout.references[0], lists=True)
    checked = raw.checked()
    found: list[list[str]] = [[] for _ in given]
    for record, caption in zip(checked.records_of_captions.tolist(), checked.captions, strict=True):
        found[record].append(caption)
    return found


def _list_in(cell: Any) -> Any:
    return listed_cells([cell])[0] if isinstance(cell, str) else cell


def _first_wrong(records: Sequence[Any], layout: Layout, source: str, name: Any) -> InputError:
    for i, record in enumerate(records):
        if isinstance(record, InputError):
            return record
        for wanted in layout.names[: len(layout.names) - len(layout.references)]:
            if wanted not in record:
                problem = f"the field is not there; the fields are: {listed(record)}"
                fix = "give every row the same shape"
                return InputError(problem, source=source, row=name(i), field=wanted, fix=fix)
    return InputError("the row cannot be read", source=source, row=name(0))
