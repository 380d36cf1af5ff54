"""Longest-match lexer: an ordered table of patterns becomes one finite automaton, built as text needs it.

At every place the longest match wins, and the first pattern among equals, as in lex and JFlex (`re` takes the
first alternative instead). Time is linear in the text whatever the patterns: Reps 1998, "Maximal munch"
tokenization in linear time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import NamedTuple

__all__ = ["CharacterSet", "Lexer", "Match", "Scan"]

_LAST_CODE_POINT = 0x10FFFF
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


class Match(NamedTuple):
    """The number of the pattern, and where its token ends."""

    pattern: int
    end: int


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


class _Alphabet(dict[str, int]):
    """Character → symbol; characters that no pattern tells apart share a symbol."""

    def __init__(self) -> None:
        self.sets: dict[tuple[int, ...], int] = {}  # bounds of a set → its number
        self.members: list[frozenset[int]] = []  # symbol → numbers of the sets it is in
        self.symbols: dict[frozenset[int], int] = {}
        self.lock = Lock()  # what grows while text is read may be read by several threads

    def number(self, characters: CharacterSet) -> int:
        return self.sets.setdefault(characters.bounds, len(self.sets))

    def __missing__(self, character: str) -> int:
        code = ord(character)
        inside = frozenset(number for bounds, number in self.sets.items() if bisect_right(bounds, code) % 2)
        with self.lock:
            symbol = self.symbols.setdefault(inside, len(self.members))
            if symbol == len(self.members):
                self.members.append(inside)
            self[character] = symbol
        return symbol


class _State(dict[int, "_State"]):
    """A state of the deterministic automaton: symbol → next state, worked out when first asked for."""

    __slots__ = ("automaton", "number", "pattern", "places")

    def __init__(self, automaton: _Automaton, places: frozenset[int]) -> None:
        self.automaton = automaton
        self.places = places
        self.number = len(automaton.states)
        # The first pattern that may end here, or -1.
        self.pattern = min((automaton.final[place] for place in automaton.final.keys() & places), default=-1)

    def __missing__(self, symbol: int) -> _State:
        automaton = self.automaton
        inside = automaton.alphabet.members[symbol]
        reached: set[int] = set()
        with automaton.alphabet.lock:
            for place in self.places:
                if automaton.reads[place] in inside:
                    reached |= automaton.closure(automaton.leads_to[place])
            state = self[symbol] = automaton.state(frozenset(reached))
        return state


class _Automaton:
    """Thompson's construction over all patterns; a state of the deterministic one is a set of its places."""

    def __init__(self, patterns: Sequence[_Node], alphabet: _Alphabet) -> None:
        self.alphabet = alphabet
        self.reads: list[int] = []  # place → the set of characters it reads, -1: none
        self.leads_to: list[int] = []  # place → place after that character
        self.free: list[list[int]] = []  # place → places reached without reading
        self.final: dict[int, int] = {}  # place → pattern that ends there
        self.closures: dict[int, frozenset[int]] = {}
        self.states: dict[frozenset[int], _State] = {}
        start = self.place()
        for number, pattern in enumerate(patterns):
            self.final[self.add(pattern, start)] = number
        self.dead = self.state(frozenset())
        self.start = self.state(self.closure(start))

    def place(self, *sources: int) -> int:
        """A new place, reached from the given ones without reading."""
        place = len(self.reads)
        self.reads.append(-1)
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
                self.reads[begin] = self.alphabet.number(characters)
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
        """What is reached from a place without reading, as far as it reads or ends a pattern."""
        found = self.closures.get(place)
        if found is None:
            seen, stack = {place}, [place]
            while stack:
                for target in self.free[stack.pop()]:
                    if target not in seen:
                        seen.add(target)
                        stack.append(target)
            found = frozenset(p for p in seen if self.reads[p] >= 0 or p in self.final)
            self.closures[place] = found
        return found

    def state(self, places: frozenset[int]) -> _State:
        state = self.states.get(places)
        if state is None:
            state = self.states[places] = _State(self, places)
        return state

    def ends(self, symbols: Sequence[int], start: int, limit: int) -> list[int]:
        """Every end up to `limit` of a match that starts at `start`."""
        state, found = self.start, []
        for at in range(start, limit):
            if state.pattern >= 0:
                found.append(at)
            state = state[symbols[at]]
        if state.pattern >= 0:
            found.append(limit)
        return found


