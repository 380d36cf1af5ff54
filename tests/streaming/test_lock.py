"""Two streams do not write to one output, and a process that was killed keeps nobody out."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.streaming import lock

HOLDER = """
import sys, time
from pathlib import Path
from vericap.streaming.lock import locked
with locked(Path(sys.argv[1]), Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.0)


def test_a_second_one_is_refused_and_the_file_is_gone_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl.lock"
    with (
        lock.locked(path, tmp_path / "scores.jsonl"),
        pytest.raises(InputError, match=r"scores.jsonl, field .output.: another stream is writing there"),
        lock.locked(path, tmp_path / "scores.jsonl"),
    ):
        pass
    assert list(tmp_path.iterdir()) == []
    with lock.locked(path, path):
        assert path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_process_holds_it_until_it_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "scores.lock"
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        with pytest.raises(InputError, match="another stream"), lock.locked(path, path):
            pass
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    assert path.exists()  # nobody had the time to delete it, and it does not matter
    with lock.locked(path, path):
        pass
    assert not path.exists()


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(InputError, match="the file cannot be written"),
        lock.locked(tmp_path / "file" / "a.lock", tmp_path),
    ):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="needs flock")
def test_a_file_system_without_locks_can_still_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def no_locks(file: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with lock.locked(tmp_path / "a.lock", tmp_path / "a.jsonl"):
        assert (tmp_path / "a.lock").exists()
