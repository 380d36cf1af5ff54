"""Forked processes that stay: each takes one item after the other, keeps what it has learned on the way (words, parses)
and ends with the process that started it. Where one dies, another is started and does the item again."""

from __future__ import annotations

import os
import pickle
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, TypeVar

from vericap.engine.local import _end_with, _parent_death_signal
from vericap.errors import VericapError

Given = TypeVar("Given")
Answer = TypeVar("Answer")

ATTEMPTS = 3  # of one item: what kills three workers would kill a fourth
AHEAD = 2  # items per worker that may wait for an earlier one


class WorkerDied(VericapError):
    """A worker process died again and again on the same item."""


@dataclass
class _Worker:
    """A forked process and the item that it works on, by its number."""

    process: int
    pipe: Connection
    item: int | None = None


@dataclass
class _Pool:
    """The workers, and the items that are under way."""

    work: Callable[[Any], Any]
    workers: list[_Worker] = field(default_factory=list)
    given: dict[int, Any] = field(default_factory=dict)
    attempts: dict[int, int] = field(default_factory=dict)
    done: dict[int, tuple[bool, Any]] = field(default_factory=dict)
    waiting: deque[int] = field(default_factory=deque)

    def start(self) -> None:
        """Forks another worker, which sees all that is in memory without a copy."""
        _parent_death_signal()  # loaded before the fork: a child should not have to load libraries
        parent = os.getpid()
        ours, theirs = Pipe()
        with warnings.catch_warnings():
            # NumPy's own threads make Python warn of locks they might hold; OpenBLAS stops them before a fork.
            warnings.simplefilter("ignore", DeprecationWarning)
            process = os.fork()
        if process == 0:
            ours.close()
            for other in self.workers:
                other.pipe.close()
            _serve(self.work, theirs, parent)
        theirs.close()
        self.workers.append(_Worker(process, ours))

    def hand_out(self) -> None:
        """Gives waiting items to idle workers, the earliest first."""
        for worker in list(self.workers):
            if worker.item is None and self.waiting:
                number = self.waiting.popleft()
                worker.item = number
                try:
                    worker.pipe.send_bytes(pickle.dumps(self.given[number], protocol=5))
                except (BrokenPipeError, ConnectionResetError):
                    self._replace(worker)

    def collect(self) -> None:
        """Waits for an answer, or for the end of a worker, whose item then waits again."""
        pipes = {worker.pipe: worker for worker in self.workers}
        for pipe in wait(list(pipes)):
            worker = pipes[pipe]  # type: ignore[index]
            try:
                answer: tuple[bool, Any] = pickle.loads(worker.pipe.recv_bytes())  # our own child's words
            except (EOFError, OSError, pickle.UnpicklingError):  # OSError: it died within its answer
                self._replace(worker)
                continue
            number, worker.item = worker.item, None
            if number is not None:
                self.done[number] = answer

    def _replace(self, worker: _Worker) -> None:
        self.workers.remove(worker)
        worker.pipe.close()
        with suppress(ChildProcessError):
            os.waitpid(worker.process, 0)
        if worker.item is not None:
            number = worker.item
            self.attempts[number] = self.attempts.get(number, 0) + 1
            if self.attempts[number] >= ATTEMPTS:
                raise WorkerDied(
                    f"{ATTEMPTS} worker processes died on {self.given[number]}; "
                    "if the system ended them for want of memory, use smaller batches or fewer workers"
                )
            self.waiting.appendleft(number)
        self.start()

    def stop(self) -> None:
        """Ends all workers: one that waits for an item ends at the end of its pipe, one at work by force."""
        for worker in self.workers:
            worker.pipe.close()
            if worker.item is not None:
                with suppress(ProcessLookupError):
                    os.kill(worker.process, 9)
        for worker in self.workers:
            with suppress(ChildProcessError):
                os.waitpid(worker.process, 0)
        self.workers.clear()


def run_in_processes(work: Callable[[Given], Answer], items: Iterable[Given], workers: int) -> Iterator[Answer]:
    """The answers in the order of the items. Only items and answers are sent; what `work` holds is shared memory.

    >>> list(run_in_processes(str.upper, iter(["a", "b", "c"]), 2))
    ['A', 'B', 'C']
    """
    pool = _Pool(work)
    coming = enumerate(items)
    wanted = 0
    try:
        while True:
            while len(pool.given) < workers * (1 + AHEAD):
                number, item = next(coming, (-1, None))
                if number < 0:
                    break
                pool.given[number] = item
                pool.waiting.append(number)
                if len(pool.workers) < workers:
                    pool.start()
            if wanted not in pool.given:
                return
            pool.hand_out()
            while wanted not in pool.done:
                pool.collect()
                pool.hand_out()
            del pool.given[wanted]
            pool.attempts.pop(wanted, None)
            ok, answer = pool.done.pop(wanted)
            if not ok:
                raise answer
            yield answer
            wanted += 1
    finally:
        pool.stop()


def _serve(work: Callable[[Any], Any], pipe: Connection, parent: int) -> None:
    """What a worker does: answer items until there are no more, then end without a word."""
    try:
        _end_with(parent)
        while True:
            try:
                item = pickle.loads(pipe.recv_bytes())  # our own parent's words
            except EOFError:
                break
            try:
                answer: tuple[bool, Any] = True, work(item)
            except Exception as error:
                answer = False, error
            pipe.send_bytes(_pickled(answer))
    finally:
        os._exit(0)


def _pickled(answer: tuple[bool, Any]) -> bytes:
    """An answer as bytes; an error that cannot be sent as it is goes as its words."""
    try:
        sent = pickle.dumps(answer, protocol=5)
        if not answer[0]:
            pickle.loads(sent)
    except Exception as error:
        sent = pickle.dumps((False, RuntimeError(f"{type(answer[1]).__name__}: {answer[1]} ({error})")))
    return sent
