"""The program as a person starts it, and the captions that ship."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

DEMO = Path(str(files("vericap") / "data" / "demo"))
STRONG, WEAK, REFERENCES = (DEMO / f"{name}.json" for name in ("strong", "weak", "references"))


# A process that has imported what most commands need, and forks one for each of them.
_server = get_context("forkserver")
_server.set_forkserver_preload(
    "csv glob gzip hashlib numpy.random orjson pyarrow.parquet rich.console rich.table typer "
    "vericap.cli.compare vericap.cli.explain vericap.cli.judge vericap.cli.metrics vericap.cli.score "
    "vericap.cli.output vericap.data vericap.judging.judging vericap.metrics.bleu vericap.metrics.cider_d "
    "vericap.metrics.meteor vericap.metrics.rouge_l vericap.metrics.spice vericap.metrics.ter "
    "vericap.readers.captions.sources vericap.run.compare vericap.run.evaluate vericap.run.explain "
    "vericap.show.score_table vericap.show.scores vericap.show.verdict vericap.streaming.run vericap.text.ptb".split()
)


def vericap(
    *words: object, stdin: str | None = None, path: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `vericap` with these words and these variables of the environment, or with a folder of packages."""
    if stdin is None and not environment:
        return forked(_vericap, *map(str, words), path=path)
    return subprocess.run(
        [sys.executable, "-m", "vericap", *map(str, words)],
        capture_output=True,
        text=True,
        input=stdin,
        timeout=120,
        encoding=environment.get("PYTHONIOENCODING", "utf-8"),
        env={**os.environ, **environment},
    )


def python(program: str) -> subprocess.CompletedProcess[str]:
    """Run a Python program."""
    return forked(_python, program)


def forked(run: Callable[..., None], *words: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run a function in a process of its own, in the current folder."""
    with TemporaryDirectory() as folder:
        printed = [Path(folder) / name for name in ("out", "err")]
        process = _server.Process(target=_main, args=(run, words, path, dict(os.environ), printed))
        process.start()
        process.join(120)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(words, 120)
        return subprocess.CompletedProcess(words, process.exitcode, *(file.read_text("utf-8") for file in printed))


def _main(
    run: Callable[..., None], words: tuple[str, ...], path: str, environment: dict[str, str], printed: list[Path]
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    if path:
        sys.path.insert(0, path)
    for number, file in enumerate(printed, 1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, errors="backslashreplace", buffering=1)  # noqa: SIM115
    run(*words)


def _vericap(*words: str) -> None:
    from vericap.cli import main

    sys.argv = ["vericap", *words]
    main()


def _python(program: str) -> None:
    exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})


def on_terminal(*words: object, columns: int = 80, **environment: str) -> str:
    """What `vericap` prints to a terminal of this many columns."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "vericap", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": str(columns), **environment},
    ) as process:
        os.close(theirs)
        found = b""
        try:
            while block := os.read(ours, 65536):
                found += block
        except OSError:  # Linux's way to say that the other side is closed
            pass
        os.close(ours)
        assert process.stderr is not None
        errors = process.stderr.read().decode()
    assert process.returncode == 0, errors
    return found.decode(environment.get("PYTHONIOENCODING", "utf-8")).replace("\r\n", "\n")
