"""Edits of the translation edit rate (Snover et al. 2006): insertions, deletions, substitutions, and shifts
of blocks of words that are searched greedily by the rules of tercom 0.8."""

from __future__ import annotations

from collections import Counter

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)

MAX_SHIFT_WORDS = cython.declare(cython.int, 10)
MAX_SHIFT_DISTANCE = cython.declare(cython.int, 50)
MAX_SHIFTS_TRIED = cython.declare(cython.int, 1000)
BEAM = cython.declare(cython.int, 25)
FAR = cython.declare(cython.int, 1 << 29)


def best_edits(
    candidates: NDArray[np.int32],
    candidate_offsets: NDArray[np.int64],
    references: NDArray[np.int32],
    reference_offsets: NDArray[np.int64],
    first_reference: NDArray[np.int64],
    last_reference: NDArray[np.int64],
    vocabulary_size: int,
) -> NDArray[np.int64]:
    """Edits from each candidate to the reference that takes the fewest.

    Captions are ragged columns of word ids; the references of candidate i are those from `first_reference[i]`
    up to, not including, `last_reference[i]`. Without references every word of the candidate is a deletion.

    >>> columns = np.array([0, 1, 2, 3], np.int32), np.array([0, 4]), np.array([2, 3, 0, 1, 0], np.int32)
    >>> best_edits(*columns, np.array([0, 4, 5]), np.array([0]), np.array([2]), 4).tolist()  # one shift
    [1]
    """
    i: cython.Py_ssize_t
    found = np.zeros(len(first_reference), np.int64)
    editor: Editor = Editor(
        int(np.diff(candidate_offsets).max(initial=0)),
        int(np.diff(reference_offsets).max(initial=0)),
        int((last_reference - first_reference).max(initial=0)),
        vocabulary_size,
    )
    words: cython.const[cython.int][::1] = ROWS.copy(candidates, np.int32)
    ends: cython.const[cython.longlong][::1] = ROWS.copy(candidate_offsets, np.int64)
    other_words: cython.const[cython.int][::1] = ROWS.copy(references, np.int32)
    other_ends: cython.const[cython.longlong][::1] = ROWS.copy(reference_offsets, np.int64)
    first: cython.const[cython.longlong][::1] = ROWS.copy(first_reference, np.int64)
    last: cython.const[cython.longlong][::1] = ROWS.copy(last_reference, np.int64)
    edits: cython.longlong[::1] = ROWS.view(found)
    with cython.nogil:
        for i in range(len(edits)):
            edits[i] = editor.best_of(words, ends[i], ends[i + 1], other_words, other_ends, first[i], last[i])
    return found


def edit_script(candidate: list[int], reference: list[int]) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]]:
    """Return the shifts that the greedy search makes, and how the shifted candidate lines up with the reference.

    A shift (start, words, to) takes a block of words out of the caption as the shifts before left it and puts
    it back so that it begins at `to`. The alignment is a list of positions (in the shifted candidate, in the
    reference) in order; −1 stands for nothing: (i, −1) is a deletion, (−1, j) an insertion.

    >>> edit_script([5, 6, 7], [7, 5, 8])
    ([(2, 1, 0)], [(0, 0), (1, 1), (2, 2)])
    """
    words = {word: i for i, word in enumerate(dict.fromkeys([*candidate, *reference]))}
    editor = Editor(len(candidate), len(reference), 1, len(words))
    return editor.script([words[w] for w in candidate], [words[w] for w in reference])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_up(values: cython.int[::1], size: cython.int) -> cython.void:
    """Make of the values of `size` positions, and of the place behind them, sums over the positions before."""
    i: cython.int
    here: cython.int
    total: cython.int = 0
    for i in range(size):
        here = values[i]
        values[i] = total
        total += here
    values[size] = total


