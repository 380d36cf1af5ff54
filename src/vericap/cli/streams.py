"""Standard streams that may be closed, full, or in an encoding with few characters, without a traceback."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, NoReturn

_ERRORS = "vericap.nearest"
# Replacements for the signs of our tables in encodings that do not have them.
_NEAREST = str.maketrans(
    {"↑": "^", "↓": "v", "−": "-", "–": "-", "—": "-", "…": "...", "±": "+-", "×": "x", "≤": "<=", "’": "'", "▸": ">"}
    | dict(zip("ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ˒", "abcdefghijklmnoprstuvwxyz,", strict=True))
    | dict(zip("├└│─→", ["|", "`", "|", "-", "->"], strict=True))
)


@contextmanager
def steady_streams() -> Iterator[None]:
    """Prints within it: a reader that has seen enough (`head`, `less`) ends the process with code 0, a full disk with
    code 2 and one line, and a stream that is closed swallows what is printed."""
    # What is closed is opened, so that no file gets its number, and every stream takes every character.
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _nowhere("r" if name == "stdin" else "w"))
        elif name != "stdin" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_ERRORS)
    try:
        yield
        _flush()
    except SystemExit as end:
        # The framework of the command line turns a closed pipe into code 1.
        if isinstance(end.__context__, BrokenPipeError):
            _leave(0)
        try:
            _flush()
        except BrokenPipeError:
            _leave(0)
        except OSError as error:
            _leave(_say(error))
        raise
    except BrokenPipeError:
        _leave(0)
    except OSError as error:
        if error.filename is not None:
            raise
        _leave(_say(error))


def nearest(error: UnicodeError) -> tuple[str | bytes, int]:
    """The error handler of streams: signs that resemble what an encoding does not have, or its number.

    >>> "5 ± 1 ↑ 狗".encode("ascii", "vericap.nearest")
    b'5 +- 1 ^ \\\\u72d7'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end].translate(_NEAREST)
    return unknown.encode("ascii", "backslashreplace").decode(), error.end


codecs.register_error(_ERRORS, nearest)


def is_unicode(stream: Any) -> bool:
    """Can a stream hold every character?"""
    return str(getattr(stream, "encoding", None) or "").lower().replace("-", "").startswith("utf")


def is_screen(stream: Any) -> bool:
    """Is a stream a terminal? A stream that is closed is not."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def _nowhere(mode: str) -> IO[str]:
    """The device that is empty and takes everything. The lowest free number is that of the closed stream."""
    return os.fdopen(os.open(os.devnull, os.O_RDONLY if mode == "r" else os.O_WRONLY), mode, encoding="utf-8")


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(ValueError):  # closed
            stream.flush()


def _say(error: OSError) -> int:
    """One line on stderr; the code to end with."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"vericap: the output cannot be written ({error.strerror}); print it elsewhere\n")
    return 2


def _leave(code: int) -> NoReturn:
    """Ends the process without another word: what is still in the buffers goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    raise SystemExit(code)
