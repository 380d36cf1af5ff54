"""An ordered table of patterns becomes one finite automaton, as tables for `vericap.kernels.lexing`.

Patterns become trees, trees a nondeterministic automaton (Thompson 1968), and that one a deterministic automaton with
as few states as possible (Moore 1956). Characters that no pattern tells apart share a symbol.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vericap.kernels.lexing import Automaton

__all__ = ["CharacterSet", "Tables", "make_lexer", "make_tables"]

Tables = Mapping[str, NDArray[Any]]

_LAST_CODE_POINT = 0x10FFFF
_UNITS = 1 << 16  # 16-bit characters
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}
# Letters beyond ASCII whose other case is an ASCII letter.
_CASE_MATES = {"i": "ıİ", "k": "\u212a", "s": "ſ"}


class CharacterSet:
    """A set of characters, as ranges of code points.

    >>> vowels = CharacterSet((ord(vowel), ord(vowel)) for vowel in "aeiou")
    >>> "e" in vowels, "e" in vowels.complement()
    (True, False)
    """

    __slots__ = ("bounds",)

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        bounds: list[int] = []
        for first, last in sorted(ranges):
            if bounds and first <= bounds[-1]:
                bounds[-1] = max(bounds[-1], last + 1)
            else:
                bounds += [first, last + 1]
        # Every bound changes sides: a character inside has an odd number of bounds at or below it.
        self.bounds = tuple(bounds)

    def __contains__(self, character: str) -> bool:
        return bisect_right(self.bounds, ord(character)) % 2 == 1

    def complement(self) -> CharacterSet:
        edges = (0, *self.bounds, _LAST_CODE_POINT + 1)
        pairs = zip(edges[::2], edges[1::2], strict=True)
        return CharacterSet((first, end - 1) for first, end in pairs if first < end)


class _One(NamedTuple):
    characters: CharacterSet


class _Chain(NamedTuple):
    parts: list[_Node]


class _Choice(NamedTuple):
    parts: list[_Node]


class _Repeat(NamedTuple):
    part: _Node
    low: int
    high: int | None


_Node = _One | _Chain | _Choice | _Repeat


class _Names(dict[str, _Node]):
    """The named patterns, each parsed when a pattern first uses it and once for all that do."""

    def __init__(self, texts: Mapping[str, str | CharacterSet]) -> None:
        self.texts = texts

    def __missing__(self, name: str) -> _Node:
        named = self.texts[name]
        node = self[name] = _Reader(named, self).tree() if isinstance(named, str) else _One(named)
        return node


class _Reader:
    """Recursive descent over one pattern."""

    def __init__(self, pattern: str, names: _Names) -> None:
        self.pattern, self.names, self.at = pattern, names, 0

    def tree(self) -> _Node:
        node = self.choice()
        if self.peek():
            raise self.error("unbalanced )")
        return node

    def error(self, what: str) -> ValueError:
        return ValueError(f"{what} at {self.at} of pattern {self.pattern!r}")

    def peek(self) -> str:
        """The next character that means something; blanks and comments do not."""
        while (mark := self.pattern[self.at : self.at + 1]) and (mark.isspace() or mark == "#"):
            end = self.pattern.find("\n", self.at) if mark == "#" else self.at
            self.at = end + 1 if end >= 0 else len(self.pattern)
        return mark

    def choice(self) -> _Node:
        parts = [self.chain()]
        while self.peek() == "|":
            self.at += 1
            parts.append(self.chain())
        return parts[0] if len(parts) == 1 else _Choice(parts)

    def chain(self) -> _Node:
        parts: list[_Node] = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.repeat())
        return parts[0] if len(parts) == 1 else _Chain(parts)

    def repeat(self) -> _Node:
        node = self.atom()
        while mark := self.peek():
            if mark == "{" and self.pattern[self.at + 1].isdigit():
                end = self.pattern.index("}", self.at)
                low, comma, high = self.pattern[self.at + 1 : end].partition(",")
                node = _Repeat(node, int(low), int(high) if high else None if comma else int(low))
                self.at = end + 1
            elif mark in "?*+":
                node = _Repeat(node, int(mark == "+"), 1 if mark == "?" else None)
                self.at += 1
            else:
                break
        return node

    def atom(self) -> _Node:
        mark = self.peek()
        self.at += 1
        if mark == "(":
            node = self.choice()
            if self.peek() != ")":
                raise self.error("missing )")
            self.at += 1
            return node
        if mark == "{":
            end = self.pattern.index("}", self.at)
            node = self.names[self.pattern[self.at : end]]
            self.at = end + 1
            return node
        if mark == "[":
            return _One(self.bracket())
        if mark in "?*+":
            raise self.error("nothing to repeat")
        literal = self.escape() if mark == "\\" else mark
        cases = {literal, literal.lower(), literal.upper(), *_CASE_MATES.get(literal.lower(), "")}
        return _One(CharacterSet((ord(case), ord(case)) for case in cases))

    def bracket(self) -> CharacterSet:
        negated = self.pattern[self.at] == "^"
        self.at += negated
        ranges: list[tuple[int, int]] = []
        while self.pattern[self.at] != "]":
            first = last = self.member()
            if self.pattern[self.at] == "-" and self.pattern[self.at + 1] != "]":
                self.at += 1
                last = self.member()
            ranges.append((ord(first), ord(last)))
        self.at += 1
        characters = CharacterSet(ranges)
        return characters.complement() if negated else characters

    def member(self) -> str:
        mark = self.pattern[self.at]
        self.at += 1
        return self.escape() if mark == "\\" else mark

    def escape(self) -> str:
        letter = self.pattern[self.at]
        width = {"x": 2, "u": 4}.get(letter, 0)
        digits = self.pattern[self.at + 1 : self.at + 1 + width]
        self.at += 1 + width
        return chr(int(digits, 16)) if width else _ESCAPES.get(letter, letter)


class _Automaton:
    """Thompson's construction over all patterns: places, of which some read a character and some end a pattern."""

    def __init__(self, patterns: Sequence[_Node]) -> None:
        self.reads: list[CharacterSet | None] = []  # place → the characters that it reads, None: it reads nothing
        self.leads_to: list[int] = []  # place → place after that character
        self.free: list[list[int]] = []  # place → places reached without reading
        self.final: dict[int, int] = {}  # place → pattern that ends there
        self.closures: dict[int, frozenset[int]] = {}
        self.start = self.place()
        for number, pattern in enumerate(patterns):
            self.final[self.add(pattern, self.start)] = number

    def place(self, *sources: int) -> int:
        """A new place, reached from the given ones without reading."""
        place = len(self.reads)
        self.reads.append(None)
        self.leads_to.append(-1)
        self.free.append([])
        for source in sources:
            self.free[source].append(place)
        return place

    def add(self, node: _Node, start: int) -> int:
        """Adds the pattern after `start`; its last place."""
        match node:
            case _One(characters):
                begin = self.place(start)
                self.reads[begin] = characters
                end = self.leads_to[begin] = self.place()
                return end
            case _Chain(parts):
                for part in parts:
                    start = self.add(part, start)
                return self.place(start)
            case _Choice(parts):
                return self.place(*[self.add(part, start) for part in parts])
            case _Repeat(part, low, high):
                for _ in range(low):
                    start = self.add(part, start)
                if high is None:
                    loop = self.place(start)
                    self.free[self.add(part, loop)].append(loop)
                    return self.place(loop)
                ends = [start]
                for _ in range(high - low):
                    ends.append(self.add(part, ends[-1]))
                return self.place(*ends)

    def closure(self, place: int) -> frozenset[int]:
        """Return the places reached from a place without reading, if they read or end a pattern."""
        found = self.closures.get(place)
        if found is None:
            seen, stack = {place}, [place]
            while stack:
                for target in self.free[stack.pop()]:
                    if target not in seen:
                        seen.add(target)
                        stack.append(target)
            found = frozenset(p for p in seen if self.reads[p] is not None or p in self.final)
            self.closures[place] = found
        return found