@cython.final
@cython.cclass
class Editor:
    """Works out edits between one candidate and one reference after another, in memory taken once."""

    words: cython.int[::1]  # the candidate, as shifted so far
    trial: cython.int[::1]  # the same with one more shift
    reference: cython.int[::1]
    word_count: cython.int
    reference_count: cython.int
    bound: cython.int[::1]  # of each reference: no edits can be fewer
    left: cython.int[::1]  # of each vocabulary word: how many the candidate has
    places: cython.ulonglong[::1]  # of each vocabulary word: bit j is set where the reference has it at j

    # Edit distances between prefixes, near the diagonal only: row i has the reference lengths low[i] up to,
    # not including, high[i] after one cell that is FAR, and is FAR from there on. Two rows more serve trials.
    cells: cython.int[::1]
    width: cython.int
    low: cython.int[::1]
    high: cython.int[::1]

    # The same distances as bits, where the beam cannot matter: `up` and `down` say where the distance grows
    # and shrinks by 1 along row i, and `at` is the distance at the row's end.
    in_bits: cython.bint
    up: cython.ulonglong[::1]
    down: cython.ulonglong[::1]
    at: cython.int[::1]

    aligned: cython.int[::1]  # of each reference position: the candidate position it is at, or after
    wrong: cython.int[::1]  # how many words before a candidate position are not matched
    missed: cython.int[::1]  # how many words before a reference position are not matched

    tried: cython.int
    best_gain: cython.int
    best_start: cython.int
    best_words: cython.int
    best_target: cython.int
    shift_start: cython.int[::1]
    shift_words: cython.int[::1]
    shift_to: cython.int[::1]
    shift_count: cython.int

    def __init__(self, n: int, m: int, most_references: int, vocabulary_size: int) -> None:
        """Room for candidates of n words and references of m."""
        self.words = ROWS.zeros(n, np.int32)
        self.trial = ROWS.zeros(n, np.int32)
        self.reference = ROWS.zeros(m, np.int32)
        self.bound = ROWS.zeros(most_references, np.int32)
        self.left = ROWS.zeros(vocabulary_size, np.int32)
        self.places = ROWS.zeros(vocabulary_size, np.uint64)
        # A row is at most m + 3 wide, and at most 2m / n + 60 by the beam.
        self.cells = ROWS.zeros(min((n + 3) * (m + 3), 8 * m + 60 * n + 200), np.int32)
        self.low = ROWS.zeros(n + 1, np.int32)
        self.high = ROWS.zeros(n + 1, np.int32)
        self.up = ROWS.zeros(n + 1, np.uint64)
        self.down = ROWS.zeros(n + 1, np.uint64)
        self.at = ROWS.zeros(n + 1, np.int32)
        self.aligned = ROWS.zeros(m, np.int32)
        self.wrong = ROWS.zeros(n + 1, np.int32)
        self.missed = ROWS.zeros(m + 1, np.int32)
        # Every shift but the last leaves at least one edit fewer.
        self.shift_start = ROWS.zeros(n + m + 1, np.int32)
        self.shift_words = ROWS.zeros(n + m + 1, np.int32)
        self.shift_to = ROWS.zeros(n + m + 1, np.int32)

    def script(
        self, candidate: list[int], reference: list[int]
    ) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]]:
        n, m = len(candidate), len(reference)
        for i in range(n):
            self.words[i] = candidate[i]
        for j in range(m):
            self.reference[j] = reference[j]
            self.places[reference[j]] |= cython.cast(cython.ulonglong, 1) << (j & 63)
        self.word_count, self.reference_count = n, m
        self.shift_count = 0
        if n and m:
            self.search(max(n, m) - (Counter(candidate) & Counter(reference)).total(), FAR, True)
            self.align()
        shifts = [
            (int(self.shift_start[k]), int(self.shift_words[k]), int(self.shift_to[k])) for k in range(self.shift_count)
        ]
        alignment: list[tuple[int, int]] = []
        i = 0
        for j in range(m):
            # A substitution is aligned too; only an inserted word shares its place with the word before it.
            place = int(self.aligned[j]) if n else -1
            alignment += [(k, -1) for k in range(i, place)]
            alignment.append((place, j) if place >= i else (-1, j))
            i = max(i, place + 1)
        return shifts, alignment + [(k, -1) for k in range(i, n)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(m=cython.int, next_bound=cython.int, i=cython.Py_ssize_t, j=cython.Py_ssize_t)
    @cython.locals(next_reference=cython.Py_ssize_t)
    def best_of(
        self,
        candidates: cython.const[cython.int][::1],
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        references: cython.const[cython.int][::1],
        reference_offsets: cython.const[cython.longlong][::1],
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
    ) -> cython.int:
        """Fewest edits over the references, tried in the order of their lower bounds."""
        n: cython.int = end - start
        one: cython.ulonglong = 1
        best: cython.int = FAR
        if first == last:
            return n
        self.word_count = n
        for i in range(start, end):
            self.left[candidates[i]] += 1
        for j in range(first, last):
            self.bound[j - first] = self.lower_bound(references, reference_offsets[j], reference_offsets[j + 1])
        for i in range(start, end):
            self.left[candidates[i]] = 0
        while True:
            next_bound = best
            next_reference = -1
            for j in range(first, last):
                if self.bound[j - first] < next_bound:
                    next_bound = self.bound[j - first]
                    next_reference = j
            if next_reference < 0:
                return best
            self.bound[next_reference - first] = FAR
            m = reference_offsets[next_reference + 1] - reference_offsets[next_reference]
            if n == 0 or m == 0:
                best = next_bound
                continue
            for i in range(n):
                self.words[i] = candidates[start + i]
            for j in range(m):
                self.reference[j] = references[reference_offsets[next_reference] + j]
                self.places[self.reference[j]] |= one << (j & 63)
            self.reference_count = m
            best = min(best, self.search(next_bound, best, False))
            for j in range(m):
                self.places[self.reference[j]] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lower_bound(
        self, references: cython.const[cython.int][::1], start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.int:
        """Return the longer length less the words in common: each word left over costs an edit, shifts or not."""
        j: cython.Py_ssize_t
        common: cython.int = 0
        for j in range(start, end):
            if self.left[references[j]] > 0:
                common += 1
            self.left[references[j]] -= 1
        for j in range(start, end):
            self.left[references[j]] += 1
        return max(self.word_count, cython.cast(cython.int, end - start)) - common

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.int, to=cython.int, distance=cython.int)
    def search(self, bound: cython.int, limit: cython.int, every_shift: cython.bint) -> cython.int:
        """Edits from `words` to `reference`: shifts as long as the best one helps, then the edit distance.

        Stops early where the answer is `limit` or more, or where more shifts cannot change the sum (distance
        bound + 1: a shift costs what it gains) unless every shift is asked for.
        """
        n: cython.int = self.word_count
        m: cython.int = self.reference_count
        longest: cython.int = max(n, m)
        # A path that leaves the beam costs more than 2 (BEAM − 1) − |n − m|, and the best at most max(n, m).
        self.in_bits = m < BEAM or longest + abs(n - m) <= 2 * (BEAM - 1)
        self.lay_out_rows()
        for i in range(n):
            self.trial[i] = self.words[i]
        self.tried = 0
        self.shift_count = 0
        distance = self.distance_in_bits(0, n, True) if self.in_bits else self.align()
        while True:
            if distance == bound or (distance == bound + 1 and not every_shift):
                break
            if self.shift_count + bound + 1 >= limit:
                break
            if self.in_bits:
                self.align()
            self.find_shift(distance, bound)
            if self.best_gain <= 0 or self.tried >= MAX_SHIFTS_TRIED:
                break
            to = self.destination(self.best_start, self.best_words, self.best_target)
            self.shift_start[self.shift_count] = self.best_start
            self.shift_words[self.shift_count] = self.best_words
            self.shift_to[self.shift_count] = to
            self.move(self.best_start, self.best_words, to)
            for i in range(n):
                self.words[i] = self.trial[i]
            self.shift_count += 1
            distance = self.distance_in_bits(0, n, True) if self.in_bits else self.align()
        return self.shift_count + distance

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(start=cython.int, j=cython.int, length=cython.int, offset=cython.int, target=cython.int)
    @cython.locals(previous=cython.int, to=cython.int, gain=cython.int)
    def find_shift(self, distance: cython.int, bound: cython.int) -> cython.void:
        """The shift that gains most; of equal ones the longest, then the first, then the one to the first
        place.

        A block is tried where the same words occur in the reference, if neither is fully matched already:
        before the first of those words, and after each of them.
        """
        n: cython.int = self.word_count
        m: cython.int = self.reference_count
        words: cython.int[::1] = self.words
        reference: cython.int[::1] = self.reference
        aligned: cython.int[::1] = self.aligned
        wrong: cython.int[::1] = self.wrong
        missed: cython.int[::1] = self.missed
        self.best_gain = 0
        for start in range(n):
            if self.places[words[start]] == 0:
                continue
            for j in range(max(0, start - MAX_SHIFT_DISTANCE), min(m, start + MAX_SHIFT_DISTANCE + 1)):
                length = 0
                while (
                    length < MAX_SHIFT_WORDS
                    and start + length < n
                    and j + length < m
                    and words[start + length] == reference[j + length]
                ):
                    length += 1
                    if wrong[start + length] == wrong[start] or missed[j + length] == missed[j]:
                        continue
                    if start <= aligned[j] < start + length:
                        continue
                    previous = -1
                    for offset in range(-1, length):
                        target = 0 if j + offset < 0 else aligned[j + offset] + 1
                        if target == previous:
                            continue
                        previous = target
                        self.tried += 1
                        to = self.destination(start, length, target)
                        if to == start:
                            continue
                        # No shift brings the distance below the bound, so a tie is the most that is left.
                        if self.best_gain == distance - bound and not self.wins_tie(start, length, target):
                            continue
                        gain = distance - self.distance_after(start, length, to)
                        if gain > self.best_gain or (
                            gain == self.best_gain and gain > 0 and self.wins_tie(start, length, target)
                        ):
                            self.best_gain = gain
                            self.best_start = start
                            self.best_words = length
                            self.best_target = target
                    if self.tried >= MAX_SHIFTS_TRIED:
                        return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def wins_tie(self, start: cython.int, length: cython.int, target: cython.int) -> cython.bint:
        if length != self.best_words:
            return length > self.best_words
        if start != self.best_start:
            return start < self.best_start
        return target < self.best_target

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def destination(self, start: cython.int, length: cython.int, target: cython.int) -> cython.int:
        """Return the start of a block after it is shifted to a target position.

        A target inside the block or at its end counts from the block's start: that is how tercom moves it.
        """
        if target < start:
            return target
        if target > start + length:
            return target - length
        return min(target, self.word_count - length)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move(self, start: cython.int, length: cython.int, to: cython.int) -> cython.void:
        """`trial` becomes `words` with one block shifted; both are the same before."""
        k: cython.int
        for k in range(length):
            self.trial[to + k] = self.words[start + k]
        if to < start:
            for k in range(to, start):
                self.trial[k + length] = self.words[k]
        else:
            for k in range(start, to):
                self.trial[k] = self.words[k + length]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def distance_after(self, start: cython.int, length: cython.int, to: cython.int) -> cython.int:
        k: cython.int
        distance: cython.int
        first: cython.int = min(start, to)
        last: cython.int = max(start, to) + length
        self.move(start, length, to)
        distance = self.distance_in_bits(first, last, False) if self.in_bits else self.fill(first, True)
        for k in range(first, last):
            self.trial[k] = self.words[k]
        return distance

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.int, distance=cython.int, up=cython.ulonglong, down=cython.ulonglong, here=cython.ulonglong)
    @cython.locals(match=cython.ulonglong, grow=cython.ulonglong, shrink=cython.ulonglong)
    def distance_in_bits(self, first: cython.int, last: cython.int, keep: cython.bint) -> cython.int:
        """Edit distance of `trial` and `reference`, a whole row at a time (Hyyrö 2003).

        Rows up to `first` are those of `words`, and if from `last` on a row is as it was, so are the rest.
        """
        n: cython.int = self.word_count
        m: cython.int = self.reference_count
        one: cython.ulonglong = 1
        full: cython.ulonglong = (one << m) - 1
        top: cython.ulonglong = one << (m - 1)
        if first == 0:
            up, down, distance = full, 0, m
        else:
            up, down, distance = self.up[first], self.down[first], self.at[first]
        for i in range(first, n):
            here = self.places[self.trial[i]]
            match = ((((here & up) + up) ^ up) | here | down) & full
            grow = down | (full & ~(match | up))
            shrink = match & up
            if grow & top:
                distance += 1
            elif shrink & top:
                distance -= 1
            grow = ((grow << 1) | 1) & full
            shrink = (shrink << 1) & full
            up = shrink | (full & ~(match | grow))
            down = grow & match
            if keep:
                self.up[i + 1], self.down[i + 1], self.at[i + 1] = up, down, distance
            elif i + 1 >= last and up == self.up[i + 1] and down == self.down[i + 1]:
                return distance + self.at[n] - self.at[i + 1]
        return distance

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.int, middle=cython.int, j=cython.int)
    def lay_out_rows(self) -> cython.void:
        """Compute the cells of each row within the beam around the diagonal."""
        n: cython.int = self.word_count
        m: cython.int = self.reference_count
        beam: cython.int = BEAM
        ratio: cython.double = cython.cast(cython.double, m) / n
        if ratio / 2 > BEAM:
            # So few words that the rows would not touch: tercom's beam grows.
            beam = cython.cast(cython.int, ratio / 2 + BEAM)
            if beam < ratio / 2 + BEAM:
                beam += 1
        self.low[0] = 0
        self.width = 0
        for i in range(1, n + 1):
            middle = cython.cast(cython.int, i * ratio)
            self.low[i] = max(0, middle - beam)
            self.high[i] = m + 1 if i == n else min(m + 1, middle + beam)
            self.width = max(self.width, self.high[i] - self.low[i - 1] + 2)
        self.high[0] = self.high[1]
        self.cells[0] = FAR
        for j in range(self.high[0]):
            self.cells[j + 1] = j
        for j in range(self.high[0] + 1, self.width):
            self.cells[j] = FAR

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    @cython.locals(i=cython.int, j=cython.int, low=cython.int, high=cython.int, shift=cython.int, word=cython.int)
    @cython.locals(value=cython.int, diagonal=cython.int, over=cython.int)
    def fill(self, first: cython.int, spare: cython.bint) -> cython.int:
        """Edit distance of `trial` and `reference`, cell by cell after row `first`, maybe in the spare rows."""
        n: cython.int = self.word_count
        width: cython.int = self.width
        above: cython.int = first * width
        row: cython.int = above
        cells: cython.int[::1] = self.cells
        reference: cython.int[::1] = self.reference
        for i in range(first + 1, n + 1):
            row = (n + 1 + (i & 1) if spare else i) * width
            low, high = self.low[i], self.high[i]
            shift = above - self.low[i - 1] + 1  # cell j of the row above
            word = self.trial[i - 1]
            value = FAR
            cells[row] = FAR
            if low == 0:
                diagonal = cells[shift]
                value = diagonal + 1
                cells[row + 1] = value
                j = 1
            else:
                diagonal = cells[shift + low - 1]
                j = low
            while j < high:
                over = cells[shift + j]
                value += 1
                if over < value:
                    value = over + 1
                if reference[j - 1] == word:
                    value = min(value, diagonal)
                elif diagonal < value:
                    value = diagonal + 1
                cells[row + j - low + 1] = value
                diagonal = over
                j += 1
            for j in range(row + high - low + 1, row + width):
                cells[j] = FAR
            above = row
        return cells[row + self.high[n] - self.low[n]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def align(self) -> cython.int:
        """Lines `words` up with `reference`, preferring a pair of words to a deletion to an insertion."""
        i: cython.int = self.word_count
        j: cython.int = self.reference_count
        distance: cython.int = self.fill(0, False)
        value: cython.int = distance
        shift: cython.int
        cells: cython.int[::1] = self.cells
        words: cython.int[::1] = self.words
        reference: cython.int[::1] = self.reference
        while i > 0 or j > 0:
            if i == 0:
                j -= 1
                self.aligned[j] = -1
                self.missed[j] = 1
                continue
            shift = (i - 1) * self.width - self.low[i - 1] + 1
            if j > 0 and words[i - 1] == reference[j - 1] and cells[shift + j - 1] == value:
                i -= 1
                j -= 1
                self.aligned[j] = i
                self.wrong[i] = 0
                self.missed[j] = 0
            elif j > 0 and words[i - 1] != reference[j - 1] and cells[shift + j - 1] + 1 == value:
                i -= 1
                j -= 1
                value -= 1
                self.aligned[j] = i
                self.wrong[i] = 1
                self.missed[j] = 1
            elif j == 0 or cells[shift + j] + 1 == value:
                i -= 1
                value -= 1
                self.wrong[i] = 1
            else:
                j -= 1
                value -= 1
                self.aligned[j] = i - 1
                self.missed[j] = 1
        _add_up(self.wrong, self.word_count)
        _add_up(self.missed, self.reference_count)
        return distance