class Lexer:
    r"""Finds tokens by an ordered table of patterns, each with what has to follow its token ("": anything).

    Patterns are written as for `re.VERBOSE`, with sets, groups, alternatives and greedy repeats only. A
    letter outside a set matches in either case; `{name}` stands for a named pattern or set of characters.
    What follows counts for the length of a match, though it is no part of the token.

    >>> letter = {"letter": "[A-Za-z]"}
    >>> lexer = Lexer([("{letter}+", ""), (r"{letter}+ \.", "[ ]{letter}"), (r"\.", "")], letter)
    >>> scan = lexer.scan("etc. etc.")
    >>> scan.longest(0), scan.longest(5), scan.longest(8), scan.longest(4)
    (Match(pattern=1, end=4), Match(pattern=0, end=8), Match(pattern=2, end=9), None)
    """

    def __init__(
        self, patterns: Sequence[tuple[str, str]], names: Mapping[str, str | CharacterSet] | None = None
    ) -> None:
        known = _Names(names or {})
        self.trees = [
            (_Reader(token, known).tree(), _Reader(follow, known).tree() if follow else None)
            for token, follow in patterns
        ]
        self.alphabet = _Alphabet()
        whole = [token if follow is None else _Chain([token, follow]) for token, follow in self.trees]
        self.automaton = _Automaton(whole, self.alphabet)
        self._parts: dict[int, tuple[_Automaton, _Automaton]] = {}

    def parts(self, pattern: int) -> tuple[_Automaton, _Automaton] | None:
        """The token and what follows it as automata of their own, made at the first match of the pattern; None for a
        pattern that anything may follow. Their sets of characters are those of the whole: the alphabet stays."""
        token, follow = self.trees[pattern]
        if follow is None:
            return None
        if pattern not in self._parts:
            self._parts[pattern] = (_Automaton([token], self.alphabet), _Automaton([follow], self.alphabet))
        return self._parts[pattern]

    def scan(self, text: str) -> Scan:
        """The lexer at work on one text."""
        return Scan(self, text)


class Scan:
    """One text under a lexer."""

    def __init__(self, lexer: Lexer, text: str) -> None:
        alphabet = lexer.alphabet
        self.lexer = lexer
        self.symbols = [alphabet[character] for character in text]
        # Where, and in which state, a search beyond the last match came to nothing: no later search goes
        # through there again, which keeps the whole linear.
        self.failed: set[tuple[int, int]] = set()
        # Places of the automaton that were alive when the text ended: more text might make a longer match.
        self.unfinished: set[int] = set()

    def longest(self, start: int) -> Match | None:
        """The longest match at `start`, by the first pattern among equals; None if nothing matches there."""
        symbols, failed = self.symbols, self.failed
        automaton = self.lexer.automaton
        state, dead = automaton.start, automaton.dead
        pattern, end = -1, start
        trail: list[tuple[int, int]] = []
        for at in range(start, len(symbols)):
            state = state[symbols[at]]
            if state.pattern >= 0:
                pattern, end = state.pattern, at + 1
                trail.clear()
            elif state is dead or (at, state.number) in failed:
                break
            else:
                trail.append((at, state.number))
        else:
            self.unfinished |= state.places
        failed.update(trail)
        if pattern < 0:
            return None
        parts = self.lexer.parts(pattern)
        if parts is not None:
            token, follow = parts
            # The longest token that leaves exactly the follow.
            end = next(
                middle
                for middle in reversed(token.ends(symbols, start, end))
                if end in follow.ends(symbols, middle, end)
            )
        return Match(pattern, end)

    def reach(self) -> frozenset[int]:
        """The sets of characters (by number) that, coming next, might have made a match longer."""
        reads = self.lexer.automaton.reads
        return frozenset(reads[place] for place in self.unfinished) - {-1}
