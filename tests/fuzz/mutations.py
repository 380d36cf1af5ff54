"""Valid files, changed a little: values of other types in JSON, lines and cells of text, bytes of anything."""

from __future__ import annotations

import json
from random import Random
from typing import Any

ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**12, 2**63, -(2**64), 1e308, float("nan"), float("inf"), "", " ", "a", "0", "-1",
    "nan", "é", "狗", "\u2028", "a" * 500, [], [[]], ["a"], [None], [1, "a"], {}, {"a": 1}, {"caption": 7}, [[["a"]]],
]  # fmt: skip
PIECES = [
    b"", b"\0", b"\n", b"\r", b"\t", b",", b'"', b"'", b"[", b"]", b"{", b"}", b":", b"-", b"1e999", b"NaN", b"null",
    b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\x1f\x8b", b"PK\x03\x04", b"PAR1", b"9" * 30, b"#", b" ", b"\\u0000", b"<",
]  # fmt: skip


def mutated(data: bytes, random: Random) -> bytes:
    """The file with one to three changes."""
    for _ in range(random.randint(1, 3)):
        change = random.choice([_json, _json, _lines, _cells, _bytes, _numbers, _cut])
        data = change(data, random)
    return data[: 1 << 20]


def _json(data: bytes, random: Random) -> bytes:
    """A value somewhere in a JSON document, or in one line of JSON Lines, becomes another."""
    lines = data.split(b"\n")
    place = random.randrange(len(lines))
    for whole in (True, False):
        try:
            value = json.loads(data if whole else lines[place])
        except (ValueError, RecursionError):
            continue
        text = json.dumps(_changed(value, random), ensure_ascii=random.random() < 0.5)
        changed = text.encode("utf-8", "surrogatepass")
        return changed if whole else b"\n".join([*lines[:place], changed, *lines[place + 1 :]])
    return _bytes(data, random)


def _changed(value: Any, random: Random) -> Any:
    """The value with one part of it replaced, removed, repeated or wrapped."""
    if random.random() < 0.15 or not isinstance(value, (dict, list)) or not value:
        return random.choice([random.choice(ODD), [value], {"a": value}, str(value)[:50]])
    if isinstance(value, dict):
        key = random.choice(list(value))
        changed = dict(value)
        match random.randrange(4):
            case 0:
                del changed[key]
            case 1:
                changed[random.choice([key + " ", key.upper(), "x", "id"])] = changed.pop(key)
            case _:
                changed[key] = _changed(value[key], random)
        return changed
    place = random.randrange(len(value))
    match random.randrange(5):
        case 0:
            return value[:place] + value[place + 1 :]
        case 1:
            return value[:place] + [value[place]] * 2 + value[place + 1 :]
        case _:
            return [*value[:place], _changed(value[place], random), *value[place + 1 :]]


def _lines(data: bytes, random: Random) -> bytes:
    """A line is removed, repeated, emptied or put elsewhere."""
    lines = data.split(b"\n")
    place, other = random.randrange(len(lines)), random.randrange(len(lines))
    line = lines[place]
    match random.randrange(4):
        case 0:
            del lines[place]
        case 1:
            lines.insert(other, line)
        case 2:
            lines[place] = b""
        case _:
            lines[place], lines[other] = lines[other], line
    return b"\n".join(lines)


def _cells(data: bytes, random: Random) -> bytes:
    """A cell between tabs, commas or blanks becomes another."""
    sign = random.choice([b"\t", b",", b" "])
    cells = data.split(sign)
    cells[random.randrange(len(cells))] = random.choice([*PIECES, str(random.choice(ODD)).encode("utf-8", "replace")])
    return sign.join(cells)


def _bytes(data: bytes, random: Random) -> bytes:
    """A few bytes become others."""
    place = random.randrange(len(data) + 1)
    piece = random.choice([*PIECES, random.randbytes(random.randint(1, 8))])
    return data[:place] + piece + data[place + random.choice([0, 1, len(piece), 4]) :]


def _numbers(data: bytes, random: Random) -> bytes:
    """Four or eight bytes become a large, a small or a negative number, as sizes in headers are stored."""
    if len(data) < 16:
        return _bytes(data, random)
    size = random.choice([4, 8])
    place = random.randrange(0, len(data) - size)
    number = random.choice([0, 1, 255, 1 << 16, (1 << 31) - 1, (1 << 8 * size) - 1, 1 << 40])
    return data[:place] + (number & ((1 << 8 * size) - 1)).to_bytes(size, "little") + data[place + size :]


def _cut(data: bytes, random: Random) -> bytes:
    """The end is cut off."""
    return data[: random.randrange(len(data) + 1)]
