"""The command line, one file per verb. What a verb needs is imported when it runs, so that help is instant."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from typing import Any, NoReturn

import typer

from vericap.cli import compare, demo, explain, figure, graph, judge, metrics, resources, score, serve, train
from vericap.cli.renamed import with_former_names
from vericap.cli.streams import steady_streams
from vericap.errors import MetricError, VericapError

app = typer.Typer(
    name="vericap",
    help="How good is an image caption, and how far can the number be trusted.",
    epilog="Exit codes: 0 done, 1 a check failed, 2 the input is wrong (one line on stderr says where).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("score", context_settings={"allow_extra_args": True})(score.score)
app.command("compare")(compare.compare)
app.command("explain")(explain.explain)
app.command("graph")(graph.graph)
app.command("judge", cls=with_former_names(judge.FORMER_NAMES))(judge.judge)
app.command("metrics")(metrics.metrics)
app.command("serve")(serve.serve)
app.command("demo")(demo.demo)
app.add_typer(figure.app, name="figure")
app.add_typer(resources.app, name="resources")
app.add_typer(train.app, name="train")


@app.callback(invoke_without_command=True)
def _version(
    version: bool = typer.Option(False, "--version", help="Print the version and how the kernels run."),
) -> None:
    if version:
        from vericap.kernels import compiled
        from vericap.version import __version__

        typer.echo(f"vericap {__version__} ({'compiled' if compiled() else 'pure Python'} kernels)")
        raise typer.Exit


def main() -> None:
    """Exit codes: 0 done, 1 a check failed, 2 the input is wrong (one line on stderr), 130 interrupted."""
    # A short-lived process with millions of live objects and hardly a cycle: looking for cycles costs a tenth of it.
    gc.disable()
    warnings.showwarning = _show_warning
    with steady_streams():
        _run()


def _run() -> None:
    try:
        app(prog_name="vericap")
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
    """A plug-in that is left out is one line for a user; other warnings name the line of code, for a developer."""
    from vericap.plugins import PluginWarning

    if issubclass(category, PluginWarning):
        typer.echo(f"vericap: warning: {_one_line(message)}", err=True)
    else:
        _show_any_warning(message, category, *where, **more)


def _one_line(message: object) -> str:
    """A message may quote a caption: what it holds cannot act on the terminal."""
    from vericap.show.visible import visible

    return visible(" ".join(str(message).splitlines()))
