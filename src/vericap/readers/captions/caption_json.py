"""JSON and JSONL → captions.

A big file is cut between two records into slices that are parsed one after the other, so that the fields nobody
asked for never fill the memory. The cuts are guesses, checked by the parse: a slice starts where the one before
ended, and a cut inside a string or a nested list leaves a slice that is no JSON. Then, and for every error, the
whole file is parsed at once: both ways give the same captions and the same errors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import orjson

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, Wanted
from vericap.readers.captions.caption_records import RecordColumns, from_batches
from vericap.readers.captions.caption_shapes import ImageColumns, from_value
from vericap.readers.files import not_utf8
from vericap.readers.messages import one_line

SLICE = 1 << 19
_BATCH = 4096
_SPACE = " \t\r\n"  # what JSON allows between tokens, which is less than str.strip and \\s take
_SPACE_BYTES = _SPACE.encode()
_BETWEEN_RECORDS = re.compile(rb"\}[ \t\r\n]*,[ \t\r\n]*(?=\{)")
_LIST_START = re.compile(rb"[ \t\r\n]*:[ \t\r\n]*\[")
_LIST_END = re.compile(rb'[ \t\r\n]*(?:,[ \t\r\n]*"|\}[ \t\r\n]*\Z)')
_CUT_HERE = "cut here by the reader"


class _CannotSlice(Exception):
    """The file must be parsed as a whole."""


def read_json(data: bytes, wanted: Wanted, source: str, *, slice_size: int = SLICE) -> Captions:
    """Captions of a JSON document."""
    if len(data) > slice_size:
        try:
            return _read_sliced(data, wanted, source, slice_size)
        except (_CannotSlice, InputError):
            pass  # the whole-file path says what is wrong, if anything is
    value = parse_json(data, source)
    _no_repeated_key(value, data, source)
    return from_value(value, wanted, source)


def read_jsonl(data: bytes, wanted: Wanted, source: str) -> Captions:
    """Captions of a file with a JSON value a line. A record's row is its line."""
    return from_batches(parse_lines(data, source), wanted, source)


def is_jsonl(data: bytes, extension: str) -> bool:
    """Is there a complete JSON value on the first line, and more below it?"""
    end = data.find(b"\n")
    if end < 0 or not data[end:].strip(_SPACE_BYTES):
        return False
    try:
        orjson.loads(data[:end])
    except orjson.JSONDecodeError:
        return extension in (".jsonl", ".ndjson") and data.lstrip(_SPACE_BYTES)[:1] == b"{"
    return True


def parse_lines(data: bytes, source: str) -> Iterator[list[Any]]:
    """The values of a file with one a line, in batches."""
    batch: list[Any] = []
    for row, line in enumerate(data.rstrip(_SPACE_BYTES).split(b"\n"), 1):
        try:
            batch.append(orjson.loads(line))
        except orjson.JSONDecodeError:
            if not line.strip(_SPACE_BYTES):
                raise InputError("the line is blank", source=source, row=row, fix="delete it") from None
            batch.append(parse_json(line, source, row))
        if len(batch) == _BATCH:
            yield batch
            batch = []
    yield batch


