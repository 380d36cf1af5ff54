"""The errors a user can cause. Each message says where (file, row, field) and what to do about it."""

from typing import TypeVar

Given = TypeVar("Given")


class VericapError(Exception):
    """Base of every error that Vericap raises on purpose."""


class MetricError(VericapError):
    """A metric broke its own contract, by the shape or the values of what it returned; the message names the metric."""


class InputError(VericapError, ValueError):
    """The input is wrong: the message names the file, the row, the field and the fix.

    >>> str(InputError("the caption is a number", source="results.json", row=3, field="caption",
    ...                fix="write it as a string"))
    'results.json, row 3, field "caption": the caption is a number; write it as a string'
    """

    def __init__(
        self,
        problem: str,
        *,
        source: str | None = None,
        row: int | str | None = None,
        field: str | None = None,
        fix: str | None = None,
    ) -> None:
        where = [source] if source else []
        if row is not None:
            where.append(f"row {row}")
        if field is not None:
            where.append(f'field "{field}"')
        self.problem, self.source, self.row, self.field, self.fix = problem, source, row, field, fix
        message = f"{', '.join(where)}: {problem}" if where else problem
        super().__init__(f"{message}; {fix}" if fix else message)


def not_a_set(given: Given, field: str, fix: str = "give a list") -> Given:
    """Return what was given, unless it is a set: rows, columns and numbers would differ from run to run.

    >>> not_a_set(["a dog", "a cat"], "candidates")
    ['a dog', 'a cat']
    """
    if isinstance(given, (set, frozenset)):
        raise InputError("this is a set, whose order differs from run to run", field=field, fix=fix)
    return given


class FormerWord(DeprecationWarning):
    """An option, or a value of one, is called otherwise now; the message says how, and when the former word goes."""
