"""One stream at a time writes to an output: the system holds the lock, and lets go of it when the process ends, however
that happens."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from vericap.errors import InputError

PATIENCE = 2.0  # seconds: the workers of a process that was killed end a moment after it
_STEP = 0.05
# Some file systems of clusters have no locks; there a stream runs without one, as it would without this file.
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


@contextmanager
def locked(path: Path, output: Path) -> Iterator[None]:
    """Holds the lock of a file that is there as long as the lock is; an error where another stream holds it.

    A file that a killed process left behind is not locked.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = _take(path)
    except OSError as error:
        raise InputError(
            f"the file cannot be written ({error.strerror})", source=str(path), fix="choose another place"
        ) from None
    if file is None:
        raise InputError(
            "another stream is writing there",
            source=str(output),
            field="output",
            fix="wait until it has ended, or choose another place",
        )
    try:
        yield
    finally:
        with suppress(OSError):  # Windows deletes no file that is open
            path.unlink()
        os.close(file)


def _take(path: Path) -> int | None:
    """The file, open and locked; None if another process has it and keeps it."""
    end = time.monotonic() + PATIENCE
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if _try(file):
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file), path.stat()):
                    return file
            os.close(file)  # its last owner deleted it meanwhile: there is another one, or none
            continue
        os.close(file)
        if time.monotonic() >= end:
            return None
        time.sleep(_STEP)


def _try(file: int) -> bool:
    """Lock a file unless another process has."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
    return True
