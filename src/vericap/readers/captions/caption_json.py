"""JSON and JSON Lines → captions.

Of a big file, only the fields that somebody asked for are decoded: a record is a msgspec Struct of them, which skips
all others. What msgspec refuses is parsed as a whole, by the parser that small files have: it reads what Python writes
beyond JSON (NaN), and its errors name the row. Both ways give the same captions.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from vericap.errors import InputError
from vericap.kernels import is_compiled
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.caption_records import RecordColumns, from_batches
from vericap.readers.captions.caption_shapes import ImageColumns, from_value
from vericap.readers.captions.published import plain_record
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.json_values import line_numbers, parse_json, parse_lines, refuse_repeated_key

if TYPE_CHECKING:
    from msgspec import Raw

BIG = 1 << 19  # bytes; a smaller file is parsed before msgspec is imported
_BLOCK = 1 << 20


def read_json(file: File, wanted: Wanted) -> Captions:
    """Captions of a JSON document."""
    return from_json(file.utf8, wanted, file.name)


def read_json_lines(file: File, wanted: Wanted) -> Captions:
    """Captions of a file with one JSON value per line. A record's row is its line."""
    return from_json_lines(file.utf8, wanted, file.name)


def from_json_lines(data: bytes, wanted: Wanted, source: str, *, big: int = BIG) -> Captions:
    """Captions of JSON Lines in UTF-8."""
    if len(data) >= big and not wanted.every:
        captions = _scanned(data, wanted, source, lines=True)
        if captions is not None:
            return captions
    return from_batches(parse_lines(data, source), wanted, source, line_numbers(data))


def from_json(data: bytes, wanted: Wanted, source: str, *, big: int = BIG) -> Captions:
    """Captions of a JSON document in UTF-8."""
    if len(data) >= big and not wanted.every:
        captions = _scanned(data, wanted, source) or _decode(data, wanted, source)
        if captions is not None:
            return captions
    value = parse_json(data, source)
    refuse_repeated_key(value, data, source)
    return from_value(value, wanted, source)


def _scanned(data: bytes, wanted: Wanted, source: str, *, lines: bool = False) -> Captions | None:
    """Captions as the compiled scanner reads them; None without it, for other shapes, and where anything is wrong."""
    if wanted.keep or not is_compiled("columns"):
        return None
    try:
        _check_utf8(data)
    except UnicodeDecodeError:
        return None
    from vericap.readers.captions.scanned import scan_json, scan_lines

    return (scan_lines if lines else scan_json)(data, wanted, source)


def _decode(data: bytes, wanted: Wanted, source: str) -> Captions | None:
    """Captions of a list of objects or of COCO's annotations; None for other shapes, and where anything is wrong."""
    import msgspec

    columns, images = RecordColumns(wanted, source), ImageColumns(wanted)
    parts: dict[str, Raw] = {}
    try:
        _check_utf8(data)
        if re.match(rb"\s*\{", data):
            parts = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        records = parts["annotations"] if parts else data
        first = _first(records)
        if plain_record(first) is not first or "is_rejected" in first or "is_precanned" in first:
            return None
        columns.look_at(first)
        if len(columns.columns) > 1 or columns.references is not None:
            return None
        _fill(columns, records)
        # Where not all records have the same keys, one may have a key twice: the parser of small files looks.
        if bytes(records).count(b'":') != len(first) * len(columns.values) or data.count(b'"annotations"') > 1:
            return None
        if "images" in parts:
            images.add_each(_images(parts["images"], ["id", "file_name", *wanted.keep]))
        return images.complete(columns)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError, InputError):
        return None


def _check_utf8(data: bytes) -> None:
    """Raises UnicodeDecodeError: msgspec looks only at the strings that it decodes."""
    if not data.isascii():
        decoder = codecs.getincrementaldecoder("utf-8")()
        for start in range(0, len(data), _BLOCK):
            decoder.decode(data[start : start + _BLOCK])
        decoder.decode(b"", final=True)


def _first(records: bytes | Raw) -> Any:
    """The first of a list of objects."""
    import msgspec

    only = msgspec.defstruct("Only", [("first", dict[str, Any])], array_like=True)  # of a longer array too
    return msgspec.json.decode(records, type=only).first  # type: ignore[attr-defined]


def _fill(columns: RecordColumns, records: bytes | Raw) -> None:
    """The columns of the records, each of which must have all of them."""
    import msgspec

    caption_field = str(columns.caption_field)
    others = [name for name in (columns.id_field, *columns.fields) if name is not None]
    attributes = {name: f"field_{number}" for number, name in enumerate(dict.fromkeys([caption_field, *others]))}
    record = msgspec.defstruct(
        "Record",
        [(attribute, Any) for attribute in attributes.values()],
        rename={attribute: name for name, attribute in attributes.items()},
        gc=False,  # a value of JSON cannot refer to itself
    )
    rows: list[Any] = msgspec.json.decode(records, type=list[record])  # type: ignore[valid-type]
    values = {name: list(map(attrgetter(attributes[name]), rows)) for name in others}
    caption = attrgetter(attributes[caption_field])
    for place, row in enumerate(rows):
        rows[place] = caption(row)  # so that a record goes as soon as it is read, and one list serves for both
    columns.values = rows
    columns.ids = None if columns.id_field is None else values[columns.id_field]
    columns.fields = {name: values[name] for name in columns.fields}


def _images(images: Raw, names: Iterable[str]) -> Iterator[dict[str, Any]]:
    """COCO's images with only these fields, where they have them."""
    import msgspec

    attributes = {f"field_{number}": name for number, name in enumerate(dict.fromkeys(names))}
    fields = [(attribute, Any, msgspec.UNSET) for attribute in attributes]
    image = msgspec.defstruct("Image", fields, rename=attributes, gc=False)
    rows: list[Any] = msgspec.json.decode(images, type=list[image])  # type: ignore[valid-type]
    if [*attributes.values()] == ["id", "file_name"]:  # of most files; UNSET is neither an id nor a name
        yield from ({"id": row.field_0, "file_name": row.field_1} for row in rows)
        return
    for row in rows:
        values = ((name, getattr(row, attribute)) for attribute, name in attributes.items())
        yield {name: value for name, value in values if value is not msgspec.UNSET}