class _Alphabet:
    """The symbols of 16-bit characters: those that are in the same sets share one."""

    def __init__(self, sets: Iterable[CharacterSet]) -> None:
        distinct = list({each.bounds: each for each in sets})
        edges = sorted({0, *(bound for bounds in distinct for bound in bounds if bound < _UNITS)})
        members: dict[frozenset[int], int] = {}  # numbers of the sets that hold a symbol → the symbol
        inside = [
            frozenset(number for number, bounds in enumerate(distinct) if bisect_right(bounds, edge) % 2)
            for edge in edges
        ]
        symbols = [members.setdefault(each, len(members)) for each in inside]
        self.symbol = np.repeat(symbols, np.diff([*edges, _UNITS]))
        self.size = len(members)
        self.read_by: dict[tuple[int, ...], list[int]] = {
            bounds: [symbol for sets, symbol in members.items() if number in sets]
            for number, bounds in enumerate(distinct)
        }


class _States:
    """The states of deterministic automata over one alphabet. State 0 is dead: nothing leads out of it."""

    def __init__(self, alphabet: _Alphabet) -> None:
        self.alphabet = alphabet
        self.steps: list[list[int]] = [[0] * alphabet.size]
        self.patterns = [-1]  # the first pattern that may end in a state, -1: none

    def add(self, automaton: _Automaton) -> int:
        """Adds the states of an automaton, each a set of its places; its first state."""
        numbers: dict[frozenset[int], int] = {frozenset(): 0}
        waiting: list[frozenset[int]] = []

        def number(places: frozenset[int]) -> int:
            if places not in numbers:
                numbers[places] = len(self.steps)
                self.steps.append([])
                self.patterns.append(min((automaton.final[p] for p in automaton.final.keys() & places), default=-1))
                waiting.append(places)
            return numbers[places]

        start = number(automaton.closure(automaton.start))
        while waiting:
            places = waiting.pop()
            reached: dict[int, set[int]] = {}
            for place in places:
                characters = automaton.reads[place]
                if characters is not None:
                    closure = automaton.closure(automaton.leads_to[place])
                    for symbol in self.alphabet.read_by[characters.bounds]:
                        reached.setdefault(symbol, set()).update(closure)
            row = [0] * self.alphabet.size
            for symbol, after in reached.items():
                row[symbol] = number(frozenset(after))
            self.steps[numbers[places]] = row
        return start

    def fewest(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The state that stands for each state, and the steps and patterns of those that are left.

        States are told apart by the pattern that ends there, then by where their steps lead, until nothing changes.
        """
        steps, patterns = np.array(self.steps), np.array(self.patterns)
        kind = np.unique(patterns, return_inverse=True)[1]
        while True:
            rows = np.column_stack([kind, kind[steps]])
            _, first, finer = np.unique(rows, axis=0, return_index=True, return_inverse=True)
            finer = finer.ravel()
            if len(first) == kind.max() + 1:
                break
            kind = finer
        # Numbered in the order they were found in, so that the dead state stays 0.
        order = np.argsort(first)
        number = np.empty(len(order), np.int64)
        number[order] = np.arange(len(order))
        stands_for, kept = number[finer], np.sort(first)
        return stands_for, stands_for[steps[kept]], patterns[kept]


def make_tables(patterns: Sequence[tuple[str, str]], names: Mapping[str, str | CharacterSet] | None = None) -> Tables:
    """The tables of a lexer: an ordered table of patterns, each with what has to follow its token ("": anything).

    Patterns are written as for `re.VERBOSE`, with sets, groups, alternatives and greedy repeats only. A letter outside
    a set matches in either case; `{name}` stands for a named pattern or set of characters. Characters have 16 bits.

    `symbols` [65,536] are those of characters; `steps` [states × symbols] are where they lead, 0: nowhere; `patterns`
    [states] are numbers of patterns that may end there, from 1 on, 0: none; `starts` has the first state of all
    patterns, then of each pattern's token and of what follows it, 0 where anything may follow.

    >>> tables = make_tables([("[a-z]+", "[.]"), ("[a-z]+", "")])
    >>> tables["symbols"][[97, 98, 46, 32]].tolist(), tables["starts"].tolist(), tables["patterns"].tolist()
    ([2, 2, 1, 0], [1, 4, 6, 0, 0], [0, 0, 2, 1, 0, 1, 0])
    """
    known = _Names(names or {})
    trees = [
        (_Reader(token, known).tree(), _Reader(follow, known).tree() if follow else None) for token, follow in patterns
    ]
    whole = _Automaton([token if follow is None else _Chain([token, follow]) for token, follow in trees])
    parts = [[] if follow is None else [_Automaton([token]), _Automaton([follow])] for token, follow in trees]
    # The parts read what the whole reads.
    alphabet = _Alphabet(characters for characters in whole.reads if characters is not None)
    states = _States(alphabet)
    starts = [states.add(whole)]
    for pair in parts:
        starts += [states.add(part) for part in pair] or [0, 0]
    stands_for, steps, ends = states.fewest()
    return {
        "symbols": alphabet.symbol.astype(np.uint8),
        "steps": steps.astype("<u2").ravel(),
        "patterns": (ends + 1).astype("<u2"),
        "starts": stands_for[starts].astype("<u2"),
    }


def make_lexer(patterns: Sequence[tuple[str, str]], names: Mapping[str, str | CharacterSet] | None = None) -> Automaton:
    """Finds tokens by an ordered table of patterns; see `make_tables`. What follows a token counts for the length of a
    match, though it is not part of the token.

    >>> letter = {"letter": "[A-Za-z]"}
    >>> lexer = make_lexer([("{letter}+", ""), (r"{letter}+ \\.", "[ ]{letter}"), (r"\\.", "")], letter)
    >>> scan = lexer.scan("etc. etc.")
    >>> scan.longest(0), scan.longest(5), scan.longest(8), scan.longest(4)
    (Match(pattern=1, end=4), Match(pattern=0, end=8), Match(pattern=2, end=9), None)
    """
    return Automaton(**make_tables(patterns, names))
