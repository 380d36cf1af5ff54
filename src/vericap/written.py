"""Files are written whole: next to their place under their own name, and put there when they are on the disk.

Whoever reads the place meanwhile finds the old file or the new one; a full disk, a signal or a second process that
writes the same file leaves one of them, never a part.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from vericap.errors import InputError


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to, which takes its place at the end.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder, "scores.csv")) as file:
    ...         _ = file.write(b"bleu-4")
    ...     Path(folder, "scores.csv").read_bytes(), len(list(Path(folder).iterdir()))
    (b'bleu-4', 1)
    """
    with whole_path(path) as partial:
        try:
            with partial.open("wb") as file:
                yield file
                file.flush()
        except OSError as error:
            raise _unwritable(path, error) from None


@contextmanager
def whole_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A path to write to, for libraries that open files by themselves; what is there at the end takes its place."""
    target = _target(path)
    if target is None:
        yield Path(path)
        return
    partial = target.with_name(f".{target.name[:100]}.{os.urandom(8).hex()}.partial")
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        with suppress(OSError):
            partial.chmod(stat.S_IMODE(target.stat().st_mode))  # a file that is replaced keeps its permissions
        mode = stat.S_IMODE(partial.stat().st_mode)
        yield partial
        partial.chmod(mode)  # a library may have made it again, for its owner alone
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(target)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def check_writable(path: str | os.PathLike[str], field: str | None = None) -> None:
    """Raises an error where a file cannot be written, before the work whose result it is for. `-` is stdout.

    >>> check_writable("no/such/folder/scores.json")
    Traceback (most recent call last):
    vericap.errors.InputError: no/such/folder/scores.json: there is no folder no/such/folder; make it, or choose ...
    """
    target = _target(path)
    if os.fspath(path) == "-" or target is None:
        return
    if target.is_dir():
        problem, fix = "this is a folder", "name a file in it"
    elif not target.parent.is_dir():
        problem, fix = f"there is no folder {target.parent}", "make it, or choose another place"
    elif not os.access(target.parent, os.W_OK):
        problem, fix = f"the folder {target.parent} cannot be written to", "choose another place"
    else:
        return
    raise InputError(problem, source=os.fspath(path), field=field, fix=fix)


def _target(path: str | os.PathLike[str]) -> Path | None:
    """Return the file that a path names; where it is a link, the file that it leads to is replaced, not the link. None
    for a device or a pipe, such as /dev/stdout: there is nothing to put in its place."""
    given = Path(path)
    try:
        target = given.resolve() if given.is_symlink() else given
    except (OSError, RuntimeError, ValueError) as error:
        raise _unwritable(path, error) from None
    with suppress(OSError, ValueError):
        mode = target.stat().st_mode
        return target if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else None
    return target


def _unwritable(path: str | os.PathLike[str], error: Exception) -> InputError:
    problem = f"the file cannot be written ({getattr(error, 'strerror', None) or error})"
    return InputError(problem, source=os.fspath(path), fix="choose another place")