def parse_json(data: bytes, source: str, row: int | None = None) -> Any:
    """A JSON value; what orjson refuses but Python writes (NaN) is left to the checks of each field."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        pass
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(data, error, source, row) from None
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        truncated = _is_truncated(text, error)
        where = f"column {error.colno}" if row is not None else f"line {error.lineno}, column {error.colno}"
        problem = f"the JSON {'is truncated' if truncated else 'is broken'} at {where} ({error.msg})"
        fix = "write the file again" if truncated else "correct it there"
        raise InputError(problem, source=source, row=row or _broken_row(text, error.pos), fix=fix) from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply", source=source, row=row) from None
    except ValueError as error:
        raise InputError(f"the JSON has an unreadable value ({one_line(error)})", source=source, row=row) from None


def _is_truncated(text: str, error: json.JSONDecodeError) -> bool:
    """Did the parser stop because the text did: after a whole token, in a string, a word, a number, an escape?"""
    rest = text[error.pos :].strip(_SPACE)
    return (
        not rest
        or error.msg.startswith("Unterminated string")
        or any(word.startswith(rest) for word in ("true", "false", "null"))
        or re.fullmatch(r"-|\\?u?[0-9a-fA-F]{0,4}", rest) is not None
    )


def _broken_row(text: str, position: int) -> int | None:
    """The record, the first being 1, in which the parser stopped; None outside a list of records."""
    starts = [match.end() for match in re.finditer(r'"annotations"\s*:\s*\[', text[:position])]
    opening = re.match(r"\s*\[", text)
    if opening is None and not starts:
        return None
    place = opening.end() if opening is not None else starts[-1]
    scan = json.JSONDecoder().raw_decode
    gap = re.compile(r"[\s,]*")
    row = 1
    try:
        while True:
            place = gap.match(text, place).end()  # type: ignore[union-attr]
            if place >= position:
                return row
            _, place = scan(text, place)
            if place >= position:
                return row
            row += 1
    except (ValueError, RecursionError):
        return row


def _no_repeated_key(value: Any, data: bytes, source: str) -> None:
    """A key that stands twice in {id: caption(s)}: parsers keep the last one in silence."""
    if not isinstance(value, dict):
        return
    strings = [*value]
    for captions in value.values():
        if isinstance(captions, str):
            strings.append(captions)
        elif isinstance(captions, list) and all(type(caption) is str for caption in captions):
            strings += captions
        else:
            return
    # Two quotation marks around each string and one for each escaped one: more of them means more strings.
    marks = 2 * len(strings) + sum(string.count('"') for string in strings)
    if b"\\u0022" not in data and data.count(b'"') == marks:
        return
    pairs = json.loads(data, object_pairs_hook=lambda pairs: pairs)
    rows: dict[str, int] = {}
    for row, (key, _) in enumerate(pairs, 1):
        if key in rows:
            raise InputError(
                f"the id {key!r} stands twice, in rows {rows[key]} and {row}",
                source=source,
                row=row,
                fix="keep one, or write its captions as a list",
            )
        rows[key] = row


def _read_sliced(data: bytes, wanted: Wanted, source: str, slice_size: int) -> Captions:
    columns = RecordColumns(wanted, source)
    start = len(data) - len(data.lstrip(_SPACE_BYTES))
    if data[start : start + 1] == b"[":
        end = data.rfind(b"]")
        if data[end + 1 :].strip(_SPACE_BYTES):
            raise _CannotSlice
        for batch in _slices(data, start + 1, end, slice_size):
            columns.add(batch)
        return columns.finish()
    images = ImageColumns(wanted)
    rest: list[bytes] = []
    done = 0
    while (found := _next_list(data, done)) is not None:
        key, first = found
        end = _end_of_list(data, first)
        for batch in _slices(data, first, end, slice_size):
            if key == b'"images"':
                images.add(batch)
            else:
                columns.add(batch)
        rest += [data[done:first], orjson.dumps(_CUT_HERE)]
        done = end
    skeleton = _loads(b"".join([*rest, data[done:]]))
    # The lists that were cut are the top level's own, each key stands once, and around them all is JSON.
    cut = [isinstance(skeleton, dict) and skeleton.get(name) == [_CUT_HERE] for name in ("images", "annotations")]
    if len(rest) != 2 * sum(cut):
        raise _CannotSlice
    return images.give(columns)


def _slices(data: bytes, start: int, end: int, size: int) -> Iterator[list[Any]]:
    while end - start > size:
        brace = start + size
        between = None
        while between is None:
            brace = data.find(b"}", brace, end)
            if brace < 0:
                break
            between = _BETWEEN_RECORDS.match(data, brace, end)
            brace += 1
        if between is None:
            break
        yield _loads(b"[" + data[start : between.start() + 1] + b"]")
        start = between.end()
    yield _loads(b"[" + data[start:end] + b"]")


def _loads(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        raise _CannotSlice from None


def _next_list(data: bytes, start: int) -> tuple[bytes, int] | None:
    """COCO's next key whose value is a list, and where the list's first record starts."""
    found: list[tuple[int, bytes]] = []
    for key in (b'"images"', b'"annotations"'):
        place = data.find(key, start)
        while place >= 0:
            opening = _LIST_START.match(data, place + len(key))
            # After a backslash the quotation mark belongs to the end of some other key.
            if opening is not None and data[place - 1 : place] != b"\\":
                found.append((opening.end(), key))
                break
            place = data.find(key, place + 1)
    if not found:
        return None
    first, key = min(found)
    return key, first


def _end_of_list(data: bytes, start: int) -> int:
    end = data.find(b"]", start)
    while end >= 0:
        if _LIST_END.match(data, end + 1):
            return end
        end = data.find(b"]", end + 1)
    raise _CannotSlice
