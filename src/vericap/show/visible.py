"""Text that comes from files, made harmless for a medium: control characters, spreadsheets."""

from __future__ import annotations

import re

# Control characters (C0, delete, C1), separators of lines, and signs that turn the direction of what follows. Joiners
# and marks of direction stay: emoji and Arabic need them.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_FORMULA = re.compile(r"[=+\-@\t\r]")


def visible(text: str) -> str:
    """The text on one line, with control characters spelled out, so that a caption cannot act on a terminal.

    >>> print(visible("a \\x1b[31mred\\x1b[0m dog\\nruns"))
    a \\x1b[31mred\\x1b[0m dog\\nruns
    """
    return text if text.isprintable() else _CONTROL.sub(lambda found: _spelled(found[0]), text)


def _spelled(character: str) -> str:
    return character.encode("unicode_escape", "backslashreplace").decode()


def spreadsheet_text(text: str) -> str:
    """A cell of text that a spreadsheet does not take for a formula: an apostrophe goes before it. Numbers stay.

    >>> spreadsheet_text('=HYPERLINK("x")'), spreadsheet_text("a dog"), spreadsheet_text("-0.5")
    ('\\'=HYPERLINK("x")', 'a dog', '-0.5')
    """
    return f"'{text}" if _FORMULA.match(text) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
