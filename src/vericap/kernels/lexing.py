"""Longest-match lexer over the tables of one finite automaton.

At every place the longest match wins, and the first pattern among equals, as in lex and JFlex (`re` takes the first
alternative instead). Time is linear in the text whatever the patterns: Reps 1998, "Maximal munch" tokenization in
linear time.
"""

from __future__ import annotations

from typing import NamedTuple

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)

SHORT = cython.declare(cython.Py_ssize_t, 8)  # characters read in vain that are not worth remembering


class Match(NamedTuple):
    """The number of the pattern, and where its token ends."""

    pattern: int
    end: int


@cython.final
@cython.cclass
class Automaton:
    """The tables that `tools.automata` makes of patterns; `width` is the number of symbols."""

    symbols: cython.const[cython.uchar][::1]
    steps: cython.const[cython.ushort][::1]
    patterns: cython.const[cython.ushort][::1]
    starts: cython.const[cython.ushort][::1]
    width: cython.Py_ssize_t
    live: dict[int, frozenset[int]]

    def __init__(
        self,
        symbols: NDArray[np.uint8],
        steps: NDArray[np.uint16],
        patterns: NDArray[np.uint16],
        starts: NDArray[np.uint16],
    ) -> None:
        self.symbols, self.steps = ROWS.view(symbols), ROWS.view(steps)
        self.patterns, self.starts = ROWS.view(patterns), ROWS.view(starts)
        self.width = len(steps) // len(patterns)
        self.live = {}

    def symbol(self, character: str) -> int:
        """The symbol of a character, or of the first half of one that is not among the 16-bit ones."""
        code: cython.Py_ssize_t = ord(character)
        return int(self.symbols[code if code < 0x10000 else 0xD7C0 + (code >> 10)])

    def live_symbols(self, state: int) -> frozenset[int]:
        """The symbols that lead from a state to one that is not dead."""
        found = self.live.get(state)
        if found is None:
            first = state * self.width
            found = frozenset([symbol for symbol in range(self.width) if self.steps[first + symbol]])
            self.live[state] = found
        return found

    def scan(self, text: str) -> Scan:
        """The lexer at work on one text of 16-bit characters."""
        return Scan(self, text)


@cython.final
@cython.cclass
class Scan:
    """One text under a lexer."""

    automaton: Automaton
    row: cython.uchar[::1]  # the symbols of the text
    size: cython.Py_ssize_t
    # Where, and in which state, a long search beyond the last match came to nothing: no later search goes through there
    # again, which keeps the whole linear.
    failed: set[tuple[int, int]]
    unfinished: set[int]  # states in which the text ended: more of it might make a longer match
    characters_read: cython.Py_ssize_t

    def __init__(self, automaton: Automaton, text: str) -> None:
        at: cython.Py_ssize_t
        units: cython.const[cython.ushort][::1]
        self.automaton = automaton
        self.failed, self.unfinished = set(), set()
        self.size, self.characters_read = len(text), 0
        self.row = ROWS.zeros(self.size, np.uint8)
        if self.size:
            units = ROWS.view(np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16))
            for at in range(self.size):
                self.row[at] = automaton.symbols[units[at]]

    def reads(self) -> int:
        """Return the number of characters read, counting each reading."""
        return int(self.characters_read)

    def reach(self) -> frozenset[int]:
        """The symbols that, coming next, might have made a match longer."""
        return frozenset().union(*[self.automaton.live_symbols(state) for state in self.unfinished])

    def longest(self, start: int) -> Match | None:
        """The longest match at `start`, by the first pattern among equals; None if nothing matches there."""
        tables: Automaton = self.automaton
        first: cython.Py_ssize_t = start
        at: cython.Py_ssize_t = start
        end: cython.Py_ssize_t = start
        state: cython.Py_ssize_t = tables.starts[0]
        pattern: cython.Py_ssize_t = 0
        check: cython.bint = len(self.failed) > 0
        while at < self.size:
            state = tables.steps[state * tables.width + self.row[at]]
            if tables.patterns[state]:
                pattern = tables.patterns[state]
                end = at + 1
            elif state == 0 or (check and (at, state) in self.failed):
                break
            at += 1
        else:
            self.unfinished.add(state)
        self.characters_read += at - first
        if at - end > SHORT:
            self._remember(first, end, at)
        if pattern == 0:
            return None
        if tables.starts[2 * pattern]:
            end = self._token_end(first, end, tables.starts[2 * pattern - 1], tables.starts[2 * pattern])
        return Match(pattern - 1, end)

    @cython.cfunc
    def _remember(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.void:
        """Note that the text read after the end of a match, up to `last`, gave nothing."""
        tables: Automaton = self.automaton
        at: cython.Py_ssize_t
        state: cython.Py_ssize_t = tables.starts[0]
        for at in range(start, last):
            state = tables.steps[state * tables.width + self.row[at]]
            if at >= end:
                self.failed.add((at, state))
        self.characters_read += last - start

    @cython.cfunc
    def _token_end(
        self,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        token: cython.Py_ssize_t,
        follow: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Return the end of a token whose match includes what has to follow it: the longest that leaves exactly
        that."""
        tables: Automaton = self.automaton
        at: cython.Py_ssize_t
        middle: cython.Py_ssize_t
        state: cython.Py_ssize_t = token
        ends = [start] if tables.patterns[token] else []
        for at in range(start, end):
            state = tables.steps[state * tables.width + self.row[at]]
            if tables.patterns[state]:
                ends.append(at + 1)
        for middle in reversed(ends):
            state = follow
            for at in range(middle, end):
                state = tables.steps[state * tables.width + self.row[at]]
            self.characters_read += end - middle
            if tables.patterns[state]:
                return middle
        return end  # not reached: what matched was a token and what follows it
