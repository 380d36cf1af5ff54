"""Captions by the shape in which they are given, in JSON and in Python: records (objects with named fields, strings, or
lists of strings), COCO's annotations, columns, {id: caption(s)}."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import orjson

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, RawCaptions, count_from_one
from vericap.readers.captions.published import PUBLISHED, plain_record, records_of, without_rejected
from vericap.readers.fields import EVERY, Wanted
from vericap.readers.messages import describe, listed, one_line, shown

KNOWN_SHAPES = (
    '[{"image_id", "caption"}, …], {"images", "annotations"} as in COCO, {id: caption}, {id: [captions]}, '
    '{"image_id": […], "caption": […]}, a list of captions, a list of lists of captions'
)
BATCH = 4096


def from_value(value: Any, wanted: Wanted, source: str) -> Captions:
    """Return the captions of a parsed JSON document or a Python object.

    >>> captions = from_value({"42": "a dog"}, Wanted(), "candidates")
    >>> captions.ids, captions.captions
    (['42'], ['a dog'])
    """
    if isinstance(value, (list, tuple)):
        return from_batches([list(value)], wanted, source)
    if not isinstance(value, Mapping):
        raise unknown_shape(f"the top level is {describe_record(value)}", source)
    if isinstance(value.get("annotations"), list):
        columns = RecordColumns(wanted, source)
        annotations, columns.notes = without_rejected(value["annotations"])
        columns.add(annotations)
        return _with_images(columns, value.get("images"))
    records = records_of(value, source) if value.keys() & PUBLISHED else None
    if records is not None:
        return from_batches([records], wanted, source)
    if "annotations" in value or ("images" in value and "info" in value):
        raise unknown_shape('COCO\'s {"images", "annotations"} without a list of annotations', source)
    # Names of fields begin with a letter, but for those that a user gives.
    named = bool(wanted.fields.columns) or not all(str(name)[:1].isdigit() for name in value)
    if named and all(isinstance(name, str) for name in value):
        caption_field = wanted.captions_in(value)
        if caption_field is not None and _is_columns(value, caption_field):
            return from_columns(value, wanted, source)
        is_record = caption_field is not None and (len(value) == 1 or wanted.ids_in(value, value.get) is not None)
        if is_record or plain_record(value) is not value:
            return from_batches([[value]], wanted, source)
    ids, values = list(value), list(value.values())
    for record, captions in enumerate(values):
        if isinstance(captions, Mapping):
            raise unknown_shape(f"the value of {shown(ids[record])} (row {record + 1}) is an object", source)
    row_name: Callable[[int], str] = lambda record: f"{record + 1} (id {shown(ids[record])})"  # noqa: E731
    return RawCaptions(source, values, ids, row_name=row_name, lists=True).checked()


def unknown_shape(problem: str, source: str) -> InputError:
    """Return the error for a document of a shape that is not known."""
    return InputError(problem, source=source, fix=f"use one of these shapes: {KNOWN_SHAPES}")


def _is_columns(value: Mapping[str, Any], caption_field: str) -> bool:
    sizes = {len(column) if isinstance(column, (list, tuple)) else -1 for column in value.values()}
    return len(sizes) == 1 and -1 not in sizes and isinstance(value[caption_field], (list, tuple))


def from_columns(
    value: Mapping[str, Any],
    wanted: Wanted,
    source: str,
    row_name: Callable[[int], int | str] = count_from_one,
) -> Captions:
    """Return the captions of columns of equal length: {"image_id": […], "caption": […]}."""
    caption_field = wanted.captions_in(value)
    if caption_field is None:
        raise wanted.no_captions(value, source)
    column = list(value[caption_field])
    if not column:
        raise InputError("there is no caption in it", source=source, fix="give at least one")
    id_field = wanted.ids_in(value, lambda name: value[name][0])
    if id_field is None and "image_id" in wanted.fields.columns and not wanted.fields.optional:
        raise wanted.fields.missing("image_id", value, source)
    several = wanted.references_in(value)
    rows = [merged(cells) for cells in zip(*(value[name] for name in several), strict=True)] if several else []
    own = wanted.side == "candidates" and bool(several) and caption_field not in several
    if wanted.side == "references" and len(several) > 1:
        column = rows
    return RawCaptions(
        source,
        column,
        None if id_field is None else list(value[id_field]),
        {name: list(value[name]) for name in wanted.kept(value)},
        row_name,
        id_field,
        caption_field,
        lists=wanted.side == "references",
        references=rows if own else None,
        reference_fields=several,
        names=tuple(map(str, value)),
    ).checked()


def _with_images(columns: RecordColumns, images: Any) -> Captions:
    """Return the captions of annotations, with the file names of COCO's images and those of their fields that are
    wanted; nothing is asked of images that are not COCO's."""
    known = [
        image
        for image in (images if isinstance(images, list) else ())
        if type(image) is dict and type(image.get("id")) in (int, str)
    ]
    aliases = {image["file_name"]: image["id"] for image in known if type(image.get("file_name")) is str}
    for name in columns.wanted.keep:
        column = {image["id"]: image[name] for image in known if name in image}
        if name == EVERY or not column or name in columns.fields or columns.ids is None:
            continue
        try:
            columns.fields[name] = [column[image_id] for image_id in columns.ids]
        except (KeyError, TypeError) as error:
            problem = f"image {one_line(error)} has no such field in the list of images"
            raise InputError(problem, source=columns.source, field=name, fix="add the field to each image") from None
    return columns.checked(aliases)


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
        """Return the captions of records; of references in several columns, those that are not empty."""
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
    """Return a record's kind in words."""
    return "a string" if isinstance(record, str) else describe(record)


