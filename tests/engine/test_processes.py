"""Workers that stay, and what becomes of the work of one that dies."""

import os
import signal
import struct
import sys
from multiprocessing.connection import Pipe
from pathlib import Path

import pytest

from vericap.engine.processes import WorkerDied, _Pool, _Worker, run_in_processes
from vericap.errors import InputError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked")


def test_an_item_whose_worker_was_killed_is_done_by_another(tmp_path):
    mark = tmp_path / "died"

    def work(n):
        if n == 5 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return n * n, os.getpid()

    answers = list(run_in_processes(work, range(20), 2))
    assert [square for square, _ in answers] == [n * n for n in range(20)]
    assert mark.exists() and os.getpid() not in {process for _, process in answers}


def test_an_item_that_kills_every_worker_is_an_error_that_names_it():
    with pytest.raises(WorkerDied, match=r"3 worker processes died on 2; .*smaller batches"):
        list(run_in_processes(lambda n: os.kill(os.getpid(), signal.SIGKILL) if n == 2 else n, range(5), 2))


def test_an_error_of_a_worker_is_raised_here_as_it_is():
    def work(n):
        if n == 3:
            raise InputError("the caption is null", source="a.jsonl", row=3)
        return n

    answers = run_in_processes(work, range(10), 2)
    assert [next(answers) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(InputError, match=r"a\.jsonl, row 3: the caption is null"):
        next(answers)


def test_an_error_that_cannot_be_sent_comes_as_its_words():
    class Odd(Exception):
        pass

    def work(n):
        raise Odd("so it is")

    with pytest.raises(RuntimeError, match="Odd: so it is"):
        list(run_in_processes(work, [1], 2))


def test_workers_end_when_nobody_wants_their_answers_any_more():
    answers = run_in_processes(lambda n: os.getpid(), range(100), 2)
    workers = {next(answers) for _ in range(6)}
    answers.close()
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]


def test_a_worker_keeps_what_it_has_learned():
    seen = []

    def work(n):
        seen.append(n)
        return len(seen)

    assert max(run_in_processes(work, range(40), 2)) >= 20
    assert seen == []


def test_an_item_whose_worker_died_within_its_answer_waits_again():
    ours, theirs = Pipe()
    process = os.fork()
    if process == 0:
        os.write(theirs.fileno(), struct.pack("!i", 1000) + b"the beginning")  # of 1000 bytes
        os._exit(0)
    theirs.close()
    pool = _Pool(str.upper, [_Worker(process, ours, 4)], {4: "a"})
    try:
        pool.collect()
        assert list(pool.waiting) == [4] and not pool.done
    finally:
        pool.stop()
