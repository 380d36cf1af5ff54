"""JSON and JSON Lines → captions.

Big files of plain records, which are nearly all big files, are scanned into columns, without an object per record.
Other documents are parsed as a whole, and so is one in which anything is wrong: the errors of that parser name the row.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from vericap.arrays import Integers, offsets_of
from vericap.corpus import ImageId
from vericap.corpus.columns import IntegerColumn, TextColumn
from vericap.errors import InputError
from vericap.kernels import is_compiled
from vericap.kernels.columns import RecordScanner
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.caption_shapes import RecordColumns, from_batches, from_value
from vericap.readers.captions.published import plain_record
from vericap.readers.fields import Wanted
from vericap.readers.formats import Format
from vericap.readers.json_values import (
    LineRanges,
    has_each_key_once,
    is_json,
    is_json_lines,
    line_numbers,
    parse_document,
    parse_lines,
)

BIG = 1 << 19  # bytes
_BLOCK = 1 << 20
_LIST = re.compile(rb"\s*:?\s*\[")
_RECORD = re.compile(rb"\s*(\{[^{}]*\})")


def from_json(data: bytes, wanted: Wanted, source: str, *, big: int = BIG) -> Captions:
    """Return the captions of a JSON document in UTF-8."""
    captions = _scan(data, wanted, source) if len(data) >= big else None
    if captions is not None:
        return captions
    return from_value(parse_document(data, source), wanted, source)


def from_json_lines(data: bytes, wanted: Wanted, source: str, *, big: int = BIG) -> Captions:
    """Return the captions of JSON Lines in UTF-8."""
    captions = _scan(data.rstrip(b" \t\r\n"), wanted, source, lines=True) if len(data) >= big else None
    return captions or from_batches(parse_lines(data, source), wanted, source, line_numbers(data))


def _scan(data: bytes, wanted: Wanted, source: str, *, lines: bool = False) -> Captions | None:
    """Return the captions of a list of plain records, of COCO's annotations or of lines; None for other shapes, and
    where anything is wrong."""
    start = 0 if lines else _start(data, b"annotations")
    if start < 0 or wanted.keep or not is_compiled("columns"):
        return None
    columns = RecordColumns(wanted, source)
    try:
        _check_utf8(data)
        first = _first(data, start)
        if plain_record(first) is not first or first.keys() & {"is_rejected", "is_precanned"}:
            return None
        columns.look_at(first)
        if columns.references is not None or len(columns.columns) > 1 or columns.caption_field == columns.id_field:
            return None
        found = _columns(data, start, first, columns.caption_field, columns.id_field, lines)
        if found is None:
            return None
        captions, ids, end = found
        aliases = {} if lines else _file_names(data[: start - 1] + b"null" + data[end:])
    except (UnicodeError, orjson.JSONDecodeError, InputError):
        return None
    if captions is None or aliases is None:
        return None
    return Captions(source, captions, ids, records=len(captions), aliases=aliases, names=columns.names)


def _start(data: bytes, name: bytes) -> int:
    """Return where the first of a list of records begins, -1 where there is no list: the list is the document,
    or a member of COCO's object. No string holds the name in quotes, which would be escaped."""
    found = _LIST.match(data) or _LIST.match(data, max(data.find(b'"%b"' % name), 0) + len(name) + 2)
    return -1 if found is None else found.end()


def _first(data: bytes, start: int) -> dict[str, Any]:
    """Return the first record, which is empty where it is not plain."""
    record = _RECORD.match(data, start)
    return {} if record is None else orjson.loads(record[1])


def _columns(
    data: bytes, start: int, first: dict[str, Any], text: str | None, image_id: str | None, lines: bool = False
) -> tuple[TextColumn | None, Sequence[ImageId] | None, int] | None:
    """Return two fields of the records in columns, and the place behind the list; None where they are not plain."""
    fields = list(first)
    caption, number = (-1 if name is None else fields.index(name) for name in (text, image_id))
    scanner, text_ids = RecordScanner(data, fields, lines), image_id is not None and isinstance(first[image_id], str)
    end = scanner.read(start, caption, number, text_ids)
    if not end:
        return None
    ids = _texts(*scanner.id_texts()) if text_ids else IntegerColumn(scanner.numbers())
    return None if text is None else _texts(*scanner.captions()), None if image_id is None else ids, end


def _file_names(rest: bytes) -> Mapping[str, ImageId] | None:
    """Return the ids of COCO's images by their file names, from a document whose list of records was replaced by null;
    None where that list was neither the document nor its annotations."""
    aliases, start = {}, _start(rest, b"images")
    first = _first(rest, start) if start >= 0 else {}
    if "id" in first:
        found = _columns(rest, start, first, "file_name" if "file_name" in first else None, "id")
        if found is None:
            return None
        names, ids, end = found
        aliases = {} if names is None or ids is None else dict(zip(names, ids, strict=True))
        rest = rest[: start - 1] + b"null" + rest[end:]
    value = orjson.loads(rest)
    good = value is None or (isinstance(value, dict) and value.get("annotations", 0) is None)
    images = value.get("images") if isinstance(value, dict) else None
    return aliases if good and not images and has_each_key_once(value, rest) else None


def _check_utf8(data: bytes) -> None:
    """Raise UnicodeDecodeError where it is not UTF-8, which the scanner does not check."""
    if not data.isascii():
        decoder = codecs.getincrementaldecoder("utf-8")()
        for start in range(0, len(data), _BLOCK):
            decoder.decode(data[start : start + _BLOCK])
        decoder.decode(b"", final=True)


def _texts(data: NDArray[np.uint8], offsets: Integers) -> TextColumn:
    """Return a column of strings from what JSON has between its quotes."""
    sizes, view, done, to = np.diff(offsets), data.data, 0, 0
    places = [match.start() for match in re.finditer(rb"\\", view)]
    for row in np.unique(np.searchsorted(offsets, places, side="right") - 1).tolist():
        start, end = offsets[row : row + 2].tolist()
        text = orjson.loads(b'"' + view[start:end] + b'"').encode()  # which is shorter: what follows moves to the left
        for piece in (view[done:start], text):
            view[to : to + len(piece)] = piece
            to += len(piece)
        sizes[row], done = len(text), end
    view[to : to + len(data) - done] = view[done:]
    return TextColumn(data[: to + len(data) - done], offsets_of(sizes))


# A record's row is its line.
JSON_LINES = Format(
    "json-lines",
    lambda file, _: is_json(file) and b"\n" in file.utf8 and is_json_lines(file.utf8, file.extension),
    lambda file, wanted: from_json_lines(file.utf8, wanted, file.name),
    LineRanges,
)
JSON = Format("json", lambda file, _: is_json(file), lambda file, wanted: from_json(file.utf8, wanted, file.name))
