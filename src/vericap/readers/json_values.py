"""JSON and JSON Lines → Python values, with errors that name the row, the line and the column."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import orjson

from vericap.errors import InputError
from vericap.readers.files import File, not_utf8
from vericap.readers.messages import describe, one_line
from vericap.readers.ranges import MARK, TABLES, Span, TextRanges

_BATCH = 4096
_BLOCK = 1 << 22
_SPACE = " \t\r\n"  # what JSON allows between tokens, which is less than str.strip and \s take
_SPACE_BYTES = _SPACE.encode()
# What JSON starts with. A caption of a plain-text file may start with a bracket ("[UNK] dog"), but not so.
_START = re.compile(rb'\s*(?:\{\s*(?:"|\}|\Z)|\[\s*(?:["\[{\]]|\Z))')


def looks_like_json(data: bytes) -> bool:
    """Does it start as a JSON object or array does?

    >>> looks_like_json(b' [{"caption": "a dog"}]'), looks_like_json(b"[UNK] dog runs")
    (True, False)
    """
    return _START.match(data) is not None


def is_json(file: File) -> bool:
    """Return whether it is JSON or JSON Lines, by its content or by its name."""
    return _START.match(file.utf8) is not None or file.extension in (".json", ".jsonl", ".ndjson")


def is_json_lines(data: bytes, extension: str) -> bool:
    """Is there a complete JSON value on the first line, and more below it?

    >>> is_json_lines(b'{"1": "a dog"}\\n{"2": "a cat"}', ""), is_json_lines(b'{"1": "a dog",\\n"2": "a cat"}', "")
    (True, False)
    """
    end = data.find(b"\n")
    if end < 0 or not data[end:].strip(_SPACE_BYTES):
        return False
    try:
        orjson.loads(data[:end])
    except orjson.JSONDecodeError:
        return extension in (".jsonl", ".ndjson") and data.lstrip(_SPACE_BYTES)[:1] == b"{"
    return True


def read_values(file: File) -> Any:
    """The value of a JSON file, or the list of the values of a JSON Lines file."""
    data = file.utf8
    if is_json_lines(data, file.extension):
        return [value for batch in parse_lines(data, file.name) for value in batch]
    return parse_document(data, file.name)


def parse_document(data: bytes, source: str) -> Any:
    """Return the value of a JSON document; a key that occurs twice in one object is an error."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        value = parse_json(data, source)
    if not has_each_key_once(value, data):
        refuse_repeated_key(data, source)
    return value


def parse_lines(data: bytes, source: str) -> Iterator[list[Any]]:
    """The values of JSON Lines, in batches. Blank lines hold none."""
    batch: list[Any] = []
    for row, line in enumerate(data.rstrip(_SPACE_BYTES).split(b"\n"), 1):
        if line.strip(_SPACE_BYTES):
            batch.append(_parse_line(line, source, row))
        if len(batch) == _BATCH:
            yield batch
            batch = []
    yield batch


def _parse_line(line: bytes, source: str, row: int) -> Any:
    value = parse_json(line, source, row)
    if not has_each_key_once(value, line):
        refuse_repeated_key(b"[" + line + b"]", source, row)
    return value


