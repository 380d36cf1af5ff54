"""Conditions on the rows of a table, as people write them: `vifidel > .4 and not (domain == "sports")`.

Nothing is evaluated as code: an expression is comparisons of columns, numbers and texts, joined by and, or, not and
brackets. What is wrong is an error that points at the character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np

from vericap.arrays import Booleans
from vericap.options.keys import Cursor, wrong

Columns: TypeAlias = Mapping[str, Sequence[Any]]
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])")
_NAME = re.compile(r"[^\W\d][\w.-]*")
_TEXT = re.compile(r"""'([^']*)'|"([^"]*)\"""")
_QUOTED_NAME = re.compile(r"`([^`]+)`")
_SIGN = re.compile(r"<=|>=|==|!=|<|>|=")
_WORDS = ("and", "or", "not")
_DEEPEST = 50
_EXACT = 1 << 53  # up to here float64 has every whole number
_DIGITS_OF_FLOATS = 16
_WHOLE = re.compile(r"[+-]?\d{16,300}")
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "=": np.equal,
    "==": np.equal,
    "!=": np.not_equal,
}


def passing(expression: str, columns: Columns, find: Callable[[str], str] = str) -> Booleans:
    """Return which rows pass, array [rows]. `find` returns the column that a name means, if none is spelled like it.

    A value that is missing passes no comparison.

    >>> rows = {"spice": [0.1, 0.3, float("nan")], "domain": ["sports", "food", "food"]}
    >>> passing('spice > .2 or domain == "sports"', rows).tolist()
    [True, True, False]
    >>> passing("spice > .2 or", rows)
    Traceback (most recent call last):
    vericap.errors.InputError: spice > .2 or▸, character 14: a column, a number or a text is missing here
    """
    return _Reader(expression, columns, find).read()


def check_condition(expression: str) -> None:
    """Raise the error of an expression that is wrong whatever columns there are.

    >>> check_condition("anything > 1 and")
    Traceback (most recent call last):
    vericap.errors.InputError: anything > 1 and▸, character 17: a column, a number or a text is missing here
    """
    passing(expression, _AnyColumn())


