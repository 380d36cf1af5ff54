"""Columns written as rows of JSON: what is between two values is the same in every row, and no value is an object."""

from __future__ import annotations

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import Rows

ROWS = Rows(cython.compiled)

BLANK = cython.declare(cython.int, 0x20)
QUOTE = cython.declare(cython.int, 0x22)
COMMA = cython.declare(cython.int, 0x2C)
ZERO = cython.declare(cython.int, 0x30)
BRACKET = cython.declare(cython.int, 0x5B)
BACKSLASH = cython.declare(cython.int, 0x5C)
BRACKET_END = cython.declare(cython.int, 0x5D)
LETTER_A = cython.declare(cython.int, 0x61)
LETTER_U = cython.declare(cython.int, 0x75)

LONGEST_ESCAPE = 6  # \u001f


def quoted(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> bytes:
    r"""The texts of a ragged column, `data[offsets[i]:offsets[i + 1]]` in valid UTF-8, as a list in JSON.

    >>> quoted(np.frombuffer(b'a "dog"\n', np.uint8), np.array([0, 2, 8]))
    b'["a ","\\"dog\\"\\n"]'
    """
    count = len(offsets) - 1
    if not count:
        return b"[]"
    size = int(offsets[-1] - offsets[0])
    out = np.empty(LONGEST_ESCAPE * size + 3 * count + 1, np.uint8)
    end = _quote(ROWS.view(data), ROWS.copy(offsets, np.int64), ROWS.view(out))
    return out[:end].tobytes()


@cython.cfunc
def _quote(
    data: cython.const[cython.uchar][::1], offsets: cython.const[cython.longlong][::1], out: cython.uchar[::1]
) -> cython.Py_ssize_t:
    """Writes the list, and gives its length."""
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    to: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = len(offsets) - 1
    sign: cython.int
    with cython.nogil:
        for row in range(count):
            out[to] = COMMA if row else BRACKET
            out[to + 1] = QUOTE
            to += 2
            for at in range(offsets[row], offsets[row + 1]):
                sign = data[at]
                if sign >= BLANK and sign != QUOTE and sign != BACKSLASH:
                    out[to] = sign
                    to += 1
                else:
                    to = _escape(sign, out, to)
            out[to] = QUOTE
            to += 1
        out[to] = BRACKET_END
    return to + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _escape(sign: cython.int, out: cython.uchar[::1], to: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Writes a character that JSON does not take as it is, and gives the place behind it."""
    short: cython.int = 0
    if sign == QUOTE or sign == BACKSLASH:
        short = sign
    elif sign == 0x08:
        short = 0x62  # b
    elif sign == 0x09:
        short = 0x74  # t
    elif sign == 0x0A:
        short = 0x6E  # n
    elif sign == 0x0C:
        short = 0x66  # f
    elif sign == 0x0D:
        short = 0x72  # r
    out[to] = BACKSLASH
    if short:
        out[to + 1] = short
        return to + 2
    out[to + 1] = LETTER_U
    out[to + 2] = out[to + 3] = ZERO
    out[to + 4] = ZERO + (sign >> 4)
    sign &= 15
    out[to + 5] = ZERO + sign if sign < 10 else LETTER_A + sign - 10
    return to + 6


def interleaved(pieces: list[bytes], columns: list[bytes], rows: int) -> bytes:
    """Rows, at least one, of a piece, the value of the first column, a piece, that of the second and so on, and the
    last piece. A column is a list in JSON without blanks, whose values are numbers, strings, true, false and null.

    >>> interleaved([b"<", b" is ", b">"], [b'["a, b","c"]', b"[1,null]"], rows=2)
    b'<"a, b" is 1><"c" is null>'
    """
    if len(pieces) != len(columns) + 1:
        raise ValueError(f"{len(pieces)} pieces cannot surround {len(columns)} columns")
    constant, data = b"".join(pieces), b"".join(columns)
    places = np.cumsum([0, *map(len, columns)])
    out = np.empty(max(len(data) + rows * len(constant), 1), np.uint8)
    size = _interleave(
        constant or b" ",
        ROWS.copy(np.cumsum([0, *map(len, pieces)]), np.int64),
        data or b" ",
        ROWS.copy(places[:-1] + 1, np.int64),  # behind the bracket
        ROWS.copy(places[1:], np.int64),
        rows,
        ROWS.view(out),
    )
    if size < 0:
        raise ValueError(f"every column has one value for each of the {rows} rows")
    return out[:size].tobytes()


@cython.cfunc
def _interleave(
    constant: cython.const[cython.uchar][::1],
    piece_ends: cython.const[cython.longlong][::1],
    data: cython.const[cython.uchar][::1],
    at: cython.longlong[::1],
    ends: cython.const[cython.longlong][::1],
    rows: cython.Py_ssize_t,
    out: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Writes the rows, and gives their length; -1 where a column has more or fewer values. `at` are the places of the
    next values."""
    _row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    place: cython.Py_ssize_t
    start: cython.Py_ssize_t
    to: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = len(ends)
    with cython.nogil:
        for _row in range(rows):
            for column in range(count + 1):
                start = piece_ends[column]
                for place in range(piece_ends[column + 1] - start):
                    out[to + place] = constant[start + place]
                to += piece_ends[column + 1] - start
                if column < count:
                    start = to - at[column]
                    to = _copy_value(data, at[column], ends[column], out, to)
                    at[column] = to - start + 1  # behind the comma, or the bracket
                    if at[column] > ends[column]:
                        return -1
        for column in range(count):
            if at[column] != ends[column]:
                return -1
    return to


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _copy_value(
    data: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.uchar[::1],
    to: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Writes a value, up to a comma or the bracket behind it, and gives the place behind it."""
    sign: cython.int = COMMA if at >= end else data[at]
    if sign == QUOTE:
        while True:
            if sign == BACKSLASH:
                out[to] = sign
                to += 1
                at += 1
                sign = data[at]
            out[to] = sign
            to += 1
            at += 1
            sign = data[at]
            if sign == QUOTE:
                out[to] = sign
                return to + 1
    while sign != COMMA and sign != BRACKET_END:
        out[to] = sign
        to += 1
        at += 1
        sign = data[at]
    return to
