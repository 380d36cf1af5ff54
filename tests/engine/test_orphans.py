"""A run that is ended from outside leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

import orjson
import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")

# Seconds, with much room: how fast a busy machine is does not matter here.
STARTED, SOON = 300, 20
SIGNALS = pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP], ids=lambda s: s.name)
# What a system without Linux's signal at the parent's end does.
WATCHING = """
import time
from vericap.engine import local

local._parent_death_signal = lambda: None
local.in_processes(lambda _: time.sleep(600), range(3), 3)
"""


def running(process: int) -> bool:
    """Is it there, and more than an entry that nobody has collected?"""
    try:
        return Path(f"/proc/{process}/stat").read_text("latin-1").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def children_of(process: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text("latin-1").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == process:
                found.append(int(entry.name))
    return found


def wait_for(what: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.05)
    return what()


@pytest.fixture
def run() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        # Whoever started pytest may ignore SIGHUP, as nohup does, and a child inherits that.
        command = [sys.executable, *arguments]
        default = partial(signal.signal, signal.SIGHUP, signal.SIG_DFL)
        started.append(
            subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=default)
        )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def end_and_see(process: subprocess.Popen[bytes], ending: signal.Signals, workers: int) -> None:
    assert wait_for(lambda: len(children_of(process.pid)) >= workers or process.poll() is not None, STARTED)
    children = children_of(process.pid)
    assert len(children) == workers and all(map(running, children))
    process.send_signal(ending)
    assert process.wait(SOON) == -ending
    try:
        assert wait_for(lambda: not any(map(running, children)), SOON)
    finally:
        for child in filter(running, children):
            os.kill(child, signal.SIGKILL)


@SIGNALS
def test_the_processes_of_a_run_end_with_it(
    tmp_path: Path, run: Callable[..., subprocess.Popen[bytes]], ending: signal.Signals
) -> None:
    # More different captions than two processes parse within SOON, and fewer than are tokenised in two processes.
    words = "man woman dog cat horse child bird player girl boy cow sheep zebra bear giraffe train".split()
    captions = [
        f"a {colour} {subject} standing next to a {thing} and two {other}s while a young woman in a blue coat holds an "
        f"umbrella near the old {thing} at the end of a long and busy street in the city"
        for colour in ("red", "small", "large", "brown", "white")
        for subject, thing, other in product(words, words, words)
    ]
    results, references = tmp_path / "results.json", tmp_path / "references.json"
    rows = [{"image_id": row, "caption": caption} for row, caption in enumerate(captions)]
    results.write_bytes(orjson.dumps(rows))
    references.write_bytes(orjson.dumps({str(row): ["a dog runs"] for row in range(len(captions))}))
    command = ["score", str(results), "-r", str(references), "-m", "spice", "--workers", "2"]
    end_and_see(run("-m", "vericap", *command), ending, workers=1)


@SIGNALS
def test_children_watch_their_parent_where_no_signal_tells_them(
    run: Callable[..., subprocess.Popen[bytes]], ending: signal.Signals
) -> None:
    end_and_see(run("-c", WATCHING), ending, workers=2)