def from_batches(
    batches: Iterable[list[Any]],
    wanted: Wanted,
    source: str,
    row_name: Callable[[int], int | str] = count_from_one,
) -> Captions:
    """Return the captions of records that come in batches.

    >>> from_batches([[{"id": 7, "text": "a dog"}], [{"id": 8, "text": "a cat"}]], Wanted(), "rows").ids
    [7, 8]
    """
    columns = RecordColumns(wanted, source)
    columns.row_name = row_name
    for batch in batches:
        columns.add(plain_records(batch, wanted))
    return columns.checked()


def plain_records(records: list[Any], wanted: Wanted) -> list[Any]:
    """Return records with the usual names of fields: [{id: caption}, …] and the shapes of data sets and tools.

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
    """Return whether it is {id: caption} or {id: [captions]}."""
    return (
        isinstance(record, Mapping)
        and len(record) == 1
        and all(isinstance(key, (int, str)) and isinstance(value, (str, list)) for key, value in record.items())
    )


def from_rows(rows: Iterator[Mapping[str, Any]], wanted: Wanted, source: str) -> Captions:
    """Return the captions of rows that come one by one."""
    return from_batches(iter(lambda: list(islice(rows, BATCH)), []), wanted, source)


def merged(cells: Sequence[Any]) -> list[Any]:
    """Return the references of a row from all cells that hold some; empty cells hold none.

    >>> merged(["a dog", "", None]), merged([["a dog", "one dog"]])
    (['a dog'], ['a dog', 'one dog'])
    """
    found: list[Any] = []
    for cell in cells:
        if isinstance(cell, (list, tuple)) or (hasattr(cell, "tolist") and getattr(cell, "ndim", 0) == 1):
            found += list(cell)
        elif cell is not None and cell != "" and not (isinstance(cell, float) and cell != cell):
            found.append(cell)
    return found


def listed_cells(column: list[str]) -> list[Any]:
    """Return a column of a text file whose cells are all written as lists, of JSON or of Python, as these lists.

    >>> listed_cells(['["a dog", "one dog"]', "['a cat']"]), listed_cells(["[UNK] dog", "a cat"])
    ([['a dog', 'one dog'], ['a cat']], ['[UNK] dog', 'a cat'])
    """
    if not all(cell[:2] in ('["', "['") and cell[-2:] in ('"]', "']") for cell in column):
        return column
    try:
        return [_list_of(cell) for cell in column]
    except ValueError:
        return column


def _list_of(cell: str) -> list[Any]:
    try:
        found = orjson.loads(cell)
    except orjson.JSONDecodeError:
        found = _python_list(cell)
    if not isinstance(found, list):
        raise ValueError("not a list")
    return found


def _python_list(cell: str) -> Any:
    """Return the list that `str` wrote. NumPy leaves the commas out: its strings would be read as one."""
    try:
        found = ast.literal_eval(cell)
        strings = sum(token.type == tokenize.STRING for token in tokenize.generate_tokens(io.StringIO(cell).readline))
    except (SyntaxError, MemoryError, RecursionError, tokenize.TokenError):
        raise ValueError("not a list of Python") from None
    if isinstance(found, list) and strings != len(found):
        raise ValueError("strings without commas between them")
    return found
