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
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import Any, BinaryIO, Generic, NoReturn, TypeVar

from vericap.engine.progress import counted, report

Given = TypeVar("Given")
Answer = TypeVar("Answer")
_TURNS = 1024  # numbers of 4 bytes each: a pipe holds at least a page of them
_COMPLETE = b"vericap: complete"  # ends the message of a child that did all its work
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG in Linux's sys/prctl.h
_CHECK_SECONDS = 0.5


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
    """Starts `work` in a thread; call what it returns for the answer, or for the error.

    >>> answer = in_thread(lambda: sum(range(10)))
    >>> answer()
    45
    """
    pool = ThreadPoolExecutor(1)
    answer = pool.submit(work)
    pool.shutdown(wait=False)
    return answer.result


def in_fork(work: Callable[[], Answer]) -> Callable[[], Answer]:
    """Starts `work` in a forked process; call what it returns for the answer.

    The child sees all that is in memory without a copy. It ends with this process, whatever ends it, and when nobody
    is left to ask for the answer. Where the system cannot fork, or the child dies, the work is done here.

    >>> answer = in_fork(lambda: sum(range(10)))
    >>> answer()
    45
    """
    if not hasattr(os, "fork"):
        return work
    _parent_death_signal()  # loaded before the fork: a child should not have to load libraries
    parent = os.getpid()
    read, write = os.pipe()
    try:
        with warnings.catch_warnings():
            # NumPy's own threads make Python warn of locks they might hold; OpenBLAS stops them before a fork.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
    except OSError:  # the system has no process to spare
        os.close(read)
        os.close(write)
        return work
    if child == 0:
        _work_and_exit(work, write, parent)
    os.close(write)
    return _Forked(work, child, os.fdopen(read, "rb"))


class _Forked(Generic[Answer]):
    """A child at work: call it for the answer. A child whose answer nobody can ask for any more is ended."""

    def __init__(self, work: Callable[[], Answer], child: int, pipe: BinaryIO) -> None:
        self._work, self._child, self._pipe = work, child, pipe
        self._end = weakref.finalize(self, _end, child, pipe, os.getpid())

    def __call__(self) -> Answer:
        with self._pipe as pipe:
            sent = pipe.read()
        self._end.detach()
        with suppress(ChildProcessError):  # where the host ignores SIGCHLD, the system has waited already
            os.waitpid(self._child, 0)
        if not sent.endswith(_COMPLETE):
            return self._work()
        answer: Answer = pickle.loads(sent)  # our own child's words
        return answer


def _end(child: int, pipe: BinaryIO, parent: int) -> None:
    """Ends a child. A copy of the parent that somebody else forked leaves it alone."""
    pipe.close()
    if os.getpid() != parent:
        return
    with suppress(ChildProcessError):
        if os.waitpid(child, os.WNOHANG)[0] == 0:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _work_and_exit(work: Callable[[], Any], write: int, parent: int) -> NoReturn:
    """What a child does: its work, into the pipe."""
    try:
        _end_with(parent)
        with os.fdopen(write, "wb") as pipe:
            pickle.dump(work(), pipe, protocol=5)
            pipe.write(_COMPLETE)
    finally:
        os._exit(0)


def _end_with(parent: int) -> None:
    """Makes this process end when its parent does, however the parent ends.

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
    """Ends this process soon after its parent.

    It looks at the parent's id, not at a pipe that the parent holds: a pipe stays open in every process that anybody
    forks meanwhile.
    """
    while os.getppid() == parent:
        time.sleep(_CHECK_SECONDS)
    os._exit(1)


def in_processes(work: Callable[[Given], Answer], items: Sequence[Given], workers: int) -> list[Answer]:
    """`[work(item) for item in items]`, shared by this many processes; one that is done with an item takes the next, so
    that all end together.

    Threads do it where a forked process may not compute: with macOS's Accelerate, or on a system that cannot fork.

    >>> in_processes(lambda n: n * n, range(5), 2)
    [0, 1, 4, 9, 16]
    """
    workers = min(workers, len(items))
    if workers < 2 or sys.platform != "linux":
        return in_threads(work, items, workers=max(workers, 1))
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
