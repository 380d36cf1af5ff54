"""The output of verbs, and a progress bar for people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import typer

from vericap.cli.options import Output
from vericap.cli.streams import is_screen, is_unicode
from vericap.engine.local import in_thread
from vericap.errors import InputError
from vericap.options.inputs import Inputs
from vericap.options.page import PageOptions, is_address
from vericap.written import whole_file


def deliver(result: Any, output: Output, below: Sequence[str] = (), images: str | Path | None = None) -> None:
    """Prints the result, with further text below it for people, and writes the files that were asked for, a page with
    its pictures. What is written to stdout is alone there."""
    files = output.files()
    on_stdout = [f"--{kind}" for kind, path in files if str(path) == "-"]
    if len(on_stdout) > 1:
        raise InputError(f"{' and '.join(on_stdout)} are both stdout", fix="write one of them to a file")
    page = PageOptions(output.explain, output.embed_images, images)
    write = partial(write_files, result, files, output.scale, page)
    # The disk takes its time, in which people can read the table. Pages may fork processes, which no thread should.
    alone = files and not on_stdout and {kind for kind, _ in files} <= {"json", "csv"}
    written = in_thread(write) if alone else write
    print_result(result, output, below, table=not on_stdout)
    written()


def write_files(
    result: Any, files: Iterable[tuple[str, Path]], scale: float = 1.0, page: PageOptions | None = None
) -> None:
    """Writes files by their kind. Where one cannot be drawn or written, the others still are, and the error comes
    last."""
    from vericap.show import as_file

    failed: InputError | None = None
    for kind, path in files:
        try:
            # Links to pictures start from the folder of the page.
            beside = replace(page or PageOptions(), folder=None if str(path) == "-" else path.parent)
            write(path, as_file(result, kind, scale, beside))
        except InputError as error:
            failed = failed or error
    if failed is not None:
        raise failed


def page_pictures(inputs: Inputs, output: Output) -> tuple[Inputs, str | Path | None]:
    """Return the remaining inputs, and the pictures of a page. An address is for the page alone."""
    if inputs.images is None or output.html is None:
        return inputs, None
    return (replace(inputs, images=None) if is_address(inputs.images) else inputs), inputs.images


def print_result(result: Any, output: Output, below: Sequence[str] = (), *, table: bool = True) -> None:
    """The result on stdout, for people where that is a terminal; what else there is to know on stderr."""
    from vericap.show import as_text, remarks
    from vericap.show.screen import on_screen, visible

    if table:
        with on_screen(get_terminal_size().columns) if is_screen(sys.stdout) else nullcontext():
            format = table_format(output.format)
            for_people = below if format in ("rich", "plain", "markdown") else []
            typer.echo("\n\n".join([as_text(result, format, output.scale), *for_people]))
    if not output.quiet:
        for line in remarks(result, output.scale, output.signatures):
            typer.echo(visible(line), err=True)


def say(notes: Iterable[str], quiet: bool) -> None:
    """Notes on stderr, unless it should be quiet."""
    from vericap.show.screen import visible

    for note in () if quiet else notes:
        typer.echo(visible(f"note: {note}"), err=True)


def table_format(format: str | None) -> str:
    """The format asked for; without one, rich for a terminal that has its characters, and plain for a file."""
    return format or ("rich" if is_screen(sys.stdout) and is_unicode(sys.stdout) else "plain")


def write(path: Path, pieces: Iterable[bytes]) -> None:
    """Writes a file, or stdout for `-`."""
    if str(path) == "-":
        sys.stdout.buffer.writelines(pieces)
        return
    with whole_file(path) as file:
        file.writelines(pieces)


@contextmanager
def progress_bar(quiet: bool = False) -> Iterator[Callable[[str, float, int], None] | None]:
    """A function that shows progress on stderr, or None where stderr is not a terminal."""
    if quiet or not is_screen(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.markup import escape  # a file's name may look like markup
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, steps: bar.update(task, description=escape(what), completed=done, total=steps)
