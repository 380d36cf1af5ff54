"""What a result can be drawn as. Each medium is one function; the file of a result registers how its type is drawn.

A new result is a file that registers itself here, named in `vericap.show`; a new kind of file is one entry of `FILES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import singledispatch
from importlib import import_module
from typing import Any

import orjson

from vericap.options.page import PageOptions


@singledispatch
def as_table(result: Any, format: str = "plain", scale: float = 1.0) -> str:
    """The main table of a result, its numbers × `scale`: rich, plain, markdown, latex, csv or html."""
    raise _cannot(result, "a table")


@singledispatch
def as_text(result: Any, format: str = "plain", scale: float = 1.0) -> str:
    """What a verb prints: the table, and what else belongs to the answer."""
    return as_table(result, format, scale)


@singledispatch
def remarks(result: Any, scale: float = 1.0, signatures: bool = False) -> list[str]:
    """What a reader must know beside the answer, such as notes: one line each. The signatures are one line, or one
    line each where they are asked for."""
    return [*scale_lines(scale), *note_lines(result.notes)]


@singledispatch
def as_page(result: Any, scale: float = 1.0, options: PageOptions | None = None) -> str:
    """A self-contained HTML page."""
    if _pages_are_new():
        return as_page(result, scale, options)
    raise _cannot(result, "a page")


@singledispatch
def as_fragment(result: Any) -> str:
    """A piece of HTML without scripts, for notebooks and for readers without scripts."""
    return as_fragment(result) if _pages_are_new() else as_table(result, "html")


@singledispatch
def as_json(result: Any) -> Iterator[bytes]:
    """All of a result, in pieces that can be written one after the other."""
    yield orjson.dumps(result.to_dict(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


@singledispatch
def as_csv(result: Any) -> str:
    """The rows of a result, for programs."""
    raise _cannot(result, "CSV")


@singledispatch
def as_picture(result: Any, format: str = "svg") -> bytes:
    """A picture, svg or png."""
    raise _cannot(result, "a picture")


def _pages_are_new() -> bool:
    """Imports how pages are drawn, when the first one is asked for: most results are never shown as a page."""
    before = len(as_page.registry)
    for name in ("scores", "comparison", "explanation", "verdict"):
        import_module(f"vericap.show.{name}_html")
    return len(as_page.registry) > before


FILES: dict[str, Callable[[Any, float, PageOptions | None], Iterable[bytes]]] = {
    "json": lambda result, scale, page: as_json(result),
    "csv": lambda result, scale, page: [as_csv(result).encode()],
    "html": lambda result, scale, page: [as_page(result, scale, page).encode()],
    "png": lambda result, scale, page: [as_picture(result, "png")],
    "svg": lambda result, scale, page: [as_picture(result, "svg")],
}


def as_file(result: Any, kind: str, scale: float = 1.0, page: PageOptions | None = None) -> Iterable[bytes]:
    """The content of a file of a kind that `FILES` names."""
    return FILES[kind](result, scale, page)


def scale_lines(scale: float) -> list[str]:
    """The remark on scores that are not on their own scale."""
    return [f"(scores × {scale:g})"] if scale != 1 else []


def note_lines(notes: Iterable[str]) -> list[str]:
    """Notes as verbs print them."""
    return [f"note: {note}" for note in notes]


def _cannot(result: Any, medium: str) -> TypeError:
    return TypeError(f"{type(result).__name__} cannot be drawn as {medium}")
