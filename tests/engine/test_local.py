"""Work shared by processes: every item is done once or again, whatever becomes of the process that took it."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Callable

import pytest

from vericap.engine import local
from vericap.engine.local import in_fork, in_processes, in_thread


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
