"""Work shared by processes: every item is done once or again, whatever becomes of the process that took it."""

from __future__ import annotations

import gc
import os
import signal
import struct
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Pipe
from pathlib import Path

import pytest

from vericap.engine import local
from vericap.engine.local import WorkerDied, _Worker, in_fork, in_processes, in_thread, in_workers
from vericap.errors import InputError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked")


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 7, 5000])  # more items than turns: a turn then is several items
def test_answers_stand_in_the_order_of_the_items(workers: int, count: int) -> None:
    assert in_processes(str, range(count), workers) == list(map(str, range(count)))


def test_what_a_dead_process_had_taken_is_done_again() -> None:
    parent = os.getpid()

    def work(item: int) -> int:
        if os.getpid() != parent:
            os._exit(9)
        return item + 1

    assert in_processes(work, range(50), 2) == list(range(1, 51))


def test_an_error_in_any_process_is_raised_here() -> None:
    def work(item: int) -> int:
        if item == 3:
            raise ValueError(item)
        return item

    with pytest.raises(ValueError, match="3"):
        in_processes(work, range(20), 2)


def test_without_a_process_to_spare_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    assert in_processes(str, range(5), 2) == list("01234")


def test_a_host_that_ignores_its_children_gets_the_answer() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert in_fork(lambda: os.getpid())() != os.getpid()
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_child_whose_answer_nobody_asks_for_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    children = []
    fork: Callable[[], int] = os.fork
    monkeypatch.setattr(local.os, "fork", lambda: children.append(fork()) or children[-1])
    answer = in_fork(lambda: time.sleep(600))
    [child] = children
    os.kill(child, 0)
    del answer
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_an_error_in_a_thread_is_raised_where_its_answer_is_asked_for() -> None:
    answer = in_thread(lambda: [][0])
    with pytest.raises(IndexError):
        answer()


def test_an_item_whose_worker_was_killed_is_done_by_another(tmp_path):
    mark = tmp_path / "died"

    def work(n):
        if n == 5 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return n * n, os.getpid()

    answers = list(in_workers(work, range(20), 2))
    assert [square for square, _ in answers] == [n * n for n in range(20)]
    assert mark.exists() and os.getpid() not in {process for _, process in answers}


def test_an_item_that_kills_every_worker_is_an_error_that_names_it():
    with pytest.raises(WorkerDied, match=r"3 worker processes died on 2; .*smaller batches"):
        list(in_workers(lambda n: os.kill(os.getpid(), signal.SIGKILL) if n == 2 else n, range(5), 2))


def test_an_error_of_a_worker_is_raised_here_as_it_is():
    def work(n):
        if n == 3:
            raise InputError("the caption is null", source="a.jsonl", row=3)
        return n

    answers = in_workers(work, range(10), 2)
    assert [next(answers) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(InputError, match=r"a\.jsonl, row 3: the caption is null"):
        next(answers)


def test_an_error_that_cannot_be_sent_comes_as_its_words():
    class Odd(Exception):
        pass

    def work(n):
        raise Odd("so it is")

    with pytest.raises(RuntimeError, match="Odd: so it is"):
        list(in_workers(work, [1], 2))


def test_workers_end_when_nobody_wants_their_answers_any_more():
    answers = in_workers(lambda n: os.getpid(), range(100), 2)
    workers = {next(answers) for _ in range(6)}
    answers.close()
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]


def test_a_worker_keeps_what_it_has_learned():
    seen = []

    def work(n):
        seen.append(n)
        return len(seen)

    assert max(in_workers(work, range(40), 2)) >= 20
    assert seen == []


def test_a_worker_that_died_within_its_answer_has_none():
    ours, theirs = Pipe()
    worker = _Worker(str.upper)
    worker.end()
    worker.pipe = ours
    os.write(theirs.fileno(), struct.pack("!i", 1000) + b"the beginning")  # of 1000 bytes
    theirs.close()
    assert worker.answer() is None
    ours.close()