class LineRanges(TextRanges):
    """One JSON object per line. A blank line is a bad row; trailing blank lines are ignored."""

    @staticmethod
    def recognises(head: bytes, extension: str) -> bool:
        return extension not in TABLES and head.removeprefix(MARK).lstrip()[:1] == b"{"

    def names(self) -> tuple[Sequence[str], dict[str, Any]]:
        record = next(self.after(Span(0, 0, 0), ()))
        if isinstance(record, InputError):
            raise record
        return list(record), record

    @property
    def size(self) -> int:
        """The size of the file without blank lines at its end."""
        size = super().size
        while size:
            begin = max(size - _BLOCK, 0)
            with self.open(begin) as file:
                content = file.read(size - begin).rstrip()
            size = begin + len(content)
            if content:
                break
        return size

    def rows(self, begin: int, end: int | None = None) -> Iterator[tuple[bytes, int]]:
        place = begin
        with self.open(begin) as file:
            while (end is None or place < end) and (line := file.readline()):
                line = line if end is None else line[: end - place]
                place += len(line)
                yield line, place

    def record(self, row: bytes, number: int) -> Any:
        line = row.removeprefix(MARK) if number == 1 else row
        if not line.strip(_SPACE_BYTES):
            return InputError("the line is blank", source=self.path, row=number, fix="delete it")
        try:
            record = _parse_line(line, self.path, number)
        except InputError as error:
            return error
        if not isinstance(record, dict):
            kind = "a string" if isinstance(record, str) else describe(record)
            problem = f"the row is {kind}, not an object with fields"
            return InputError(problem, source=self.path, row=number, fix="give every row the same shape")
        return record

    def shown(self, row: bytes) -> str:
        return row.removeprefix(MARK).removesuffix(b"\n").decode("utf-8", "replace")


def line_numbers(data: bytes) -> Callable[[int], int]:
    """The line of each value of JSON Lines, the first being 1.

    >>> line_numbers(b'{"1": "a dog"}\\n\\n{"2": "a cat"}')(1)
    3
    """

    def line_of(value: int) -> int:
        filled = (number for number, line in enumerate(data.split(b"\n"), 1) if line.strip(_SPACE_BYTES))
        return next(islice(filled, value, None), value + 1)

    return line_of


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
        while (place := gap.match(text, place).end()) < position:  # type: ignore[union-attr]
            _, place = scan(text, place)
            row += place < position
    except (ValueError, RecursionError):
        pass
    return row


def refuse_repeated_key(data: bytes, source: str, row: int | None = None) -> None:
    """Raise an error for a key that occurs twice in one object: parsers keep the last one and say nothing.

    >>> refuse_repeated_key(b'{"1": "a dog", "1": "a cat"}', "results.json")
    Traceback (most recent call last):
    vericap.errors.InputError: results.json, row 2: the key '1' occurs twice, in rows 1 and 2; keep one, or write ...
    """
    try:
        # Every object becomes the list of its pairs, so that nothing is lost.
        whole = json.loads(data, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return
    if isinstance(whole, _Pairs):
        rows: dict[str, int] = {}
        for number, (key, _) in enumerate(whole, 1):
            if key in rows:
                raise InputError(
                    f"the key {key[:80]!r} occurs twice, in rows {rows[key]} and {number}",
                    source=source,
                    row=number,
                    fix="keep one, or write its captions as a list",
                )
            rows[key] = number
    for name, part in [*whole] if isinstance(whole, _Pairs) else [("", whole)]:
        for number, record in enumerate(part if type(part) is list else [part], 1):
            twice = _repeated_in(record)
            if twice is not None:
                place: int | str | None = row or (f"{number} of {name}" if name and type(part) is list else number)
                raise InputError(
                    "the field occurs twice in one object", source=source, row=place, field=twice[:80], fix="keep one"
                )


class _Pairs(list[tuple[str, Any]]):
    """An object of JSON with all its pairs."""


def has_each_key_once(value: Any, data: bytes) -> bool:
    """Return whether the text has as many keys as the value. A quotation mark and a colon end a key, and may be in a
    string."""
    keys, stack = 0, [value]
    while stack:
        each = stack.pop()
        if type(each) is dict:
            keys += len(each)
            each = each.values()
        elif type(each) is not list:
            continue
        stack += [inner for inner in each if type(inner) is dict or type(inner) is list]
    return data.count(b'":') + data.count(b'" :') == keys


def _repeated_in(record: Any) -> str | None:
    """A key that an object in it has twice."""
    stack = [record]
    while stack:
        each = stack.pop()
        if isinstance(each, _Pairs):
            seen: set[str] = set()
            for key, inner in each:
                if key in seen:
                    return key
                seen.add(key)
                stack.append(inner)
        elif type(each) is list:
            stack += each
    return None
