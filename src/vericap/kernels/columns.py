"""Plain records of JSON read into columns, without an object per record; and columns of texts in another order.

The scanner takes what nearly all big files hold: flat objects that have the same fields in the same order, with values
that are strings, numbers, true, false and null. It checks every byte that it passes, but for the validity of
UTF-8 and of escapes in captions and ids, which the caller checks, and gives up at anything else.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)

QUOTE = cython.declare(cython.int, ord('"'))
BACKSLASH = cython.declare(cython.int, ord("\\"))
BLANK = cython.declare(cython.int, ord(" "))
LINE_FEED = cython.declare(cython.int, ord("\n"))
COMMA = cython.declare(cython.int, ord(","))
COLON = cython.declare(cython.int, ord(":"))
MINUS = cython.declare(cython.int, ord("-"))
POINT = cython.declare(cython.int, ord("."))
BRACE = cython.declare(cython.int, ord("{"))
BRACE_END = cython.declare(cython.int, ord("}"))
BRACKET_END = cython.declare(cython.int, ord("]"))
ZERO = cython.declare(cython.int, ord("0"))
NINE = cython.declare(cython.int, ord("9"))
MOST_DIGITS = cython.declare(cython.int, 18)  # of a number that surely fits into 64 bits


def gather_texts(
    data: NDArray[np.uint8], offsets: NDArray[np.int64], rows: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Return the bytes of some rows of a ragged column, one after the other; `ends` are their offsets.

    >>> data = np.frombuffer(b"dogcatowl", np.uint8)
    >>> gather_texts(data, np.array([0, 3, 6, 9]), np.array([2, 0]), np.array([0, 3, 6])).tobytes()
    b'owldog'
    """
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t
    to: cython.Py_ssize_t
    found = np.empty(int(ends.max()), np.uint8)
    if not len(found):
        return found
    text: cython.const[cython.uchar][::1] = ROWS.view(data)
    starts: cython.const[cython.longlong][::1] = ROWS.copy(offsets[rows], np.int64)
    own_ends: cython.const[cython.longlong][::1] = ROWS.copy(ends, np.int64)
    out: cython.uchar[::1] = ROWS.view(found)
    with cython.nogil:
        for row in range(len(starts)):
            start = starts[row]
            to = own_ends[row]
            for at in range(own_ends[row + 1] - to):
                out[to + at] = text[start + at]
    return found


