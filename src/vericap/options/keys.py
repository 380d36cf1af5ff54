"""Metric expressions as people write them — `mean(vifidel,cider-r(k_r=0.5),weights=.7:.3)` — read into a tree.

Nothing is evaluated. What is wrong is an error that shows the expression and points at the character.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from vericap.errors import InputError

WORD = re.compile(r"[A-Za-z0-9_.-]+")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
BARE = re.compile(r'[^,()"]*')
DEEPEST = 20  # brackets inside brackets; more is a mistake
POINTER = "▸"


@dataclass(frozen=True)
class Value:
    """The value of a parameter as it was written, and where the parameter and the value begin."""

    text: str
    name_at: int
    at: int


@dataclass(frozen=True)
class Expression:
    """A name with the expressions and parameters in its brackets; `at` is where it begins."""

    name: str
    at: int
    parts: tuple[Expression, ...] = ()
    parameters: Mapping[str, Value] = field(default_factory=dict)


def wrong(text: str, at: int, problem: str, fix: str | None = None, field: str | None = None) -> InputError:
    """The error at a character of an expression.

    >>> str(wrong("mean(spice,cidr)", 11, "no metric is called 'cidr'"))
    "mean(spice,▸cidr), character 12: no metric is called 'cidr'"
    """
    return InputError(problem, source=f"{text[:at]}{POINTER}{text[at:]}, character {at + 1}", fix=fix, field=field)


def read(text: str) -> list[Expression]:
    """The expressions of a list `a,b(c=1),…`; commas at either end are ignored.

    >>> [one] = read("mean(spice, cider-r(k_r=0.5), weights=.7:.3)")
    >>> one.name, [part.name for part in one.parts], one.parameters["weights"].text
    ('mean', ['spice', 'cider-r'], '.7:.3')
    """
    reader, found = _Reader(text), []
    while (following := reader._next()) is not None:
        if following == ",":
            reader.at += 1
            continue
        found.append(reader._expression(0))
        if reader._next() not in (None, ","):
            raise reader._wrong("a comma is missing between two metrics")
    return found


def quote(text: str) -> str:
    """A parameter's value as `read` takes it: as it is, or in quotes where it holds a sign of the grammar.

    >>> quote("x.json"), quote('a (1), "b".json')
    ('x.json', '"a (1), \\\\"b\\\\".json"')
    """
    if text and BARE.fullmatch(text) and text == text.strip():
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass
class Cursor:
    """Reads a text from left to right; `at` is the next character."""

    text: str
    at: int = 0

    def _next(self) -> str | None:
        """Return the next character that is not a space; None at the end."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at] if self.at < len(self.text) else None

    def _wrong(self, problem: str, fix: str | None = None) -> InputError:
        return wrong(self.text, self.at, problem, fix)


class _Reader(Cursor):
    """Reads expressions of metrics."""

    def _expression(self, depth: int) -> Expression:
        at, name = self._word("the name of a metric")
        if self._next() != "(":
            return Expression(name, at)
        if depth == DEEPEST:
            raise self._wrong(f"brackets are {DEEPEST} deep here")
        opened = self.at
        self.at += 1
        parts: list[Expression] = []
        parameters: dict[str, Value] = {}
        while self._next() != ")":
            self._argument(parts, parameters, depth, opened)
        self.at += 1
        return Expression(name, at, tuple(parts), parameters)

    def _argument(self, parts: list[Expression], parameters: dict[str, Value], depth: int, opened: int) -> None:
        """One metric or parameter=value, and the comma behind it."""
        if self._next() is None:
            raise wrong(self.text, opened, "this bracket is never closed", "add )")
        start = self.at
        _, word = self._word("a metric or parameter=value")
        if self._next() == "=":
            self.at += 1
            if word in parameters:
                raise wrong(self.text, start, f"{word} is given twice", "leave one out")
            parameters[word] = self._value(start)
        else:
            self.at = start
            parts.append(self._expression(depth + 1))
        if self._next() == ",":
            self.at += 1
        elif self._next() not in (None, ")"):
            raise self._wrong("a comma or a closing bracket is missing here")

    def _value(self, name_at: int) -> Value:
        self._next()
        at = self.at
        if quoted := QUOTED.match(self.text, at):
            self.at = quoted.end()
            return Value(re.sub(r"\\(.)", r"\1", quoted[1]), name_at, at)
        if self.text.startswith('"', at):
            raise self._wrong("this quote is never closed", 'add "')
        bare = BARE.match(self.text, at)
        self.at = bare.end() if bare else at
        if not (value := self.text[at : self.at].strip()):
            raise wrong(self.text, at, "the value is missing", "write parameter=value")
        return Value(value, name_at, at)

    def _word(self, what: str) -> tuple[int, str]:
        self._next()
        found = WORD.match(self.text, self.at)
        if found is None:
            raise self._wrong(f"{what} is missing here", "write name or name(parameter=value,…)")
        self.at = found.end()
        return found.start(), found[0]
