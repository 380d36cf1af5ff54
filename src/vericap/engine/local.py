"""Work shared by the cores of one machine: threads where NumPy, rapidfuzz or a kernel computes and lets go of the
interpreter, forked processes where Python itself does the work. A forked process never outlives the process that
started it."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
import warnings
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from vericap.engine.progress import counted, report
from vericap.errors import VericapError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Given = TypeVar("Given")
Answer = TypeVar("Answer")
ATTEMPTS = 3  # of one item: what kills three workers would kill a fourth
AHEAD = 2  # items per worker that may wait for an earlier one
_TURNS = 1024  # numbers of 4 bytes each: a pipe holds at least a page of them
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG in Linux's sys/prctl.h
_CHECK_SECONDS = 0.5


class WorkerDied(VericapError):
    """A worker process died again and again on the same item."""


def in_threads(work: Callable[..., Answer], *arguments: Iterable[Any], workers: int) -> list[Answer]:
    """`list(map(work, *arguments))`, shared by this many workers.

    >>> in_threads(pow, [2, 3], [5, 2], workers=2)
    [32, 9]
    """
    given = list(zip(*arguments, strict=True))
    if workers == 1:
        return [work(*each) for each in counted(given)]
    with ThreadPoolExecutor(workers) as pool:
        found = []
        for answer in pool.map(lambda each: work(*each), given):
            found.append(answer)
            report(len(found), len(given))
        return found


def in_thread(work: Callable[[], Answer]) -> Callable[[], Answer]:
    """Start `work` in a thread; call what it returns for the answer, or for the error.

    >>> answer = in_thread(lambda: sum(range(10)))
    >>> answer()
    45
    """
    pool = ThreadPoolExecutor(1)
    answer = pool.submit(work)
    pool.shutdown(wait=False)
    return answer.result


def in_fork(work: Callable[[], Answer]) -> Callable[[], Answer]:
    """Start `work` in a forked process; call what it returns for the answer.

    Where the system cannot fork, or the child dies, the work is done here.

    >>> answer = in_fork(lambda: sum(range(10)))
    >>> answer()
    45
    """
    if not hasattr(os, "fork"):
        return work
    try:
        child = _Worker(lambda _: work())
    except OSError:  # the system has no process to spare
        return work
    child.give(None)

    def answered() -> Answer:
        ok, found = child.answer() or (False, None)
        child.end()
        return cast(Answer, found) if ok else work()  # which raises the child's error again

    return answered


def in_processes(work: Callable[[Given], Answer], items: Sequence[Given], workers: int) -> list[Answer]:
    """`[work(item) for item in items]`, shared by this many processes; one that is done with an item takes the next, so
    that all end together.

    Threads do it where a forked process may not compute: with macOS's Accelerate, or on a system that cannot fork.

    >>> in_processes(lambda n: n * n, range(5), 2)
    [0, 1, 4, 9, 16]
    """
    workers = min(workers, len(items))
    if workers < 2:
        return [work(item) for item in counted(items)]
    if sys.platform != "linux":
        return in_threads(work, items, workers=workers)
    turns = min(len(items), _TURNS)
    read, write = os.pipe()
    os.write(write, b"".join(turn.to_bytes(4, "little") for turn in range(turns)))
    os.close(write)

    def take_turns() -> dict[int, Answer]:
        done = {}
        while turn := os.read(read, 4):
            taken = int.from_bytes(turn, "little")
            report(taken, turns)  # turns are taken in order, so that all before this one are taken
            for i in range(taken, len(items), turns):
                done[i] = work(items[i])
        return done

    try:
        others = [in_fork(take_turns) for _ in range(1, workers)]
        found = take_turns()
        for answer in others:
            found |= answer()
        report(turns, turns)
    finally:
        os.close(read)
    # What a process that died had taken is done here.
    return [found[i] if i in found else work(items[i]) for i in range(len(items))]


def in_workers(work: Callable[[Given], Answer], items: Iterable[Given], workers: int) -> Iterator[Answer]:
    """Yield the answers in the order of the items, of which a bounded number is under way.

    Each of this many forked processes takes one item after the other, and keeps what it has learned on the way (words,
    parses). Where one dies, another does its item again. Only items and answers are sent.

    >>> list(in_workers(str.upper, iter(["a", "b", "c"]), 2))
    ['A', 'B', 'C']
    """
    coming = map(_Task, items)
    tasks: deque[_Task] = deque()  # under way, in the order of the items
    busy: dict[Any, tuple[_Worker, _Task]] = {}  # by the worker's pipe
    idle: list[_Worker] = []
    try:
        while True:
            tasks += islice(coming, workers * (1 + AHEAD) - len(tasks))
            if not tasks:
                return
            for task in islice((task for task in tasks if task.waits), workers - len(busy)):
                worker = idle.pop() if idle else _Worker(work)
                busy[worker.pipe] = worker, task
                task.waits = False
                worker.give(task.item)
            if tasks[0].answer is None:
                _collect(busy, idle)
                continue
            ok, answer = tasks.popleft().answer
            if not ok:
                raise answer
            yield answer
    finally:
        for worker in [*idle, *(worker for worker, _ in busy.values())]:
            worker.end()


@dataclass
class _Task:
    """An item, and what has become of it."""

    item: Any
    waits: bool = True
    attempts: int = 0
    answer: Any = None  # whether there is one, and the answer or the error


def _collect(busy: dict[Any, tuple[_Worker, _Task]], idle: list[_Worker]) -> None:
    """Wait for an answer, or for the end of a worker, whose item then waits again."""
    from multiprocessing.connection import wait

    for pipe in wait(list(busy)):
        worker, task = busy.pop(pipe)
        task.answer = worker.answer()
        if task.answer is not None:
            idle.append(worker)
            continue
        worker.end()
        task.waits = True
        task.attempts += 1
        if task.attempts == ATTEMPTS:
            raise WorkerDied(
                f"{ATTEMPTS} worker processes died on {task.item}; "
                "if the system ended them for want of memory, use smaller batches or fewer workers"
            )


class _Worker:
    """A forked process that answers items. It sees all that is in memory without a copy. It ends with this process,
    whatever ends it, and when there is no one left to ask for its answers."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        from multiprocessing.connection import Pipe

        _parent_death_signal()  # loaded before the fork: a child should not have to load libraries
        parent = os.getpid()
        self.pipe, theirs = Pipe()
        try:
            with warnings.catch_warnings():
                # NumPy's own threads make Python warn of locks they might hold; OpenBLAS stops them before a fork.
                warnings.simplefilter("ignore", DeprecationWarning)
                process = os.fork()
            if process == 0:
                _serve(work, theirs, parent)
        except OSError:
            self.pipe.close()
            raise
        finally:
            theirs.close()
        self.end = weakref.finalize(self, _end, process, self.pipe, parent)

    def give(self, item: Any) -> None:
        """Send an item to work on. That a worker is dead shows when its answer is asked for."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self.pipe.send(item)

    def answer(self) -> tuple[bool, Any] | None:
        """Return whether there is an answer, and the answer or the error; None from a worker that died."""
        try:
            found: tuple[bool, Any] = self.pipe.recv()  # trusted: written by our own child process
        except (EOFError, OSError, pickle.UnpicklingError):  # OSError: it died within its answer
            return None
        return found


def _end(process: int, pipe: Connection, parent: int) -> None:
    """End a worker. A copy of the parent that another library forked leaves it alone."""
    pipe.close()
    if os.getpid() != parent:
        return
    with suppress(ChildProcessError):  # where the host ignores SIGCHLD, the system has waited already
        if os.waitpid(process, os.WNOHANG)[0] == 0:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _serve(work: Callable[[Any], Any], pipe: Connection, parent: int) -> NoReturn:
    """Answer items, in a worker, until there are no more."""
    try:
        _end_with(parent)
        while True:
            item = pipe.recv()  # or EOFError: there are no more
            try:
                pipe.send((True, work(item)))
            except Exception as error:
                pipe.send((False, _sendable(error)))
    finally:
        os._exit(0)


def _sendable(error: Exception) -> Exception:
    """Return the error, or its words where it cannot be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _end_with(parent: int) -> None:
    """Make this process end when its parent does, however the parent ends.

    Linux signals the end of the thread that forked. That is early enough: the same thread asks for the answer.
    """
    ask_for_signal = _parent_death_signal()
    if ask_for_signal is None or ask_for_signal(_PARENT_DEATH_SIGNAL, signal.SIGKILL) != 0:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    elif os.getppid() != parent:  # it ended before the signal was asked for
        os._exit(1)


@cache
def _parent_death_signal() -> Callable[[int, int], int] | None:
    """Linux's prctl, with which a process asks for a signal at its parent's end; None on other systems."""
    if sys.platform != "linux":
        return None
    import ctypes

    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return None
    prctl.argtypes, prctl.restype = (ctypes.c_int, ctypes.c_ulong), ctypes.c_int
    ask: Callable[[int, int], int] = prctl
    return ask


def _watch(parent: int) -> None:
    """End this process soon after its parent.

    It looks at the parent's id, not at a pipe that the parent holds: a pipe stays open in every process that anybody
    forks meanwhile.
    """
    while os.getppid() == parent:
        time.sleep(_CHECK_SECONDS)
    os._exit(1)