class _AnyColumn(dict[str, Sequence[Any]]):
    """Columns without rows under every name."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> Sequence[Any]:
        return ()


@dataclass(frozen=True)
class _Operand:
    """A column, a number or a text, and where it begins; `values` are one per row, or one alone."""

    at: int
    kind: Literal["column", "number", "text"]
    values: Sequence[Any]
    name: str = ""


class _Reader(Cursor):
    """Reads a condition, and evaluates it."""

    def __init__(self, text: str, columns: Columns, find: Callable[[str], str]) -> None:
        super().__init__(text)
        self.columns, self.find, self.depth = columns, find, 0
        self.rows = len(next(iter(columns.values()))) if columns else 0

    def read(self) -> Booleans:
        found = self._any()
        if self._next() is not None:
            raise self._wrong("`and` or `or` is missing here")
        return found

    def _any(self) -> Booleans:
        found = self._all()
        while self._word("or"):
            found = found | self._all()
        return found

    def _all(self) -> Booleans:
        found = self._one()
        while self._word("and"):
            found = found & self._one()
        return found

    def _one(self) -> Booleans:
        self.depth += 1
        self._next()
        if self.depth > _DEEPEST:
            raise self._wrong(f"brackets and `not` are {_DEEPEST} deep here", "write a simpler condition")
        try:
            if self._word("not"):
                return ~self._one()
            if self._next() == "(":
                return self._bracket()
            return self._comparison()
        finally:
            self.depth -= 1

    def _bracket(self) -> Booleans:
        opened = self.at
        self.at += 1
        found = self._any()
        if self._next() is None:
            raise wrong(self.text, opened, "this bracket is never closed", "add )")
        if self._next() != ")":
            raise self._wrong("`and`, `or` or a closing bracket is missing here")
        self.at += 1
        return found

    def _comparison(self) -> Booleans:
        """`a < b`, or a chain `a < b <= c`."""
        operands, signs = [self._operand()], []
        while (sign := self._match(_SIGN)) is not None:
            signs.append(sign)
            operands.append(self._operand())
        if not signs:
            raise self._wrong("a comparison is missing here", "write < <= > >= == or != and a value")
        found = np.ones(self.rows, bool)
        for sign, (left, right) in zip(signs, pairwise(operands), strict=True):
            found &= self._compare(left, sign, right)
        return found

    def _operand(self) -> _Operand:
        if self._next() is None:
            raise self._wrong("a column, a number or a text is missing here")
        at = self.at
        if number := self._match(_NUMBER):
            return _Operand(at, "number", [float(number)], number)
        if text := self._match(_TEXT):
            return _Operand(at, "text", [text[1:-1]])
        if quoted := self._match(_QUOTED_NAME):
            return self._column(quoted[1:-1], at)
        name = self._match(_NAME)
        if name is None or name.lower() in _WORDS:
            raise wrong(self.text, at, "a column, a number or a text is missing here", "write texts in quotes")
        return self._column(name + self._parameters(), at)

    def _parameters(self) -> str:
        """The brackets behind the name of a metric, as in `cider-r(k_r=0.5)`."""
        if self.text[self.at : self.at + 1] != "(":
            return ""
        start, depth, quoted = self.at, 0, False
        while self.at < len(self.text):
            sign = self.text[self.at]
            quoted ^= sign == '"'
            depth += 0 if quoted else (sign == "(") - (sign == ")")
            self.at += 1
            if not depth:
                return self.text[start : self.at]
        raise wrong(self.text, start, "this bracket is never closed", "add )")

    def _column(self, name: str, at: int) -> _Operand:
        spelled = name if name in self.columns else self.find(name)
        if spelled not in self.columns:
            there = ", ".join(self.columns)
            raise wrong(self.text, at, f"no column is called {name!r}", f"there are {there}; -m computes other metrics")
        return _Operand(at, "column", self.columns[spelled], spelled)

    def _compare(self, left: _Operand, sign: str, right: _Operand) -> Booleans:
        as_number = all(_may_be_number(each) for each in (left, right))
        for one, other in ((left, right), (right, left)):
            if not as_number and _is_number(one):
                what = f"the column {other.name} holds texts" if other.kind == "column" else "this is a text"
                problem = f"{what}, and numbers can only be compared with numbers"
                raise wrong(self.text, other.at, problem, "compare like with like")
        if as_number:
            self._check_exact(left, right)
        a, b = (
            _numbers(each) if as_number else np.array(list(map(str, each.values)), object) for each in (left, right)
        )
        there = _present(left) & _present(right)
        if as_number:  # an empty cell of a CSV file is missing too, and not "unequal"
            there = there & ~np.isnan(a) & ~np.isnan(b)
        return np.broadcast_to(there & _COMPARE[sign](a, b).astype(bool), self.rows)

    def _check_exact(self, *operands: _Operand) -> None:
        """Numbers are compared as float64, which has gaps between whole numbers above 2^53."""
        for each in operands:
            values = each.values if each.kind == "column" else [each.name]
            if (rounded := next((value for value in values if _is_rounded(value)), None)) is not None:
                what = f"the column {each.name} holds {rounded}, which" if each.kind == "column" else "this number"
                raise wrong(
                    self.text,
                    each.at,
                    f"{what} cannot be told from the next whole number",
                    "compare numbers up to 2^53, or write ids as texts that are not numbers",
                )

    def _word(self, word: str) -> bool:
        self._next()
        found = _NAME.match(self.text, self.at)
        if found is None or found[0].lower() != word:
            return False
        self.at = found.end()
        return True

    def _match(self, pattern: re.Pattern[str]) -> str | None:
        self._next()
        found = pattern.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found[0]


def _may_be_number(operand: _Operand) -> bool:
    """Return whether it is a number or a column of numbers; those of a CSV file are texts that spell them."""
    given = (value for value in operand.values if value is not None and value != "")
    return operand.kind != "text" and all(_number(value) is not None for value in given)


def _is_number(operand: _Operand) -> bool:
    """Return whether it is a number, or a column with numbers that are not texts."""
    return any(isinstance(value, int | float) for value in operand.values)


def _number(value: Any) -> float | None:
    if isinstance(value, list | tuple | dict | bytes):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _is_rounded(value: Any) -> bool:
    """Return whether it is a whole number, or the text of one, that float64 does not have."""
    if isinstance(value, str):
        if len(value) < _DIGITS_OF_FLOATS or not _WHOLE.fullmatch(value.strip()):
            return False
        value = int(value)
    return isinstance(value, int) and abs(value) > _EXACT and int(float(value)) != value


def _numbers(operand: _Operand) -> Any:
    found = map(_number, operand.values)
    return np.array([np.nan if value is None else value for value in found], np.float64)


def _present(operand: _Operand) -> Booleans:
    return np.array([value is not None and value == value for value in operand.values], bool)
