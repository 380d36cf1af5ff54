"""What verbs write: files, and a progress bar for people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from vericap.errors import InputError


def write(path: Path, pieces: Iterable[bytes]) -> None:
    """Writes a file, or stdout for `-`."""
    if str(path) == "-":
        sys.stdout.buffer.writelines(pieces)
        return
    try:
        with path.open("wb") as file:
            file.writelines(pieces)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(path), fix="choose another place") from None


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None] | None]:
    """A function that shows progress on stderr, or None where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, steps: bar.update(task, description=what, completed=done, total=steps)