@cython.final
@cython.cclass
class RecordScanner:
    """Reads records with these fields, from a place in a list of JSON on, or lines of them.

    `caption` and `image_id` are numbers of fields, or -1; ids are whole numbers, or strings.

    >>> scanner = RecordScanner(b'[{"id": 7, "text": "a dog"}, {"id": 8, "text": "a cat"}]', ["id", "text"])
    >>> scanner.read(1, caption=1, image_id=0, text_ids=False)
    56
    >>> scanner.numbers().tolist(), [column.tolist()[:3] for column in scanner.captions()]
    ([7, 8], [[97, 32, 100], [0, 5, 10]])
    """

    data: cython.const[cython.uchar][::1]
    at: cython.Py_ssize_t
    end: cython.Py_ssize_t
    lines: cython.bint
    names: cython.const[cython.uchar][::1]  # of the fields in quotes, and JSON's three words, one after the other
    name_ends: cython.const[cython.longlong][::1]
    fields: cython.int
    found: cython.Py_ssize_t  # records
    text: cython.uchar[::1]
    ends: cython.longlong[::1]
    id_text: cython.uchar[::1]
    id_ends: cython.longlong[::1]
    number: cython.longlong[::1]
    spare: cython.longlong[::1]  # for numbers that nobody asked for
    arrays: Any

    def __init__(self, data: bytes, names: list[str], lines: bool = False) -> None:
        quoted = [*(b'"%b"' % name.encode() for name in names), b"true", b"false", b"null"]
        self.data, self.end, self.lines, self.fields = data, len(data), lines, len(names)
        self.names = b"".join(quoted)
        self.name_ends = ROWS.copy(np.cumsum([0, *map(len, quoted)]), np.int64)

    def read(self, start: int, caption: cython.int, image_id: cython.int, text_ids: cython.bint) -> int:
        """Read from a place on, behind the bracket of a list; return the place behind its end, or 0 after giving up."""
        good: cython.bint
        size = self.end - start
        rows = size // int(self.name_ends[self.fields]) + 2
        # The system gives memory where it is written, not before.
        sizes = size, rows, size if text_ids else 1, rows if text_ids else 1, 1 if text_ids else rows, 1
        kinds = np.uint8, np.int64, np.uint8, np.int64, np.int64, np.int64
        self.arrays = list(map(np.empty, sizes, kinds))
        self.text, self.ends, self.id_text, self.id_ends, self.number, self.spare = map(ROWS.view, self.arrays)
        self.at, self.found, self.ends[0], self.id_ends[0] = start, 0, 0, 0
        with cython.nogil:
            good = self._records(self.data, caption, image_id, text_ids)
        return int(self.at) if good else 0

    def captions(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the captions as they are written between their quotes, and their offsets."""
        return self._cut(0, self.ends[self.found]), self._cut(1, self.found + 1)

    def id_texts(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the ids in the same way, if they are strings."""
        return self._cut(2, self.id_ends[self.found]), self._cut(3, self.found + 1)

    def numbers(self) -> NDArray[np.int64]:
        """Return the ids, if they are numbers."""
        return self._cut(4, self.found)

    def _cut(self, array: int, size: int) -> NDArray[Any]:
        """Return an array without the room that was not needed."""
        cut: NDArray[Any] = self.arrays[array]
        cut.resize(size, refcheck=False)
        return cut

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _records(
        self,
        data: cython.const[cython.uchar][::1],
        caption: cython.int,
        image_id: cython.int,
        text_ids: cython.bint,
    ) -> cython.bint:
        field: cython.int
        size: cython.Py_ssize_t
        while True:
            for field in range(self.fields):
                if not self._take(data, COMMA if field else BRACE) or not self._name(data, self.names, field):
                    return False
                if not self._take(data, COLON):
                    return False
                self._pass_space(data)
                if field == caption:
                    size = self._copy(data, self.text, self.ends[self.found])
                    self.ends[self.found + 1] = size
                elif field == image_id and text_ids:
                    size = self._copy(data, self.id_text, self.id_ends[self.found])
                    self.id_ends[self.found + 1] = size
                elif field == image_id:
                    size = self._whole_number(data, self.number, self.found)
                else:
                    size = self._other(data)
                if size < 0:
                    return False
            if not self._take(data, BRACE_END):
                return False
            self.found += 1
            if self.lines:
                self._pass_space(data)
                if self.at == self.end:
                    return True
            elif self._take(data, BRACKET_END):
                return True
            if not self._take(data, LINE_FEED if self.lines else COMMA):
                return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pass_space(self, data: cython.const[cython.uchar][::1]) -> cython.void:
        sign: cython.int
        while self.at < self.end:
            sign = data[self.at]
            if sign != BLANK and sign != 0x09 and sign != 0x0D and (sign != LINE_FEED or self.lines):
                break
            self.at += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, data: cython.const[cython.uchar][::1], sign: cython.int) -> cython.bint:
        """Pass white space and this sign; return whether it was there."""
        self._pass_space(data)
        if self.at >= self.end or data[self.at] != sign:
            return False
        self.at += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _name(
        self, data: cython.const[cython.uchar][::1], names: cython.const[cython.uchar][::1], field: cython.int
    ) -> cython.bint:
        """Pass the name of a field; return whether it was there."""
        place: cython.Py_ssize_t = self.name_ends[field]
        end: cython.Py_ssize_t = self.name_ends[field + 1]
        self._pass_space(data)
        while place < end and self.at < self.end and data[self.at] == names[place]:
            place += 1
            self.at += 1
        return place == end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _copy(
        self, data: cython.const[cython.uchar][::1], out: cython.uchar[::1], to: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Copy what is between quotes; return the place behind it, -1 where there is no string."""
        at: cython.Py_ssize_t = self.at + 1
        end: cython.Py_ssize_t = self.end - 1
        sign: cython.int
        if at > end or data[self.at] != QUOTE:
            return -1
        while at <= end:
            sign = data[at]
            if sign == QUOTE:
                self.at = at + 1
                return to
            if sign < BLANK:
                return -1
            if sign == BACKSLASH and at < end:  # what follows is copied, even a quote
                out[to] = sign
                to += 1
                at += 1
                sign = data[at]
            out[to] = sign
            to += 1
            at += 1
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _whole_number(
        self, data: cython.const[cython.uchar][::1], out: cython.longlong[::1], place: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Write a whole number; return -1 where there is none."""
        negative: cython.bint = self.at < self.end and data[self.at] == MINUS
        start: cython.Py_ssize_t = self.at + negative
        at: cython.Py_ssize_t = start
        value: cython.longlong = 0
        while at < self.end and ZERO <= data[at] <= NINE and at < start + MOST_DIGITS:
            value = 10 * value + (data[at] - ZERO)
            at += 1
        if at == start or (data[start] == ZERO and at > start + 1):
            return -1
        self.at = at
        out[place] = -value if negative else value
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _other(self, data: cython.const[cython.uchar][::1]) -> cython.Py_ssize_t:
        """Pass a value that nobody asked for: a string without escapes, a number without an exponent, true, false or
        null; return -1 for any other."""
        at: cython.Py_ssize_t = self.at
        word: cython.int
        if at < self.end and data[at] == QUOTE:
            at += 1
            while at < self.end and data[at] >= BLANK and data[at] != QUOTE and data[at] != BACKSLASH:
                at += 1
            if at >= self.end or data[at] != QUOTE:
                return -1
            self.at = at + 1
            return 0
        for word in range(self.fields, self.fields + 3):
            if self._name(data, self.names, word):
                return 0
            self.at = at
        if self._whole_number(data, self.spare, 0) < 0 or self.at >= self.end or data[self.at] != POINT:
            return 0 if self.at > at else -1
        at = self.at + 1
        self.at = at
        while self.at < self.end and ZERO <= data[self.at] <= NINE:
            self.at += 1
        return 0 if self.at > at else -1
