"""Big JSON files → columns, by the compiled scanner: no object per record. What it does not take, other parsers read.

The shapes: a list of objects, COCO's {"images", "annotations"}, {id: caption} and {id: [captions]}, and JSON Lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import orjson

from vericap.arrays import Integers, rows_of
from vericap.corpus import ImageId
from vericap.corpus.columns import IntegerColumn, TextColumn
from vericap.errors import InputError
from vericap.kernels.columns import RecordScanner
from vericap.readers.captions.caption_columns import Captions, count_from_one
from vericap.readers.captions.caption_records import RecordColumns
from vericap.readers.captions.published import plain_record
from vericap.readers.fields import Wanted
from vericap.readers.messages import shown

# What a document says besides captions by id; see `caption_shapes` and `published`.
_NOT_IDS = frozenset(["annotations", "images", "info", "sentences", "videos", "data", "rows", "row", "doc_id"])

_MEMBERS = 64  # of COCO's object, which has five


class FileNames(Mapping[str, ImageId]):
    """Ids of images by their file names. Most runs need none, so the index is made when somebody looks."""

    def __init__(self, names: Sequence[str], ids: Sequence[ImageId]) -> None:
        self._names, self._ids = names, ids

    @cached_property
    def _index(self) -> dict[str, ImageId]:
        return dict(zip(self._names, self._ids, strict=True))

    def __getitem__(self, name: str) -> ImageId:
        return self._index[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)


def scan_json(data: bytes, wanted: Wanted, source: str) -> Captions | None:
    """The captions of a document in valid UTF-8; None for other shapes, and where anything is wrong."""
    scanner = RecordScanner(data)
    if scanner.next_is(ord("[")):
        captions = _records(scanner, data, wanted, source)
        return captions if scanner.only_blanks_left() else None
    members = _Members(data, wanted, source)
    if members.read(scanner):
        return members.captions()
    return _by_id(RecordScanner(data), wanted, source)


def scan_lines(data: bytes, wanted: Wanted, source: str) -> Captions | None:
    """The captions of JSON Lines in valid UTF-8; None for other shapes, and where anything is wrong."""
    return _records(RecordScanner(data, lines=True), data, wanted, source)


class _Members:
    """The members of COCO's object."""

    def __init__(self, data: bytes, wanted: Wanted, source: str) -> None:
        self.data, self.wanted, self.source = data, wanted, source
        self.annotations: Captions | None = None
        self.names: Mapping[str, ImageId] = {}

    def read(self, scanner: RecordScanner) -> bool:
        """Reads annotations and images, and passes the others; False for another object."""
        seen: set[bytes] = set()
        if not scanner.take(ord("{")):
            return False
        while (place := scanner.key()) is not None and len(seen) < _MEMBERS:
            name = self.data[slice(*place)]
            if name in seen or b"\\" in name or not self._member(name, scanner):
                return False
            seen.add(name)
            if scanner.take(ord("}")):
                return scanner.only_blanks_left() and self.annotations is not None
            if not scanner.take(ord(",")):
                return False
        return False

    def _member(self, name: bytes, scanner: RecordScanner) -> bool:
        if name == b"annotations":
            self.annotations = _records(scanner, self.data, self.wanted, self.source, rejects=True)
            return self.annotations is not None
        return self._images(scanner) if name == b"images" else scanner.skip()

    def _images(self, scanner: RecordScanner) -> bool:
        """COCO's images, which all have the same fields."""
        start = scanner.place()
        if scanner.take(ord("[")) and scanner.take(ord("]")):
            return True
        scanner.move(start)
        first = _first(scanner, self.data)
        if not isinstance(first, dict):
            return False
        fields = list(first)
        name, image_id = (fields.index(each) if each in fields else -1 for each in ("file_name", "id"))
        read = RecordScanner(self.data)
        read.move(scanner.place())
        text_ids = isinstance(first.get("id"), str)
        if not read.records([each.encode() for each in fields], name, image_id, text_ids=text_ids):
            return False
        scanner.move(read.place())
        ids = _ids(read)
        if name >= 0 and ids is not None:
            self.names = FileNames(TextColumn(*read.captions()), ids)
        return True

    def captions(self) -> Captions | None:
        """What was read."""
        return None if self.annotations is None else replace(self.annotations, aliases=self.names)


def _first(scanner: RecordScanner, data: bytes) -> Any:
    """The first of a list of values, or of lines; the scanner stays where it is. None where it is no JSON."""
    start = scanner.place()
    scanner.take(ord("["))
    scanner.next_is(0)
    begin = scanner.place()
    good = scanner.skip()
    end = scanner.place()
    scanner.move(start)
    try:
        return orjson.loads(data[begin:end]) if good else None
    except orjson.JSONDecodeError:
        return None


def _records(
    scanner: RecordScanner, data: bytes, wanted: Wanted, source: str, *, rejects: bool = False
) -> Captions | None:
    """The captions of a list of objects, or of lines."""
    first = _first(scanner, data)
    if not isinstance(first, dict) or plain_record(first) is not first:
        return None
    if rejects and ("is_rejected" in first or "is_precanned" in first):
        return None
    columns = RecordColumns(wanted, source)
    try:
        columns.look_at(first)
        names = [name.encode() for name in first]
    except (InputError, UnicodeEncodeError):
        return None
    if columns.fields or columns.references is not None or len(columns.columns) > 1:
        return None
    fields = list(first)
    caption = fields.index(str(columns.caption_field))
    image_id = -1 if columns.id_field is None else fields.index(columns.id_field)
    text_ids = isinstance(first.get(columns.id_field), str)
    if caption == image_id or not scanner.records(names, caption, image_id, lists=columns.lists, text_ids=text_ids):
        return None
    return _captions(scanner, source, _row_name(scanner.lines_of_records()), columns.names)


def _row_name(lines: Integers | None) -> Callable[[int], int | str]:
    return count_from_one if lines is None else lambda record: int(lines[record])


def _captions(
    scanner: RecordScanner, source: str, row_name: Callable[[int], int | str], names: tuple[str, ...] = ()
) -> Captions:
    """What a scanner has read."""
    offsets = scanner.offsets_of_records()
    return Captions(
        source,
        TextColumn(*scanner.captions()),
        _ids(scanner),
        None if offsets is None else rows_of(np.diff(offsets)),
        scanner.count_of_records(),
        row_name=row_name,
        names=names,
    )


def _ids(scanner: RecordScanner) -> Sequence[ImageId] | None:
    numbers, texts = scanner.numbers(), scanner.id_texts()
    if numbers is not None:
        return IntegerColumn(numbers)
    return None if texts is None else TextColumn(*texts)


def _by_id(scanner: RecordScanner, wanted: Wanted, source: str) -> Captions | None:
    """{id: caption} and {id: [captions]}; None where a key may be the name of a field, or occurs twice."""
    if not scanner.pairs() or not scanner.only_blanks_left():
        return None
    texts = scanner.id_texts()
    ids = TextColumn(*texts) if texts is not None else TextColumn.of([])
    distinct = set(ids)
    if len(distinct) < len(ids) or not distinct.isdisjoint(_NOT_IDS):
        return None
    # Names of fields begin with a letter, but for those that a user gives.
    names = distinct if wanted.fields.columns else [name for name in distinct if not name[:1].isdigit()]
    if wanted.captions_in(names) is not None:
        return None
    return _captions(scanner, source, lambda record: f"{record + 1} (id {shown(ids[record])})")
