"""What verbs print and write, and a progress bar for people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from vericap.cli.options import Output
from vericap.errors import InputError


def deliver(result: Any, output: Output) -> None:
    """Writes the files that were asked for and prints the result."""
    write_files(result, output.files(), output.scale)
    print_result(result, output.format, output.scale)


def write_files(result: Any, files: Iterable[tuple[str, Path]], scale: float = 1.0) -> None:
    """Writes files by their kind. All are drawn before any is written: where something cannot be drawn, no file is."""
    from vericap.show import as_file

    drawn = [(path, as_file(result, kind, scale)) for kind, path in files]
    for path, pieces in drawn:
        write(path, pieces)


def print_result(result: Any, format: str | None = None, scale: float = 1.0) -> None:
    """The result on stdout, for people where that is a terminal; what else there is to know on stderr."""
    from vericap.show import as_text, remarks

    typer.echo(as_text(result, table_format(format), scale))
    for line in remarks(result, scale):
        typer.echo(line, err=True)


def table_format(format: str | None) -> str:
    """The format asked for; without one, rich for a terminal and plain for a file."""
    return format or ("rich" if sys.stdout.isatty() else "plain")


def write(path: Path, pieces: Iterable[bytes]) -> None:
    """Writes a file, or stdout for `-`."""
    if str(path) == "-":
        sys.stdout.buffer.writelines(pieces)
        return
    try:
        with path.open("wb") as file:
            file.writelines(pieces)
    except OSError as error:
        raise InputError(
            f"the file cannot be written ({error.strerror})", source=str(path), fix="choose another place"
        ) from None


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None] | None]:
    """A function that shows progress on stderr, or None where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, steps: bar.update(task, description=what, completed=done, total=steps)
