"""The screen that text is drawn for: its width, the width of a text on it, and text that cannot act on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# What tables hold besides ASCII, one column each: asking rich takes 2 ms, for its import.
_NARROW = dict.fromkeys(map(ord, "↑↓±"), " ")
# Control characters (C0, delete, C1), separators of lines, and characters that change the direction of text. Joiners
# and marks of direction stay: emoji and Arabic need them.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# The number of columns; None if the text does not go to a screen and lines may be of any length.
WIDTH: ContextVar[int | None] = ContextVar("width of the screen", default=None)


@contextmanager
def on_screen(width: int | None) -> Iterator[None]:
    """Draw plain and rich tables for a screen of this width.

    >>> with on_screen(80):
    ...     WIDTH.get()
    80
    """
    token = WIDTH.set(width)
    try:
        yield
    finally:
        WIDTH.reset(token)


def screen_width(text: str) -> int:
    """Return the number of columns a text takes: two for a Chinese character, none for a separate accent.

    >>> screen_width("a dog"), screen_width("狗")
    (5, 2)
    """
    if text.translate(_NARROW).isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def visible(text: str) -> str:
    """Return the text on one line, with control characters spelled out, so that a caption cannot act on a terminal.

    >>> print(visible("a \\x1b[31mred\\x1b[0m dog\\nruns"))
    a \\x1b[31mred\\x1b[0m dog\\nruns
    """
    if text.isprintable():
        return text
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape", "backslashreplace").decode(), text)
