"""Memory of large arrays goes back to the system when they are freed, not to a heap that keeps it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

SMALL = 1 << 25  # bytes of files
THRESHOLD = 1 << 22  # bytes: smaller arrays are many, and mapping each costs more time than it saves memory
_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD in glibc's malloc.h


def return_freed_memory() -> bool:
    """Makes glibc map every array of four megabytes by itself, for the rest of the process; False where it cannot.

    Otherwise it raises that limit to 32 MB as arrays are freed, and smaller ones leave holes: some fifty megabytes with
    a million captions. It is for programs of our own: a library leaves its host's memory alone.
    """
    if sys.platform != "linux":
        return False
    import ctypes

    with suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, THRESHOLD))
    return False


def are_small(files: Iterable[str | Path]) -> bool:
    """Return whether files are so small, together, that memory does not matter: mapping arrays one by one costs a tenth
    of the time. What is not a file, such as a folder or standard input, may be large.

    >>> are_small([__file__]), are_small([__file__, "-"])
    (True, False)
    """
    paths = [Path(file) for file in files]
    return all(path.is_file() for path in paths) and sum(path.stat().st_size for path in paths) < SMALL
