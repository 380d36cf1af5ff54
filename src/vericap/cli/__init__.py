"""The command line, one file per verb. A verb is imported when it is asked for, and what it needs when it runs."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, NoReturn

import typer

from vericap.cli.streams import steady_streams
from vericap.errors import FormerWord, MetricError, VericapError

VERBS = (
    *("score", "compare", "explain", "detect", "graph", "judge", "metrics", "serve", "demo", "figure", "resources"),
    "train",
)


def command_line(verbs: Iterable[str] = VERBS) -> typer.Typer:
    """The program with some of its verbs: making the options of all takes longer than most of what a user asks for."""
    program = typer.Typer(
        name="vericap",
        help="How good is an image caption, and how far can the number be trusted.",
        epilog="Exit codes: 0 done, 1 a check failed, 2 the input is wrong (one line on stderr says where).",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    program.callback(invoke_without_command=True)(_version)
    for verb in verbs:
        module = import_module(f"vericap.cli.{verb}")
        if hasattr(module, "app"):  # a verb with verbs of its own
            program.add_typer(module.app, name=verb)
        else:
            from vericap.options.command_line import add_verb  # not for --version alone

            context = {"allow_extra_args": True} if verb == "score" else {}
            add_verb(program, verb, getattr(module, verb), **context)
    return program


def _version(
    version: bool = typer.Option(False, "--version", help="Print the version and how the kernels run."),
) -> None:
    if version:
        from vericap.kernels import compiled
        from vericap.version import __version__

        typer.echo(f"vericap {__version__} ({'compiled' if compiled() else 'pure Python'} kernels)")
        raise typer.Exit


def __getattr__(name: str) -> typer.Typer:
    """`app`, the program with all its verbs."""
    if name == "app":
        return command_line()
    raise AttributeError(f"module 'vericap.cli' has no attribute {name!r}")


def asked_for(words: Sequence[str]) -> Sequence[str]:
    """The verbs to import for a command line: the one that it begins with, none for --version, else all.

    >>> asked_for(["score", "results.json"]), asked_for(["--version"]), asked_for(["--help"]) == VERBS
    (['score'], [], True)
    """
    first = words[0] if words else ""
    return [first] if first in VERBS else [] if first == "--version" else VERBS


def main() -> None:
    """Exit codes: 0 done, 1 a check failed, 2 the input is wrong (one line on stderr), 130 interrupted."""
    # A short-lived process with millions of live objects and hardly a cycle: looking for cycles costs a tenth of it.
    gc.disable()
    # The threads of OpenBLAS, which start with NumPy, spin for 2^26 cycles before they sleep: .05 s of processor time
    # in every run, which 2^20 save. How many threads there are stays as it is.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "20")
    warnings.showwarning = _show_warning
    warnings.simplefilter("always", FormerWord)
    try:
        with steady_streams():
            _run()
    finally:
        # Python looks for cycles once more when it ends, although the memory is not used again: .07 s of a run over
        # 40,000 captions. What is frozen it passes over.
        gc.freeze()


def _run() -> None:
    try:
        command_line(asked_for(sys.argv[1:]))(prog_name="vericap")
    except VericapError as error:
        _end(error, 1 if isinstance(error, MetricError) else 2)
    except MemoryError:
        _end("the memory is full; score fewer captions at once, or with fewer --workers", 2)
    except RecursionError:
        _end("the input is nested too deeply; check the files that were given", 2)
    except KeyboardInterrupt:
        _end("interrupted", 130)
    except OSError as error:
        if error.filename is None:  # of stdout or stderr, which `steady_streams` knows about
            raise
        _end(f"{os.fsdecode(error.filename)}: {error.strerror or error}; check the path", 2)


def _end(message: object, code: int) -> NoReturn:
    """One line on stderr, and the end."""
    typer.echo(f"vericap: {_one_line(message)}", err=True)
    sys.exit(code)


_show_any_warning = warnings.showwarning


def _show_warning(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
    """A plug-in that is left out and a former word are one line for a user; other warnings name the line of code, for a
    developer."""
    from vericap.plugins import PluginWarning

    if issubclass(category, (FormerWord, PluginWarning)):
        typer.echo(f"vericap: warning: {_one_line(message)}", err=True)
    else:
        _show_any_warning(message, category, *where, **more)


def _one_line(message: object) -> str:
    """A message may quote a caption: what it holds cannot act on the terminal."""
    from vericap.show.screen import visible

    return visible(" ".join(str(message).splitlines()))
