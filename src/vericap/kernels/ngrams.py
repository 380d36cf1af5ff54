"""The n-grams of a corpus, orders 1 to 4, all in order after one sort of the places where they begin.

A column holds the words of all captions. Its places are sorted by the four words that begin there, the end of a caption
before all words: so the n-grams of every order up to four are sorted, the same ones together, and what is taken from
there one by one is sorted within each image too. An n-gram's number is its rank among those of its order; a single word
keeps its number. Blocks of places that begin with the same few words are sorted at a time, by radix, in the cache.
Where four words of a large vocabulary do not fit into 64 bits, places are sorted by three.

What loops over the corpus lets go of the interpreter.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)

Array32 = NDArray[np.int32]
Array64 = NDArray[np.int64]
Bytes = NDArray[np.uint8]
InParallel = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]

FULL = cython.declare(cython.Py_ssize_t, 1 << 16)  # places sorted at once, unless more begin with the same word
DIGIT = cython.declare(cython.int, 12)  # bits that a pass of the radix sort looks at
RADIX = cython.declare(cython.Py_ssize_t, 4096)
LAST_DIGIT = cython.declare(cython.ulonglong, 4095)
SHORT = cython.declare(cython.Py_ssize_t, 48)  # places that insertion sorts faster
CAPTION = cython.declare(cython.longlong, 0xFFFFFFFF)  # of a record
SPARSE = cython.declare(cython.Py_ssize_t, 16)  # times as many entries to look through: from there on search pays


def longest_order(size: int) -> int:
    """Return how many words places are sorted by, for a vocabulary of this size.

    >>> longest_order(10_000), longest_order(3_000_000)
    (4, 3)
    """
    return 4 if size.bit_length() <= 20 else 3


def sort_places(
    words: Array32, offsets: Array64, size: int, in_parallel: InParallel = map
) -> tuple[Array32, Array32, Bytes, Bytes]:
    """Return the places of a column by the words that begin there (see `longest_order`), then by place; `size` is that
    of the vocabulary. With each its caption, how many words it begins with as the one before does, and how many its
    caption has from there on (both at most `longest_order`). `in_parallel` may share the work among threads.

    >>> found = sort_places(np.array([1, 0, 1, 1, 0], np.int32), np.array([0, 3, 5]), 2)
    >>> [each.tolist() for each in found]
    [[4, 1, 2, 3, 0], [1, 0, 0, 1, 0], [0, 1, 0, 1, 2], [1, 2, 1, 2, 3]]
    """
    place, caption = np.zeros(len(words), np.int32), np.zeros(len(words), np.int32)
    shared, left = np.zeros(len(words), np.uint8), np.zeros(len(words), np.uint8)
    if not len(words):
        return place, caption, shared, left
    column = _Column(words, offsets, size)
    column.by_word(place)

    def sort(block: tuple[int, int, int, int]) -> None:
        low, high, begin, end = block
        _Block(column, end - begin).sort(
            place[begin:end], caption[begin:end], shared[begin:end], left[begin:end], low, high
        )

    for _ in in_parallel(sort, column.blocks()):
        pass
    return place, caption, shared, left


@cython.final
@cython.cclass
class _Column:
    """The words of all captions, and how many begin with each."""

    words: cython.const[cython.int][::1]
    offsets: cython.const[cython.longlong][::1]
    size: cython.Py_ssize_t
    bits: cython.int  # of a word, or the end
    last_bits: cython.int  # of the fourth word: 0 if places are sorted by three
    left: cython.uchar[::1]  # of each place: words of its caption from there on, as far as it is sorted by them
    row: cython.int[::1]  # of each place: its caption
    cursor: cython.int[::1]  # of each word: where the places that begin with it end so far

    def __init__(self, words: Array32, offsets: Array64, size: int) -> None:
        self.words, self.offsets, self.size = ROWS.view(words), ROWS.view(offsets), size
        self.bits = max(size, 1).bit_length()
        self.last_bits = self.bits if longest_order(size) == 4 else 0
        self.left, self.row = ROWS.zeros(len(words), np.uint8), ROWS.zeros(len(words), np.int32)
        self.cursor = ROWS.zeros(size + 1, np.int32)

    def by_word(self, places: Array32) -> None:
        """Puts the places in the order of their first word."""
        row: cython.Py_ssize_t
        at: cython.Py_ssize_t
        count: cython.int
        place: cython.int[::1] = ROWS.view(places)
        longest: cython.int = 4 if self.last_bits else 3
        total: cython.int = 0
        with cython.nogil:
            for row in range(len(self.offsets) - 1):
                for at in range(self.offsets[row], self.offsets[row + 1]):
                    self.row[at] = row
                    self.left[at] = min(self.offsets[row + 1] - at, longest)
                    self.cursor[self.words[at]] += 1
            for at in range(self.size):
                count = self.cursor[at]
                self.cursor[at] = total
                total += count
            for at in range(len(place)):
                place[self.cursor[self.words[at]]] = at
                self.cursor[self.words[at]] += 1

    def blocks(self) -> list[tuple[int, int, int, int]]:
        """Yield the ranges of first words and places that are sorted at once: each without the last."""
        found = []
        low = 0
        while low < self.size:
            high = self._block(low)
            begin, end = self._begin(low), self._begin(high)
            if begin < end:
                found.append((low, high, begin, end))
            low = high
        return found

    @cython.cfunc
    def _begin(self, word: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the first of the places that begin with each word, once they are in order."""
        return self.cursor[word - 1] if word > 0 else 0

    @cython.cfunc
    def _block(self, low: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The end of the block of words that begins with this one."""
        high: cython.Py_ssize_t = low + 1
        begin: cython.Py_ssize_t = self._begin(low)
        # The number of its first word in the block goes before the other words.
        most: cython.Py_ssize_t = 1 << min(64 - 2 * self.bits - self.last_bits, 30)
        while high < self.size and high - low < most and self.cursor[high] - begin <= FULL:
            high += 1
        return high


@cython.final
@cython.cclass
class _Block:
    """Sorts the places of one block."""

    column: _Column
    key: cython.ulonglong[::1]
    other_key: cython.ulonglong[::1]
    other: cython.int[::1]
    counts: cython.int[::1]

    def __init__(self, column: _Column, places: int) -> None:
        self.column = column
        self.key, self.other_key = ROWS.zeros(places, np.uint64), ROWS.zeros(places, np.uint64)
        self.other = ROWS.zeros(places, np.int32)
        self.counts = ROWS.zeros(RADIX if places > SHORT else 1, np.int32)

    def sort(self, place: Array32, caption: Array32, shared: Bytes, left: Bytes, low: int, high: int) -> None:
        """Sorts places whose first words are low … high - 1, and tells what is beside each."""
        others = 2 * self.column.bits + self.column.last_bits
        self._sort(ROWS.view(place), others + (high - low - 1).bit_length(), low)
        self._describe(ROWS.view(place), ROWS.view(caption), ROWS.view(shared), ROWS.view(left))

    @cython.cfunc
    def _sort(self, place: cython.int[::1], bits: cython.int, low: cython.Py_ssize_t) -> cython.void:
        at: cython.Py_ssize_t
        shift: cython.int = 0
        with cython.nogil:
            for at in range(len(place)):
                self.key[at] = self._key(place[at], low)
        if not cython.compiled:  # Python sorts faster than its code does
            order = sorted(range(len(place)), key=self.key.__getitem__)
            self.key, place[:] = [self.key[i] for i in order], array("i", [place[i] for i in order])
            return
        with cython.nogil:
            if len(place) <= SHORT:
                self._insert(place)
                return
            while shift < bits:
                self._pass(self.key, place, self.other_key, self.other, shift)
                shift += DIGIT
                if shift < bits:
                    self._pass(self.other_key, self.other, self.key, place, shift)
                    shift += DIGIT
                else:
                    for at in range(len(place)):
                        self.key[at] = self.other_key[at]
                        place[at] = self.other[at]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self, place: cython.int, low: cython.Py_ssize_t) -> cython.ulonglong:
        """Return the words as one number, the first one counted from `low`, the others from 1, 0 at the end."""
        key: cython.ulonglong = self.column.words[place] - low
        next_word: cython.int
        for next_word in range(1, 4):
            key <<= self.column.bits if next_word < 3 else self.column.last_bits
            if next_word < self.column.left[place]:
                key += self.column.words[place + next_word] + 1
        return key

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(at=cython.Py_ssize_t, to=cython.Py_ssize_t, key=cython.ulonglong, moved=cython.int)
    def _insert(self, place: cython.int[::1]) -> cython.void:
        for at in range(1, len(place)):
            key = self.key[at]
            moved = place[at]
            to = at
            while to > 0 and self.key[to - 1] > key:
                self.key[to] = self.key[to - 1]
                place[to] = place[to - 1]
                to -= 1
            self.key[to] = key
            place[to] = moved

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(at=cython.Py_ssize_t, digit=cython.Py_ssize_t, to=cython.int)
    def _pass(
        self,
        key: cython.ulonglong[::1],
        place: cython.int[::1],
        to_key: cython.ulonglong[::1],
        to_place: cython.int[::1],
        shift: cython.int,
    ) -> cython.void:
        """Sorts by one digit, what has the same one in the order it had."""
        total: cython.int = 0
        for at in range(RADIX):
            self.counts[at] = 0
        for at in range(len(place)):
            self.counts[(key[at] >> shift) & LAST_DIGIT] += 1
        for at in range(RADIX):
            to = self.counts[at]
            self.counts[at] = total
            total += to
        for at in range(len(place)):
            digit = (key[at] >> shift) & LAST_DIGIT
            to = self.counts[digit]
            self.counts[digit] = to + 1
            to_key[to] = key[at]
            to_place[to] = place[at]

    @cython.cfunc
    @cython.locals(at=cython.Py_ssize_t, differ=cython.ulonglong, key=cython.ulonglong)
    def _describe(
        self,
        place: cython.const[cython.int][::1],
        caption: cython.int[::1],
        shared: cython.uchar[::1],
        left: cython.uchar[::1],
    ) -> cython.void:
        third: cython.int = self.column.last_bits  # where a word begins in the key
        second: cython.int = third + self.column.bits
        first: cython.int = second + self.column.bits
        word: cython.ulonglong = 1
        last_word: cython.ulonglong = 1
        before: cython.ulonglong = 0
        word = (word << self.column.bits) - 1
        last_word = (last_word << third) - 1
        with cython.nogil:
            for at in range(len(place)):
                key = self.key[at]
                caption[at] = self.column.row[place[at]]
                left[at] = 1 + (key >> second & word != 0) + (key >> third & word != 0) + (key & last_word != 0)
                differ = key ^ before
                before = key
                shared[at] = (differ >> first == 0) + (differ >> second == 0)
                shared[at] += (differ >> third == 0) + (differ == 0)
            shared[0] = 0


def count_distinct(shared: Bytes, left: Bytes, order: int) -> int:
    """Return the number of different n-grams of an order in sorted places.

    >>> count_distinct(np.array([0, 1, 0, 1, 2], np.uint8), np.array([1, 2, 1, 2, 3], np.uint8), 2)
    2
    """
    return int(np.count_nonzero((shared < order) & (left >= order)))


def examples(words: Array32, place: Array32, shared: Bytes, left: Bytes, order: cython.int, size: int) -> Array32:
    """Of each n-gram of one order, of which there are `size`, the last place where it begins; 0 if there is none.

    >>> words = np.array([1, 0, 1, 1, 0], np.int32)
    >>> place, _, shared, left = sort_places(words, np.array([0, 3, 5]), 2)
    >>> examples(words, place, shared, left, 1, 2).tolist(), examples(words, place, shared, left, 2, 2).tolist()
    ([4, 3], [1, 3])
    """
    at: cython.Py_ssize_t
    found = np.zeros(max(size, 1), np.int32)
    if not len(words):
        return found
    word: cython.const[cython.int][::1] = ROWS.view(words)
    begin: cython.const[cython.int][::1] = ROWS.view(place)
    same: cython.const[cython.uchar][::1] = ROWS.view(shared)
    rest: cython.const[cython.uchar][::1] = ROWS.view(left)
    last: cython.int[::1] = ROWS.view(found)
    number: cython.int = -1
    with cython.nogil:
        for at in range(len(begin)):
            if rest[at] < order:
                continue
            if same[at] < order:
                number = word[begin[at]] if order == 1 else number + 1
            if last[number] < begin[at]:
                last[number] = begin[at]
    return found


@cython.final
@cython.cclass
class Collector:
    """Takes the n-grams of groups of captions from sorted places.

    A record is number · 2³² + caption. Records are by group, then by number, then by caption. `group` has the group of
    each caption, in ascending order but for the first `single` groups, which have one caption each.

    >>> words = np.array([1, 0, 1, 1, 0], np.int32)
    >>> collector = Collector(words, sort_places(words, np.array([0, 3, 5]), 2), np.zeros(2, np.int32), 0)
    >>> records, groups = collector.collect(2, np.array([0, 3]), 0, 2)
    >>> [divmod(record, 1 << 32) for record in records.tolist()], groups.tolist()
    ([(0, 0), (1, 0), (1, 1)], [1, 1])
    """

    words: cython.const[cython.int][::1]
    place: cython.const[cython.int][::1]
    caption: cython.const[cython.int][::1]
    shared: cython.const[cython.uchar][::1]
    left: cython.const[cython.uchar][::1]
    group: cython.const[cython.int][::1]
    single: cython.Py_ssize_t
    size: cython.Py_ssize_t

    def __init__(
        self, words: Array32, places: tuple[Array32, Array32, Bytes, Bytes], group: Array32, single: int
    ) -> None:
        self.size, self.single = len(words), single
        if self.size:
            self.words, self.group = ROWS.view(words), ROWS.view(group)
            self.place, self.caption = ROWS.view(places[0]), ROWS.view(places[1])
            self.shared, self.left = ROWS.view(places[2]), ROWS.view(places[3])

    def collect(self, order: cython.int, starts: Array64, first: cython.int, distinct: int) -> tuple[Array64, Array32]:
        """The records of the groups from `first` on, one for each of `starts` but the last: where its records begin.
        And of each n-gram in how many of these groups it is, those of a single caption left out."""
        at: cython.Py_ssize_t
        of: cython.int
        number: cython.longlong
        last: cython.int = len(starts) - 1
        found, counts = np.zeros(int(starts[last] - starts[0]), np.int64), np.zeros(distinct, np.int32)
        if not len(found):
            return found, counts
        records: cython.longlong[::1] = ROWS.view(found)
        groups: cython.int[::1] = ROWS.view(counts)
        cursor: cython.longlong[::1] = ROWS.view(starts - starts[0])
        seen: cython.int[::1] = ROWS.view(np.full(last, -1, np.int32))  # of each group: the number that was added last
        number = -1
        with cython.nogil:
            for at in range(self.size):
                if self.left[at] < order:
                    continue
                if self.shared[at] < order:
                    number = self.words[self.place[at]] if order == 1 else number + 1
                of = self.group[self.caption[at]] - first
                if of < 0 or of >= last:
                    continue
                records[cursor[of]] = (number << 32) | self.caption[at]
                cursor[of] += 1
                if seen[of] != number:
                    seen[of] = number
                    if of + first >= self.single:
                        groups[number] += 1
        several = max(self.single - first, 0)
        if several < last:
            self._sort_captions(records, starts[several] - starts[0])
        return found, counts

    @cython.cfunc
    def _sort_captions(self, records: cython.longlong[::1], start: cython.Py_ssize_t) -> cython.void:
        """Sorts what has the same number by caption: it is by the words that follow. Groups keep their order, as their
        captions do."""
        at: cython.Py_ssize_t
        run: cython.Py_ssize_t = start  # where records with the same number begin
        ordered: cython.bint = True
        with cython.nogil:
            for at in range(start + 1, len(records)):
                if records[at] >> 32 != records[at - 1] >> 32:
                    if not ordered:
                        _shell_sort(records, run, at)
                    run = at
                    ordered = True
                elif records[at] < records[at - 1]:
                    ordered = False
            if not ordered:
                _shell_sort(records, run, len(records))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.locals(at=cython.Py_ssize_t, to=cython.Py_ssize_t, moved=cython.longlong)
def _shell_sort(records: cython.longlong[::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.void:
    """Nearly always of a few."""
    gap: cython.Py_ssize_t = 1
    while gap < (last - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for at in range(first + gap, last):
            moved = records[at]
            to = at
            while to >= first + gap and records[to - gap] > moved:
                records[to] = records[to - gap]
                to -= gap
            records[to] = moved
        gap //= 3


def count_runs(records: Array64) -> tuple[Array32, Array32, Array32]:
    """Runs of the same record: number, caption and length of each.

    >>> [each.tolist() for each in count_runs(np.array([5 << 32, 5 << 32, (5 << 32) + 1]))]
    [[5, 5], [0, 1], [2, 1]]
    """
    at: cython.Py_ssize_t
    runs = np.zeros((3, len(records)), np.int32)
    if not len(records):
        return runs[0], runs[1], runs[2]
    record: cython.const[cython.longlong][::1] = ROWS.view(records)
    number: cython.int[::1] = ROWS.view(runs[0])
    caption: cython.int[::1] = ROWS.view(runs[1])
    count: cython.int[::1] = ROWS.view(runs[2])
    run: cython.Py_ssize_t = -1
    with cython.nogil:
        for at in range(len(record)):
            if at == 0 or record[at] != record[at - 1]:
                run += 1
                number[run] = record[at] >> 32
                caption[run] = record[at] & CAPTION
            count[run] += 1
    return runs[0, : run + 1].copy(), runs[1, : run + 1].copy(), runs[2, : run + 1].copy()


def squared_norms(
    records: Array64, frequency: Array32, weight: NDArray[np.float64], first: cython.Py_ssize_t, size: int
) -> NDArray[np.float64]:
    """Of each caption from the first on the sum of (count × weight)² over its n-grams, in the order given. `weight` is
    by frequency.

    >>> records = np.array([0, 0, 1 << 32])
    >>> squared_norms(records, np.array([1, 0], np.int32), np.array([3.0, 0.5]), 0, 1).tolist()
    [10.0]
    """
    end: cython.Py_ssize_t
    value: cython.double
    found = np.zeros(size)
    if not len(records):
        return found
    record: cython.const[cython.longlong][::1] = ROWS.view(records)
    frequencies: cython.const[cython.int][::1] = ROWS.view(frequency)
    weights: cython.const[cython.double][::1] = ROWS.view(weight)
    squares: cython.double[::1] = ROWS.view(found)
    at: cython.Py_ssize_t = 0
    with cython.nogil:
        while at < len(record):
            end = at + 1
            while end < len(record) and record[end] == record[at]:
                end += 1
            value = weights[frequencies[record[at] >> 32]] * (end - at)
            squares[(record[at] & CAPTION) - first] += value * value
            at = end
    return found


@cython.final
@cython.cclass
class Matcher:
    """Finds the n-grams that candidates share with their references.

    The references of image m are captions `first[m]` and the following ones, with the records
    `offsets[m]:offsets[m + 1]`.

    >>> matcher = Matcher(np.array([(7 << 32) + 4, (7 << 32) + 4, (8 << 32) + 4]), np.array([0, 3]), np.array([4]))
    >>> zero = np.array([0], np.int32)
    >>> [each.tolist() for each in matcher.match(np.array([0, 2]), np.array([7, 9], np.int32), zero, zero)]
    [[0], [0], [2]]
    """

    records: cython.const[cython.longlong][::1]
    offsets: cython.const[cython.longlong][::1]
    first: cython.const[cython.longlong][::1]
    empty: cython.bint

    match_entry: cython.int[::1]
    match_pair: cython.int[::1]
    match_count: cython.int[::1]

    def __init__(self, records: Array64, offsets: Array64, first: Array64) -> None:
        self.empty = len(records) == 0
        if len(records):
            self.records, self.offsets, self.first = ROWS.view(records), ROWS.view(offsets), ROWS.view(first)

    def match(
        self, entries: Array64, number: Array32, image: Array32, pair: Array32
    ) -> tuple[Array32, Array32, Array32]:
        """Of each match the candidate's entry, the pair, and the count in the reference. Candidate i has the entries
        `entries[i]:entries[i + 1]` of `number`, in ascending order; it is of image `image[i]`, and its pairs begin at
        `pair[i]`."""
        nothing = np.zeros(0, np.int32)
        if self.empty or not len(number):
            return nothing, nothing, nothing
        rows = ROWS.view(entries), ROWS.view(number), ROWS.view(image), ROWS.view(pair)
        size = self._match(rows[0], rows[1], rows[2], rows[3], False)
        entry, of_pair, count = (np.zeros(max(size, 1), np.int32) for _ in range(3))
        self.match_entry, self.match_pair, self.match_count = ROWS.view(entry), ROWS.view(of_pair), ROWS.view(count)
        self._match(rows[0], rows[1], rows[2], rows[3], True)
        return entry[:size], of_pair[:size], count[:size]

    @cython.cfunc
    @cython.locals(row=cython.Py_ssize_t, entry=cython.Py_ssize_t, at=cython.Py_ssize_t, run=cython.Py_ssize_t)
    @cython.locals(end=cython.Py_ssize_t, search=cython.bint, high=cython.Py_ssize_t, middle=cython.Py_ssize_t)
    def _match(
        self,
        entries: cython.const[cython.longlong][::1],
        number: cython.const[cython.int][::1],
        image: cython.const[cython.int][::1],
        pair: cython.const[cython.int][::1],
        write: cython.bint,
    ) -> cython.Py_ssize_t:
        """Counts the matches, and writes them if asked to."""
        found: cython.Py_ssize_t = 0
        with cython.nogil:
            for row in range(len(image)):
                at = self.offsets[image[row]]
                end = self.offsets[image[row] + 1]
                search = end - at > SPARSE * (entries[row + 1] - entries[row])
                for entry in range(entries[row], entries[row + 1]):
                    if search:  # for the first that is at least as large
                        high = end
                        while at < high:
                            middle = (at + high) >> 1
                            if self.records[middle] >> 32 < number[entry]:
                                at = middle + 1
                            else:
                                high = middle
                    while at < end and self.records[at] >> 32 < number[entry]:
                        at += 1
                    while at < end and self.records[at] >> 32 == number[entry]:
                        run = at + 1
                        while run < end and self.records[run] == self.records[at]:
                            run += 1
                        if write:
                            self.match_entry[found] = entry
                            self.match_pair[found] = pair[row] + (self.records[at] & CAPTION) - self.first[image[row]]
                            self.match_count[found] = run - at
                        found += 1
                        at = run
        return found
