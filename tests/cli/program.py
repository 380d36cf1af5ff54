"""The program as a person starts it, and the captions that ship."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

DEMO = Path(str(files("vericap") / "data" / "demo"))
STRONG, WEAK, REFERENCES = (DEMO / f"{name}.json" for name in ("strong", "weak", "references"))


def vericap(*words: object, stdin: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs `vericap` with these words, and these variables of the environment."""
    return subprocess.run(
        [sys.executable, "-m", "vericap", *map(str, words)],
        capture_output=True,
        text=True,
        input=stdin,
        timeout=120,
        encoding=environment.get("PYTHONIOENCODING", "utf-8"),
        env={**os.environ, **environment},
    )


def on_terminal(*words: object, columns: int = 80, **environment: str) -> str:
    """What `vericap` prints to a terminal of so many columns."""
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
