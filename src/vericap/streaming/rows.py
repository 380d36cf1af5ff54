"""The rows of a span as columns, checked by the rules of every reader; bad rows apart, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from vericap.corpus import ImageId
from vericap.errors import InputError
from vericap.readers.captions.caption_shapes import RecordColumns, listed_cells
from vericap.readers.fields import Fields, Wanted
from vericap.readers.ranges import Ranges, Span
from vericap.streaming.shards import Shards


@dataclass(frozen=True)
class Layout:
    """The names of the fields, which the first row of the first file decides. `references` may be several columns;
    none: a row has no references of its own. `image_id` None: rows are numbered."""

    caption: str
    image_id: str | None = None
    references: tuple[str, ...] = ()
    numbers: bool = True  # image ids are whole numbers

    @property
    def names(self) -> list[str]:
        """The fields that are read."""
        return [self.caption, *([] if self.image_id is None else [self.image_id]), *self.references]


def layout_of(shard: Ranges, columns: Mapping[str, str] | None = None, *, own_references: bool = True) -> Layout:
    """Return the layout of a file, by the usual names or by those in `columns`, {role: name}. With `own_references`,
    columns of references are looked for."""
    names, first = shard.names()
    wanted = Wanted("candidates", Fields(columns or {}))
    caption = wanted.captions_in(names)
    if caption is None:
        raise wanted.no_captions(names, shard.path)
    image_id = wanted.ids_in(names, first.get)
    if image_id is None and "image_id" in wanted.fields.columns:
        raise wanted.fields.missing("image_id", names, shard.path)
    references = tuple(name for name in wanted.references_in(names) if name != caption) if own_references else ()
    if own_references and not references and "references" in wanted.fields.columns:
        raise wanted.fields.missing("references", names, shard.path)
    value = first.get(image_id) if image_id is not None else 0
    return Layout(caption, image_id, references, isinstance(value, int) and not isinstance(value, bool))


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
    """Return the good rows of a span, and the bad ones as (place in the span, error)."""
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
        for name, column in vars(good).items():
            column += getattr(one, name)
    return good, bad


def good_rows_after(shards: Shards, span: Span, layout: Layout) -> Iterator[Rows]:
    """Yield the good rows behind a span, one by one."""
    for place, record in enumerate(shards.after(span, layout.names), span.rows):
        try:
            yield _checked([record], layout, shards.paths[span.file], span, [place])
        except InputError:
            continue


def _checked(records: Sequence[Any], layout: Layout, source: str, span: Span, places: Sequence[int]) -> Rows:
    """Return the rows as columns; an error for the first that is wrong."""
    columns = RecordColumns(Wanted(), source)
    columns.row_name = lambda record: span.first + places[record] + 1
    columns.named, columns.caption_field, columns.id_field = True, layout.caption, layout.image_id
    columns.ids = None if layout.image_id is None else []
    columns.references, columns.reference_fields = [], layout.references
    for record in records:
        if isinstance(record, InputError):
            raise record
        for name in layout.references:  # a cell may hold a list that is written as text
            if isinstance(cell := record.get(name), str):
                record[name] = listed_cells([cell])[0]
    columns.add(list(records))
    checked = columns.checked()
    if checked.ids is not None:
        for i, value in enumerate(checked.ids):
            if isinstance(value, int) != layout.numbers or (layout.numbers and int(value) >= 2**63):
                raise _unfit(value, layout, source, span.first + places[i] + 1)
    references: list[list[str]] = [[] for _ in records]
    if (own := checked.references) is not None:
        for record, caption in zip(own.records_of_captions.tolist(), own.captions, strict=True):
            references[record].append(caption)
    ids: list[ImageId] = [*(checked.ids or (span.overall + place for place in places))]
    return Rows(list(checked.captions), ids, references, list(places))


def _unfit(value: ImageId, layout: Layout, source: str, row: int) -> InputError:
    """Return the error for an image id that the column of results cannot hold: of another kind than the first row's, or
    a number of more than 63 bits."""
    kinds = ("a string, and the first one is a number", "a number, and the first one is a string")
    problem, fix = f"the image id is {kinds[isinstance(value, int)]}", "write image ids in one way"
    if isinstance(value, int) and layout.numbers:
        problem, fix = "the image id does not fit into 64 bits with a sign", "write image ids as strings"
    return InputError(problem, source=source, row=row, field=layout.image_id, fix=fix)
