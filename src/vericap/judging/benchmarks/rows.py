"""What the files of several benchmarks are checked for."""

from __future__ import annotations

from typing import Any

from vericap.errors import InputError


def require_fields(row: Any, fields: tuple[str, ...], source: str, number: int, fix: str | None = None) -> None:
    """Raises an error that names the first field that a row does not have.

    >>> require_fields({"caption": "a dog"}, ("caption", "score"), "mine.json", 3)
    Traceback (most recent call last):
    vericap.errors.InputError: mine.json, row 3, field "score": the row has no such field; rows have caption, score
    """
    missing = next((name for name in fields if not isinstance(row, dict) or name not in row), None)
    if missing is not None:
        fix = fix or f"rows have {', '.join(fields)}"
        raise InputError("the row has no such field", source=source, row=number, field=missing, fix=fix)
