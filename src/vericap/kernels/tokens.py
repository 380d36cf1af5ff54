"""Captions as UTF-8 bytes become numbers of words in one pass: what stands between blanks, a chunk, is looked up in a
hash table of bytes.

ASCII letters, with hyphens between them or not, are a word in lower case. A double quote may be before it; behind it
may be 's, which is another word, and marks such as a full stop, a comma or a double quote: all this is read here.
Any other chunk is told to the caller once, who says what its words are, or that they depend on what is around it;
captions with such a chunk are the caller's too, and so is ". .". Words for which the rule does not hold are given.

`split` numbers the chunks of some captions, `lengths` tells how many words each caption has, and `write` writes them.
All three let go of the interpreter; a splitter belongs to one thread at a time.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)

BASIS = cython.declare(cython.uint, 2166136261)  # FNV-1a, 32 bits
PRIME = cython.declare(cython.uint, 16777619)
HALF = cython.declare(cython.uint, 0xFFFFFFFF)

BLANK = cython.declare(cython.uchar, 32)
QUOTE = cython.declare(cython.uchar, 34)
APOSTROPHE = cython.declare(cython.uchar, 39)
COMMA = cython.declare(cython.uchar, 44)
HYPHEN = cython.declare(cython.uchar, 45)
STOP = cython.declare(cython.uchar, 46)
SMALL_S = cython.declare(cython.uchar, 115)
CASE = cython.declare(cython.uchar, 32)  # the bit that makes a letter small
LONGEST = cython.declare(cython.Py_ssize_t, 64)  # bytes of a chunk that is read here

# How many words a chunk has, where that is not known yet, and where it depends on what is around it.
UNKNOWN = cython.declare(cython.int, -1)
BOUND = cython.declare(cython.int, -2)


@cython.final
@cython.cclass
class ByteStrings:
    """Different strings of bytes, numbered as they come: a hash table, their ends, and their bytes one after the other.

    >>> strings = ByteStrings()
    >>> strings.add(b"dog"), strings.add(b"a"), strings.add(b"dog"), strings.lines(np.array([1, 0], np.int32))
    (0, 1, 0, b'a\\ndog\\n')
    """

    slots: cython.ulonglong[::1]  # hash in the upper half, number + 1 in the lower; 0 is empty
    mask: cython.uint
    slot: cython.uint  # where the last search ended
    ends: cython.longlong[::1]  # string n is pool[ends[n]:ends[n + 1]]
    pool: cython.uchar[::1]
    room: cython.longlong  # bytes of the pool
    known: cython.int
    most: cython.int  # strings for which there is room
    text: cython.const[cython.uchar][::1]  # where strings are given

    def __init__(self) -> None:
        self.most, self.room, self.known = 1 << 10, 1 << 13, 0
        self.slots, self.mask = ROWS.zeros(2 * self.most, np.uint64), 2 * self.most - 1
        self.ends = ROWS.zeros(self.most + 1, np.int64)
        self.pool = ROWS.zeros(self.room, np.uint8)

    def add(self, string: bytes) -> int:
        """The number of one string."""
        self.text = ROWS.view(string or b"\0")
        number: int = self._add(len(string))
        return number

    def lines(self, numbers: NDArray[np.int32]) -> bytes:
        """Some strings, each with a line end behind it."""
        each: cython.Py_ssize_t
        at: cython.Py_ssize_t
        if not len(numbers):
            return b""
        number: cython.const[cython.int][::1] = ROWS.view(numbers)
        to: cython.Py_ssize_t = len(number)
        for each in range(len(number)):
            to += self.ends[number[each] + 1] - self.ends[number[each]]
        lines = np.empty(to, np.uint8)
        line: cython.uchar[::1] = ROWS.view(lines)
        to = 0
        for each in range(len(number)):
            for at in range(self.ends[number[each]], self.ends[number[each] + 1]):
                line[to] = self.pool[at]
                to += 1
            line[to] = 10
            to += 1
        return lines.tobytes()

    def grow(self) -> None:
        """Makes room for twice as many bytes, and twice as many strings if there are half as many as can be."""
        old: cython.Py_ssize_t
        place: cython.uint
        pool = ROWS.zeros(2 * self.room, np.uint8)
        pool[: self.room] = self.pool
        self.pool, self.room = pool, 2 * self.room
        if 2 * self.known < self.most:
            return
        ends = ROWS.zeros(2 * self.most + 1, np.int64)
        ends[: self.most + 1] = self.ends
        self.ends, self.most = ends, 2 * self.most
        slots: cython.ulonglong[::1] = self.slots
        self.slots, self.mask = ROWS.zeros(2 * self.most, np.uint64), 2 * self.most - 1
        for old in range(len(slots)):
            if slots[old] != 0:
                place = (slots[old] >> 32) & self.mask
                while self.slots[place] != 0:
                    place = (place + 1) & self.mask
                self.slots[place] = slots[old]

    @cython.cfunc
    def _add(self, end: cython.Py_ssize_t) -> cython.int:
        at: cython.Py_ssize_t
        value: cython.uint = BASIS
        number: cython.int
        for at in range(end):
            value = ((value ^ self.text[at]) * PRIME) & HALF
        number = self.find(0, end, value)
        while number < 0:
            if self.has_room(end):
                return self.insert(0, end, value)
            self.grow()
            number = self.find(0, end, value)
        return number

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(number=cython.int, at=cython.Py_ssize_t, first=cython.Py_ssize_t)
    def find(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t, value: cython.uint) -> cython.int:
        """The number of text[start:end], whose hash is `value`; -1 if it is new."""
        place: cython.uint = value & self.mask
        entry: cython.ulonglong = self.slots[place]
        while entry != 0:
            if entry >> 32 == value:
                number = (entry & HALF) - 1
                first = self.ends[number]
                if self.ends[number + 1] - first == end - start:
                    at = start
                    while at < end and self.text[at] == self.pool[first]:
                        at += 1
                        first += 1
                    if at == end:
                        return number
            place = (place + 1) & self.mask
            entry = self.slots[place]
        self.slot = place
        return -1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def has_room(self, size: cython.Py_ssize_t) -> cython.bint:
        """Return whether one more string of this many bytes can be inserted."""
        return self.known < self.most and self.ends[self.known] + size <= self.room

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def insert(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t, value: cython.uint) -> cython.int:
        """Numbers text[start:end], which `find` has just not found."""
        at: cython.Py_ssize_t
        to: cython.Py_ssize_t = self.ends[self.known]
        entry: cython.ulonglong = value
        for at in range(start, end):
            self.pool[to] = self.text[at]
            to += 1
        self.known += 1
        self.ends[self.known] = to
        self.slots[self.slot] = (entry << 32) | self.known
        return self.known - 1


@cython.final
@cython.cclass
class Splitter:
    """Captions to numbers of words. `exceptions`: words in small letters for which the rule for letters does not hold.

    >>> splitter = Splitter([b"cannot"])
    >>> text = np.frombuffer(b"A dog. I'm a dog ", np.uint8)
    >>> new = splitter.split(text, np.array([0, 7, 17]), 1)
    >>> splitter.spell_chunks(new)
    b"I'm\\n"
    >>> splitter.define(new[0], [b"i", b"'m"])
    >>> splitter.lengths().tolist()
    [2, 4]
    >>> ids = splitter.write(np.array([0, 2, 6]), np.zeros(0, np.int32), np.zeros(3, np.int64))
    >>> ids.tolist(), splitter.spell_words(np.unique(ids))
    ([2, 3, 4, 5, 2, 3], b"a\\ndog\\ni\\n'm\\n")
    """

    chunks: ByteStrings
    words: ByteStrings
    exceptions: cython.int  # the first so many words
    possessive: cython.int  # the word 's
    value: cython.uint  # hash of the word in small letters
    scratch: Any
    lowered: cython.uchar[::1]  # a word in small letters

    # Of each chunk: how many words, or UNKNOWN, or BOUND; and its only word, or where its words are in `parts`, or
    # -1 - the word before 's.
    count: cython.int[::1]
    first: cython.int[::1]
    parts: cython.int[::1]
    part_list: Any
    unknown: cython.int[::1]  # new chunks that are not known here
    unknown_count: cython.int

    # The captions at hand.
    text: cython.const[cython.uchar][::1]
    offsets: cython.const[cython.longlong][::1]
    gap: cython.int
    rows: cython.Py_ssize_t
    chunk: cython.int[::1]  # numbers of all chunks
    chunk_ends: cython.longlong[::1]
    spaced_stops: cython.uchar[::1]  # whether a caption has ". ."

    def __init__(self, exceptions: list[bytes]) -> None:
        self.chunks, self.words = ByteStrings(), ByteStrings()
        self.scratch = ROWS.zeros(LONGEST, np.uint8)
        self.lowered = self.scratch
        self.exceptions = len(self.numbers(exceptions))
        self.possessive = self.numbers([b"'s"])[0]
        self.part_list = []
        self.count = ROWS.zeros(self.chunks.most, np.int32)
        self.first = ROWS.zeros(self.chunks.most, np.int32)
        self.unknown = ROWS.zeros(self.chunks.most, np.int32)
        self.unknown_count = 0

    def split(self, text: Any, offsets: NDArray[np.int64], gap: int) -> NDArray[np.int32]:
        """Numbers the chunks of captions; returns those that are new and have to be defined before anything else.
        Caption i is `text[offsets[i]:offsets[i + 1] - gap]`."""
        self.rows, self.gap = len(offsets) - 1, gap
        self.text = ROWS.view(text if len(text) else b"\0")
        self.chunks.text = self.text
        self.offsets = ROWS.view(offsets)
        self.chunk_ends = ROWS.zeros(self.rows + 1, np.int64)
        self.spaced_stops = ROWS.zeros(self.rows, np.uint8)
        self.chunk = ROWS.zeros(self._count_chunks(), np.int32)
        self.unknown_count = 0
        row = self._split(0)
        while row < self.rows:
            self._make_room()
            row = self._split(row)
        return np.array(self.unknown[: self.unknown_count], np.int32)

    def spell_chunks(self, chunks: NDArray[np.int32]) -> bytes:
        """Chunks by number, each with a line end behind it."""
        return self.chunks.lines(chunks)

    def spell_words(self, words: NDArray[np.int32]) -> bytes:
        """Words by number, each with a line end behind it."""
        return self.words.lines(words)

    def word_count(self) -> int:
        """Return the number of words that have a number."""
        count: int = self.words.known
        return count

    def define(self, chunk: int, words: list[bytes] | None) -> None:
        """Says what the words of a chunk are; None: they depend on what is around it."""
        if words is None:
            self.count[chunk] = BOUND
            return
        numbers = self.numbers(words)
        self.count[chunk] = len(words)
        self.first[chunk] = numbers[0] if len(words) == 1 else len(self.part_list)
        if len(words) != 1:
            self.part_list += numbers

    def numbers(self, words: list[bytes]) -> list[int]:
        """The numbers of words."""
        found = [self.words.add(word) for word in words]
        self.words.text = self.scratch
        return found

    def lengths(self) -> NDArray[np.int64]:
        """Return the number of words of each caption; -1 if they depend on what is around a chunk."""
        row: cython.Py_ssize_t
        at: cython.Py_ssize_t
        words: cython.longlong
        found = np.zeros(self.rows, np.int64)
        if not self.rows:
            return found
        lengths: cython.longlong[::1] = ROWS.view(found)
        with cython.nogil:
            for row in range(self.rows):
                words = 0
                for at in range(self.chunk_ends[row], self.chunk_ends[row + 1]):
                    if self.count[self.chunk[at]] < 0:
                        words = -1
                        break
                    words += self.count[self.chunk[at]]
                lengths[row] = -1 if self.spaced_stops[row] else words
        return found

    def write(
        self, ends: NDArray[np.int64], replaced: NDArray[np.int32], replaced_ends: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """The words of all captions, caption i at `ends[i]:ends[i + 1]`; of those whose words depend on what is around
        a chunk, the words given as `replaced`."""
        row: cython.Py_ssize_t
        at: cython.Py_ssize_t
        part: cython.Py_ssize_t
        to: cython.Py_ssize_t
        chunk: cython.int
        self.parts = ROWS.copy(self.part_list or [0], np.int32)
        found = np.zeros(ends[self.rows], np.int32)
        if not len(found):
            return found
        ids: cython.int[::1] = ROWS.view(found)
        offsets: cython.const[cython.longlong][::1] = ROWS.view(ends)
        others: cython.const[cython.int][::1] = ROWS.view(replaced if len(replaced) else np.zeros(1, np.int32))
        other_offsets: cython.const[cython.longlong][::1] = ROWS.view(replaced_ends)
        with cython.nogil:
            for row in range(self.rows):
                to = offsets[row]
                if other_offsets[row] < other_offsets[row + 1]:
                    for at in range(other_offsets[row], other_offsets[row + 1]):
                        ids[to] = others[at]
                        to += 1
                    continue
                if to == offsets[row + 1]:
                    continue
                for at in range(self.chunk_ends[row], self.chunk_ends[row + 1]):
                    chunk = self.chunk[at]
                    if self.count[chunk] == 1:
                        ids[to] = self.first[chunk]
                        to += 1
                    elif self.first[chunk] < 0:
                        ids[to] = -1 - self.first[chunk]
                        ids[to + 1] = self.possessive
                        to += 2
                    else:
                        for part in range(self.first[chunk], self.first[chunk] + self.count[chunk]):
                            ids[to] = self.parts[part]
                            to += 1
        return found

    def _make_room(self) -> None:
        """For twice as many chunks or words, whichever may be short of it."""
        known, most = self.chunks.known, self.chunks.most
        if not self.words.has_room(LONGEST):
            self.words.grow()
        else:
            self.chunks.grow()
        if self.chunks.most > most:
            count, first, unknown = (ROWS.zeros(self.chunks.most, np.int32) for _ in range(3))
            count[:known], first[:known], unknown[:known] = self.count[:known], self.first[:known], self.unknown[:known]
            self.count, self.first, self.unknown = count, first, unknown

    @cython.cfunc
    def _count_chunks(self) -> cython.Py_ssize_t:
        """Every blank ends a chunk, and so does every caption."""
        at: cython.Py_ssize_t
        chunks: cython.Py_ssize_t = self.rows
        with cython.nogil:
            for at in range(self.offsets[0], self.offsets[self.rows]):
                chunks += _is_blank(self.text[at])
        return chunks

    @cython.cfunc
    @cython.locals(at=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t, found=cython.Py_ssize_t)
    @cython.locals(number=cython.int, value=cython.uint)
    def _split(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Numbers the chunks of the captions from `row` on; returns the first caption for which there was no room."""
        with cython.nogil:
            while row < self.rows:
                found = self.chunk_ends[row]
                at = self.offsets[row]
                end = self.offsets[row + 1] - self.gap
                while at <= end:
                    start = at
                    value = BASIS
                    while at < end and not _is_blank(self.text[at]):
                        value = ((value ^ self.text[at]) * PRIME) & HALF
                        at += 1
                    number = self.chunks.find(start, at, value)
                    if number < 0:
                        if not (self.chunks.has_room(at - start) and self.words.has_room(LONGEST)):
                            return row
                        number = self.chunks.insert(start, at, value)
                        self._read(number, start, at)
                    if start < at and start > self.offsets[row] + 1:
                        if self.text[start] == STOP and self.text[start - 2] == STOP:
                            self.spaced_stops[row] = 1
                    self.chunk[found] = number
                    found += 1
                    at += 1
                row += 1
                self.chunk_ends[row] = found
        return row

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _read(self, chunk: cython.int, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.void:
        """Finds out whether a new chunk is a word, perhaps with 's and marks around it."""
        self.count[chunk] = UNKNOWN
        if end > start and self.text[start] == QUOTE:
            start += 1
        size: cython.Py_ssize_t = self._word(start, end)
        if size > 0:
            number: cython.int = self.words.find(0, size, self.value)
            if number < 0:
                number = self.words.insert(0, size, self.value)
            if number >= self.exceptions:
                start += size
                self.count[chunk] = 1
                self.first[chunk] = number
                if start + 1 < end and self.text[start] == APOSTROPHE and self.text[start + 1] == SMALL_S:
                    start += 2
                    self.count[chunk] = 2
                    self.first[chunk] = -1 - number
                # A letter before a full stop is an abbreviation.
                elif size == 1 and start < end and self.text[start] == STOP:
                    self.count[chunk] = UNKNOWN
                if not self._marks(start, end):
                    self.count[chunk] = UNKNOWN
        if self.count[chunk] == UNKNOWN:
            self.unknown[self.unknown_count] = chunk
            self.unknown_count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _word(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the number of letters, with single hyphens between them, at `start`; they go to `lowered` and their
        hash to `value`. 0 if they are too many or end with a hyphen."""
        size: cython.Py_ssize_t = 0
        letter: cython.uchar
        before: cython.uchar = HYPHEN
        value: cython.uint = BASIS
        while start + size < end:
            letter = self.text[start + size]
            if letter != HYPHEN or before == HYPHEN:
                letter |= CASE
                if not 97 <= letter <= 122:
                    break
            if size == LONGEST:
                return 0
            self.lowered[size] = letter
            value = ((value ^ letter) * PRIME) & HALF
            before = letter
            size += 1
        self.value = value
        return 0 if before == HYPHEN else size

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _marks(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Return whether the rest of a chunk is only marks that are never a word: one of . , " ! ? ; : or one of the
        pairs ." ". ", ," and two full stops."""
        first: cython.uchar
        second: cython.uchar
        if start == end:
            return True
        first = self.text[start]
        if end == start + 1:
            return first == STOP or first == COMMA or first == QUOTE or first == 33 or first == 63 or 58 <= first <= 59
        second = self.text[start + 1]
        if end > start + 2 or not (second == STOP or second == COMMA or second == QUOTE):
            return False
        if first == STOP:
            return second != COMMA
        return (first == QUOTE) != (second == QUOTE) and (first == QUOTE or first == COMMA)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_blank(byte: cython.uchar) -> cython.bint:
    """A blank, or one of the line ends \\n \\v \\f \\r, which are blanks inside a caption."""
    return byte == BLANK or 10 <= byte <= 13


def number_by_appearance(
    ids: NDArray[np.int32], numbers: NDArray[np.int32], order: NDArray[np.int32], known: int
) -> int:
    """Numbers words anew, in place, in the order they appear in: `numbers` has the new number of each word, -1 before
    it has one. `known` words have a number already. Returns how many have one then; `order` gets the new words.

    >>> ids, numbers, order = (np.array(each, np.int32) for each in ([3, 1, 3], [-1] * 4, [0] * 4))
    >>> number_by_appearance(ids, numbers, order, 0), ids.tolist(), order.tolist()
    (2, [0, 1, 0], [3, 1, 0, 0])
    """
    at: cython.Py_ssize_t
    word: cython.int
    new: cython.Py_ssize_t
    count: cython.int
    if not len(ids):
        return known
    words: cython.int[::1] = ROWS.view(ids)
    number: cython.int[::1] = ROWS.view(numbers)
    found: cython.int[::1] = ROWS.view(order)
    count, new = known, 0
    with cython.nogil:
        for at in range(len(words)):
            word = words[at]
            if number[word] < 0:
                number[word] = count
                found[new] = word
                count += 1
                new += 1
            words[at] = number[word]
    return int(count)
