"""The screen that text is drawn for: how wide it is, and how wide a text is on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# What tables hold beside ASCII, one column each: to ask rich takes 2 ms, for its import.
_NARROW = dict.fromkeys(map(ord, "↑↓±"), " ")
_WIDTH: ContextVar[int | None] = ContextVar("width of the screen", default=None)


def width_of_screen() -> int | None:
    """The number of columns; None where the text does not go to a screen, and lines may be of any length."""
    return _WIDTH.get()


@contextmanager
def on_screen(width: int | None) -> Iterator[None]:
    """Draws plain and rich tables for a screen of this width.

    >>> with on_screen(80):
    ...     width_of_screen()
    80
    """
    token = _WIDTH.set(width)
    try:
        yield
    finally:
        _WIDTH.reset(token)


def screen_width(text: str) -> int:
    """How many columns a text takes: a Chinese character takes two, an accent of its own none.

    >>> screen_width("a dog"), screen_width("狗")
    (5, 2)
    """
    if text.translate(_NARROW).isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
