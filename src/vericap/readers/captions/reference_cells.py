"""References in the cells of a table: one cell for each, or a list written into one cell."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence
from typing import Any

import orjson


def merged(cells: Sequence[Any]) -> list[Any]:
    """The references of a row from all cells that hold some; empty cells hold none.

    >>> merged(["a dog", "", None]), merged([["a dog", "one dog"]])
    (['a dog'], ['a dog', 'one dog'])
    """
    found: list[Any] = []
    for cell in cells:
        if isinstance(cell, (list, tuple)) or (hasattr(cell, "tolist") and getattr(cell, "ndim", 0) == 1):
            found += list(cell)
        elif not _is_empty(cell):
            found.append(cell)
    return found


def _is_empty(cell: Any) -> bool:
    return cell is None or cell == "" or (isinstance(cell, float) and cell != cell)


def listed_cells(column: list[str]) -> list[Any]:
    """A column of a text file whose cells are all written as lists, of JSON or of Python, as these lists.

    >>> listed_cells(['["a dog", "one dog"]', "['a cat']"]), listed_cells(["[UNK] dog", "a cat"])
    ([['a dog', 'one dog'], ['a cat']], ['[UNK] dog', 'a cat'])
    """
    if not all(cell[:2] in ('["', "['") and cell[-2:] in ('"]', "']") for cell in column):
        return column
    try:
        return [_list_of(cell) for cell in column]
    except ValueError:
        return column


def _list_of(cell: str) -> list[Any]:
    try:
        found = orjson.loads(cell)
    except orjson.JSONDecodeError:
        found = _python_list(cell)
    if not isinstance(found, list):
        raise ValueError("not a list")
    return found


def _python_list(cell: str) -> Any:
    """Return whether a text is what `str` writes for a list. NumPy leaves the commas out: its strings would be read as
    one."""
    try:
        found = ast.literal_eval(cell)
        strings = sum(token.type == tokenize.STRING for token in tokenize.generate_tokens(io.StringIO(cell).readline))
    except (SyntaxError, MemoryError, RecursionError, tokenize.TokenError):
        raise ValueError("not a list of Python") from None
    if isinstance(found, list) and strings != len(found):
        raise ValueError("strings without commas between them")
    return found
