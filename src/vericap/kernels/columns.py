"""Records of JSON read into columns: captions as UTF-8 in one array, image ids as numbers, and no object per record.

The scanner takes the shapes that nearly all big files have: objects with the same fields, flat, captions that are
strings or lists of strings, ids that are all whole numbers or all strings. It checks every byte that it passes, but
for the validity of UTF-8, which is the caller's to check, and gives up at anything else: other parsers read that, and
their errors say what is wrong.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import Rows

ROWS = Rows(cython.compiled)

TAB = cython.declare(cython.int, 0x09)
LINE_FEED = cython.declare(cython.int, 0x0A)
CARRIAGE_RETURN = cython.declare(cython.int, 0x0D)
BLANK = cython.declare(cython.int, 0x20)
QUOTE = cython.declare(cython.int, 0x22)
PLUS = cython.declare(cython.int, 0x2B)
COMMA = cython.declare(cython.int, 0x2C)
MINUS = cython.declare(cython.int, 0x2D)
POINT = cython.declare(cython.int, 0x2E)
SLASH = cython.declare(cython.int, 0x2F)
ZERO = cython.declare(cython.int, 0x30)
NINE = cython.declare(cython.int, 0x39)
COLON = cython.declare(cython.int, 0x3A)
BRACKET = cython.declare(cython.int, 0x5B)
BACKSLASH = cython.declare(cython.int, 0x5C)
BRACKET_END = cython.declare(cython.int, 0x5D)
BRACE = cython.declare(cython.int, 0x7B)
BRACE_END = cython.declare(cython.int, 0x7D)
DEEPEST = cython.declare(cython.int, 100)  # values inside values
MOST_DIGITS = cython.declare(cython.int, 18)  # of a number that surely fits into 64 bits
LONGEST_NUMBER = cython.declare(cython.int, 300)
NO_IDS = cython.declare(cython.int, 0)
NUMBERS = cython.declare(cython.int, 1)
STRINGS = cython.declare(cython.int, 2)

MOST_FIELDS = 60  # one bit each in 64


def _is_plain(name: bytes) -> bool:
    """Is it written in JSON as it is, or in another way that no field is found by?"""
    return not any(sign < BLANK or sign in (QUOTE, BACKSLASH) for sign in name)


def gather_texts(
    data: NDArray[np.uint8], offsets: NDArray[np.int64], rows: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """The bytes of some rows of a ragged column, one after the other; `ends` are their offsets.

    >>> data = np.frombuffer(b"dogcatowl", np.uint8)
    >>> gather_texts(data, np.array([0, 3, 6, 9]), np.array([2, 0]), np.array([0, 3, 6])).tobytes()
    b'owldog'
    """
    out = np.empty(int(ends.max()), np.uint8)
    if len(out):
        starts = ROWS.copy(offsets[rows], np.int64)
        _gather(ROWS.view(data), starts, ROWS.copy(ends, np.int64), ROWS.view(out))
    return out


@cython.cfunc
def _gather(
    data: cython.const[cython.uchar][::1],
    starts: cython.const[cython.longlong][::1],
    ends: cython.const[cython.longlong][::1],
    out: cython.uchar[::1],
) -> cython.void:
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t
    to: cython.Py_ssize_t
    count: cython.Py_ssize_t = len(starts)
    with cython.nogil:
        for row in range(count):
            start = starts[row]
            to = ends[row]
            for at in range(ends[row + 1] - to):
                out[to + at] = data[start + at]


@cython.final
@cython.cclass
class RecordScanner:
    """Reads JSON from left to right. Every method that gives False has given up; nothing it read counts then.

    >>> scanner = RecordScanner(b'[{"id": 7, "text": "a dog"}, {"id": 8, "text": "caf\\\\u00e9"}]')
    >>> scanner.records([b"id", b"text"], caption=1, image_id=0), scanner.only_blanks_left()
    (True, True)
    >>> scanner.numbers().tolist(), [array.tolist()[-3:] for array in scanner.captions()]
    ([7, 8], [[102, 195, 169], [0, 5, 10]])
    """

    data: cython.const[cython.uchar][::1]
    at: cython.Py_ssize_t
    end: cython.Py_ssize_t
    lines: cython.bint  # every record is a line

    names: cython.const[cython.uchar][::1]  # of the fields, one after the other
    name_ends: cython.const[cython.longlong][::1]
    fields: cython.int
    caption: cython.int  # the numbers of two fields, or -1
    image_id: cython.int
    lists: cython.bint  # captions may be lists of strings

    text: cython.uchar[::1]
    text_size: cython.Py_ssize_t
    ends: cython.longlong[::1]  # of captions
    count: cython.Py_ssize_t  # of captions
    of_record: cython.longlong[::1]  # captions before the end of each record
    found: cython.Py_ssize_t  # records
    listed: cython.bint  # a caption was a list
    ids: cython.int  # NO_IDS, NUMBERS or STRINGS
    number: cython.longlong[::1]
    id_text: cython.uchar[::1]
    id_size: cython.Py_ssize_t
    id_ends: cython.longlong[::1]
    blank_lines: cython.Py_ssize_t
    line: cython.longlong
    line_of: cython.longlong[::1]
    arrays: Any

    def __init__(self, data: bytes, lines: bool = False) -> None:
        self.data = data
        self.at = 0
        self.end = len(data)
        self.lines = lines
        self.arrays = {}

    def place(self) -> int:
        """Where the scanner is."""
        return int(self.at)

    def move(self, place: int) -> None:
        """Goes to a place."""
        self.at = place

    def next_is(self, sign: int) -> bool:
        """Is this the next sign behind blanks?"""
        self._space(self.data)
        return bool(self.at < self.end and self.data[self.at] == sign)

    def take(self, sign: int) -> bool:
        """Passes this sign, if it is the next."""
        if not self.next_is(sign):
            return False
        self.at += 1
        return True

    def key(self) -> tuple[int, int] | None:
        """Passes a key of an object and the colon behind it: where the key begins and ends, without its quotes."""
        if not self.next_is(QUOTE):
            return None
        start = self.at + 1
        if not self._skip_string(self.data):
            return None
        end = self.at - 1
        return (start, end) if self.take(COLON) else None

    def skip(self) -> bool:
        """Passes a value."""
        self._space(self.data)
        return bool(self._skip(self.data, 0))

    def only_blanks_left(self) -> bool:
        """Is everything read?"""
        self._space(self.data)
        return bool(self.at == self.end)

    def records(
        self, names: list[bytes], caption: int, image_id: int, *, lists: bool = False, text_ids: bool = False
    ) -> bool:
        """Reads a list of objects that have these fields, or lines of them. `caption` and `image_id` are numbers of
        fields, or -1. With `lists` a caption may be a list of captions, with `text_ids` ids are strings."""
        if len(names) > MOST_FIELDS or not all(map(_is_plain, names)):
            return False
        joined = b"".join(names)
        self.names = joined or b" "
        ends = np.zeros(len(names) + 1, np.int64)
        np.cumsum([len(name) for name in names], out=ends[1:])
        self.name_ends = ROWS.copy(ends, np.int64)
        self.fields, self.caption, self.image_id, self.lists = len(names), caption, image_id, lists
        self._make_room(len(joined) + 4 * len(names) + 2, text_ids)
        self.ids = NO_IDS if image_id < 0 else STRINGS if text_ids else NUMBERS
        return bool(self._records())

    def pairs(self) -> bool:
        """Reads an object of captions, or of lists of them, by id: {id: caption(s)}."""
        self.lists = True
        self._make_room(5, True)
        self.ids = STRINGS
        return bool(self._pairs())

    def captions(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The captions as UTF-8, and their offsets."""
        return self._cut("text", self.text_size), self._cut("ends", self.count + 1)

    def numbers(self) -> NDArray[np.int64] | None:
        """The ids of the records, if they are numbers."""
        return self._cut("number", self.found) if self.ids == NUMBERS else None

    def id_texts(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]] | None:
        """The ids of the records and their offsets, if they are strings."""
        if self.ids != STRINGS:
            return None
        return self._cut("id_text", self.id_size), self._cut("id_ends", self.found + 1)

    def offsets_of_records(self) -> NDArray[np.int64] | None:
        """The captions of record i are offsets[i] … offsets[i + 1] - 1; None: one each."""
        return self._cut("of_record", self.found + 1) if self.listed else None

    def lines_of_records(self) -> NDArray[np.int64] | None:
        """The line of each record, the first being 1; None: there are no blank lines."""
        return self._cut("line_of", self.found) if self.blank_lines else None

    def count_of_records(self) -> int:
        """How many records there are."""
        return int(self.found)

    def _cut(self, name: str, size: int) -> Any:
        """An array without the room that was not needed."""
        whole = self.arrays[name]
        whole.resize(size, refcheck=False)
        return whole

    def _make_room(self, shortest: int, text_ids: bool) -> None:
        """Room for records of at least so many bytes. The system gives memory where it is written, not before."""
        left = self.end - self.at
        records = left // max(shortest, 2) + 2
        captions = left // 3 + 2 if self.lists else records
        sizes = {
            "text": (left + 1, np.uint8),
            "ends": (captions, np.int64),
            "of_record": (records if self.lists else 2, np.int64),
            "number": (1 if text_ids else records, np.int64),
            "id_text": (left + 1 if text_ids else 1, np.uint8),
            "id_ends": (records if text_ids else 1, np.int64),
            "line_of": (records if self.lines else 1, np.int64),
        }
        self.arrays = {name: np.empty(size, kind) for name, (size, kind) in sizes.items()}
        self.text, self.ends = ROWS.view(self.arrays["text"]), ROWS.view(self.arrays["ends"])
        self.of_record, self.number = ROWS.view(self.arrays["of_record"]), ROWS.view(self.arrays["number"])
        self.id_text, self.id_ends = ROWS.view(self.arrays["id_text"]), ROWS.view(self.arrays["id_ends"])
        self.line_of = ROWS.view(self.arrays["line_of"])
        self.text_size = self.id_size = self.count = self.found = self.blank_lines = 0
        self.line = 1
        self.listed = False
        self.ends[0] = self.id_ends[0] = self.of_record[0] = 0

    @cython.cfunc
    def _records(self) -> cython.bint:
        good: cython.bint
        with cython.nogil:
            good = self._all_lines(self.data) if self.lines else self._all_records(self.data)
        return good

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _all_records(self, data: cython.const[cython.uchar][::1]) -> cython.bint:
        self._space(data)
        if self.at >= self.end or data[self.at] != BRACKET:
            return False
        self.at += 1
        while True:
            self._space(data)
            if not self._record(data):
                return False
            self._space(data)
            if self.at >= self.end:
                return False
            self.at += 1
            if data[self.at - 1] == BRACKET_END:
                return True
            if data[self.at - 1] != COMMA:
                return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _all_lines(self, data: cython.const[cython.uchar][::1]) -> cython.bint:
        while True:
            self._space(data)
            if self.at < self.end and data[self.at] != LINE_FEED:
                if not self._record(data):
                    return False
                self.line_of[self.found - 1] = self.line
                self.blank_lines = self.line - self.found  # before this record
                self._space(data)
            if self.at >= self.end:
                return True
            if data[self.at] != LINE_FEED:
                return False
            self.at += 1
            self.line += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _record(self, data: cython.const[cython.uchar][::1]) -> cython.bint:
        """An object with all fields, each once."""
        seen: cython.ulonglong = 0
        bit: cython.ulonglong
        expected: cython.int = 0
        field: cython.int
        if self.at >= self.end or data[self.at] != BRACE:
            return False
        self.at += 1
        while True:
            self._space(data)
            field = self._field(data, self.names, self.name_ends, expected)
            if field < 0:
                return False
            bit = 1
            bit = bit << field
            if seen & bit:
                return False
            seen |= bit
            expected = field + 1
            self._space(data)
            if self.at >= self.end or data[self.at] != COLON:
                return False
            self.at += 1
            self._space(data)
            if not self._value(data, field):
                return False
            self._space(data)
            if self.at >= self.end:
                return False
            self.at += 1
            if data[self.at - 1] == BRACE_END:
                break
            if data[self.at - 1] != COMMA:
                return False
        bit = 1
        if seen != (bit << self.fields) - bit:
            return False
        self.found += 1
        if self.lists:
            self.of_record[self.found] = self.count
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _field(
        self,
        data: cython.const[cython.uchar][::1],
        names: cython.const[cython.uchar][::1],
        name_ends: cython.const[cython.longlong][::1],
        expected: cython.int,
    ) -> cython.int:
        """The number of the field whose name is next, the expected one first; -1 for none."""
        tried: cython.int
        field: cython.int
        length: cython.Py_ssize_t
        start: cython.Py_ssize_t
        same: cython.Py_ssize_t
        if self.at >= self.end or data[self.at] != QUOTE:
            return -1
        for tried in range(self.fields):
            field = expected + tried
            if field >= self.fields:
                field -= self.fields
            start = name_ends[field]
            length = name_ends[field + 1] - start
            if self.at + length + 1 >= self.end or data[self.at + length + 1] != QUOTE:
                continue
            same = 0
            while same < length and data[self.at + 1 + same] == names[start + same]:
                same += 1
            if same == length:
                self.at += length + 2
                return field
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _value(self, data: cython.const[cython.uchar][::1], field: cython.int) -> cython.bint:
        if field == self.caption:
            return self._captions(data)
        if field == self.image_id:
            return self._id(data)
        return self._skip(data, -1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _captions(self, data: cython.const[cython.uchar][::1]) -> cython.bint:
        """A caption, or a list of captions."""
        if self.at >= self.end:
            return False
        if data[self.at] == QUOTE:
            return self._add_caption(data)
        if data[self.at] != BRACKET or not self.lists:
            return False
        self.listed = True
        self.at += 1
        self._space(data)
        if self.at < self.end and data[self.at] == BRACKET_END:
            self.at += 1
            return True
        while True:
            self._space(data)
            if self.at >= self.end or data[self.at] != QUOTE or not self._add_caption(data):
                return False
            self._space(data)
            if self.at >= self.end:
                return False
            self.at += 1
            if data[self.at - 1] == BRACKET_END:
                return True
            if data[self.at - 1] != COMMA:
                return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_caption(self, data: cython.const[cython.uchar][::1]) -> cython.bint:
        size: cython.Py_ssize_t = self._copy(data, self.text, self.text_size)
        if size < 0:
            return False
        self.text_size = size
        self.count += 1
        self.ends[self.count] = size
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _id(self, data: cython.const[cython.uchar][::1]) -> cython.bint:
        """An id of the kind that all have."""
        size: cython.Py_ssize_t
        if self.at >= self.end:
            return False
        if self.ids == NUMBERS:
            return self._whole_number(data)
        if data[self.at] != QUOTE:
            return False
        size = self._copy(data, self.id_text, self.id_size)
        if size < 0:
            return False
        self.id_size = size
        self.id_ends[self.found + 1] = size
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _whole_number(self, data: cython.const[cython.uchar][::1]) -> cython.bint:
        value: cython.longlong = 0
        at: cython.Py_ssize_t = self.at
        negative: cython.bint = data[at] == MINUS
        start: cython.Py_ssize_t
        if negative:
            at += 1
        start = at
        while at < self.end and ZERO <= data[at] <= NINE and at - start <= MOST_DIGITS:
            value = 10 * value + data[at] - ZERO
            at += 1
        if at == start or at - start > MOST_DIGITS or (data[start] == ZERO and (at - start > 1 or negative)):
            return False
        self.at = at  # what makes it another number (a point, an exponent) is neither a comma nor an end
        self.number[self.found] = -value if negative else value
        return True

    @cython.cfunc
    def _pairs(self) -> cython.bint:
        good: cython.bint
        with cython.nogil:
            good = self._all_pairs(self.data)
        return good

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _all_pairs(self, data: cython.const[cython.uchar][::1]) -> cython.bint:
        self._space(data)
        if self.at >= self.end or data[self.at] != BRACE:
            return False
        self.at += 1
        while True:
            self._space(data)
            if not self._id(data):
                return False
            self._space(data)
            if self.at >= self.end or data[self.at] != COLON:
                return False
            self.at += 1
            self._space(data)
            if not self._captions(data):
                return False
            self.found += 1
            self.of_record[self.found] = self.count
            self._space(data)
            if self.at >= self.end:
                return False
            self.at += 1
            if data[self.at - 1] == BRACE_END:
                return True
            if data[self.at - 1] != COMMA:
                return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _space(self, data: cython.const[cython.uchar][::1]) -> cython.void:
        """Passes blanks; where a line is a record, not its end."""
        at: cython.Py_ssize_t = self.at
        while at < self.end and (
            data[at] == BLANK
            or data[at] == TAB
            or data[at] == CARRIAGE_RETURN
            or (data[at] == LINE_FEED and not self.lines)
        ):
            at += 1
        self.at = at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _copy(
        self, data: cython.const[cython.uchar][::1], out: cython.uchar[::1], to: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Writes a string, without its escapes; gives its end in `out`, or -1."""
        at: cython.Py_ssize_t = self.at + 1
        end: cython.Py_ssize_t = self.end
        sign: cython.int
        code: cython.int
        while at < end:
            sign = data[at]
            if sign == QUOTE:
                self.at = at + 1
                return to
            if sign < BLANK:
                return -1
            if sign != BACKSLASH:
                out[to] = sign
                to += 1
                at += 1
                continue
            code = self._escaped(data, at)
            if code < 0:
                return -1
            at += 2 if data[at + 1] != 0x75 else 6 if code < 0x10000 else 12  # u
            if code < 0x80:
                out[to] = code
                to += 1
                continue
            if code < 0x800:
                out[to] = 0xC0 | code >> 6
                to += 1
            else:
                if code < 0x10000:
                    out[to] = 0xE0 | code >> 12
                else:
                    out[to] = 0xF0 | code >> 18
                    to += 1
                    out[to] = 0x80 | (code >> 12 & 0x3F)
                to += 1
                out[to] = 0x80 | (code >> 6 & 0x3F)
                to += 1
            out[to] = 0x80 | (code & 0x3F)
            to += 1
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _escaped(self, data: cython.const[cython.uchar][::1], at: cython.Py_ssize_t) -> cython.int:
        """The character that an escape means; -1 for none, and for half of a surrogate pair."""
        sign: cython.int
        code: cython.int
        low: cython.int
        if at + 1 >= self.end:
            return -1
        sign = data[at + 1]
        if sign == QUOTE or sign == BACKSLASH or sign == SLASH:
            return sign
        if sign == 0x6E:  # n
            return LINE_FEED
        if sign == 0x74:  # t
            return TAB
        if sign == 0x72:  # r
            return CARRIAGE_RETURN
        if sign == 0x62:  # b
            return 0x08
        if sign == 0x66:  # f
            return 0x0C
        if sign != 0x75:  # u
            return -1
        code = self._four_digits(data, at + 2)
        if code < 0xD800 or code > 0xDFFF:
            return code
        if code > 0xDBFF or at + 7 >= self.end or data[at + 6] != BACKSLASH or data[at + 7] != 0x75:
            return -1
        low = self._four_digits(data, at + 8)
        if low < 0xDC00 or low > 0xDFFF:
            return -1
        return 0x10000 + ((code - 0xD800) << 10) + low - 0xDC00

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _four_digits(self, data: cython.const[cython.uchar][::1], at: cython.Py_ssize_t) -> cython.int:
        """A number of four hexadecimal digits, or -1."""
        code: cython.int = 0
        digit: cython.int
        place: cython.int
        if at + 4 > self.end:
            return -1
        for place in range(4):
            digit = data[at + place]
            if ZERO <= digit <= NINE:
                digit -= ZERO
            elif 0x41 <= digit <= 0x46:  # A … F
                digit -= 0x37
            elif 0x61 <= digit <= 0x66:  # a … f
                digit -= 0x57
            else:
                return -1
            code = code << 4 | digit
        return code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _skip_string(self, data: cython.const[cython.uchar][::1]) -> cython.bint:
        at: cython.Py_ssize_t = self.at + 1
        end: cython.Py_ssize_t = self.end
        code: cython.int
        while at < end:
            if data[at] == QUOTE:
                self.at = at + 1
                return True
            if data[at] < BLANK:
                return False
            if data[at] == BACKSLASH:
                code = self._escaped(data, at)
                if code < 0:
                    return False
                at += 2 if data[at + 1] != 0x75 else 6 if code < 0x10000 else 12
            else:
                at += 1
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _skip(self, data: cython.const[cython.uchar][::1], depth: cython.int) -> cython.bint:
        """Passes a value that nobody asked for; at a depth below 0 not an object, where a key might occur twice."""
        sign: cython.int
        ending: cython.int
        if self.at >= self.end or depth > DEEPEST:
            return False
        sign = data[self.at]
        if sign == QUOTE:
            return self._skip_string(data)
        if sign == MINUS or ZERO <= sign <= NINE:
            return self._skip_number(data)
        if sign == 0x74:  # true
            return self._skip_word(data, 0x72, 0x75, 0x65, 0)
        if sign == 0x66:  # false
            return self._skip_word(data, 0x61, 0x6C, 0x73, 0x65)
        if sign == 0x6E:  # null
            return self._skip_word(data, 0x75, 0x6C, 0x6C, 0)
        if depth < 0 or (sign != BRACKET and sign != BRACE):
            return False
        ending = BRACKET_END if sign == BRACKET else BRACE_END
        self.at += 1
        self._space(data)
        if self.at < self.end and data[self.at] == ending:
            self.at += 1
            return True
        while True:
            self._space(data)
            if ending == BRACE_END:
                if self.at >= self.end or data[self.at] != QUOTE or not self._skip_string(data):
                    return False
                self._space(data)
                if self.at >= self.end or data[self.at] != COLON:
                    return False
                self.at += 1
                self._space(data)
            if not self._skip(data, depth + 1):
                return False
            self._space(data)
            if self.at >= self.end:
                return False
            self.at += 1
            if data[self.at - 1] == ending:
                return True
            if data[self.at - 1] != COMMA:
                return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _skip_word(
        self,
        data: cython.const[cython.uchar][::1],
        second: cython.int,
        third: cython.int,
        fourth: cython.int,
        fifth: cython.int,
    ) -> cython.bint:
        """Passes true, false or null, whose first letter has been seen."""
        at: cython.Py_ssize_t = self.at
        if at + 4 > self.end or data[at + 1] != second or data[at + 2] != third or data[at + 3] != fourth:
            return False
        if fifth and (at + 5 > self.end or data[at + 4] != fifth):
            return False
        self.at = at + 5 if fifth else at + 4
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _skip_number(self, data: cython.const[cython.uchar][::1]) -> cython.bint:
        """Passes a number that every parser reads: neither long nor far from 1."""
        first: cython.Py_ssize_t
        start: cython.Py_ssize_t = self.at
        if data[self.at] == MINUS:
            self.at += 1
        first = self.at
        if self._skip_digits(data) == 0 or (data[first] == ZERO and self.at - first > 1):
            return False
        if self.at < self.end and data[self.at] == POINT:
            self.at += 1
            if self._skip_digits(data) == 0:
                return False
        if self.at < self.end and (data[self.at] == 0x65 or data[self.at] == 0x45):  # e, E
            self.at += 1
            if self.at < self.end and (data[self.at] == PLUS or data[self.at] == MINUS):
                self.at += 1
            first = self.at
            if not 1 <= self._skip_digits(data) <= 2:
                return False
        return self.at - start < LONGEST_NUMBER

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _skip_digits(self, data: cython.const[cython.uchar][::1]) -> cython.Py_ssize_t:
        """Passes digits, and gives how many."""
        start: cython.Py_ssize_t = self.at
        while self.at < self.end and ZERO <= data[self.at] <= NINE:
            self.at += 1
        return self.at - start
