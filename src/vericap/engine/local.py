"""Work shared by the cores of one machine: threads where NumPy, rapidfuzz or a kernel computes and lets go of the
interpreter, forked processes where Python itself does the work."""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Given = TypeVar("Given")
Answer = TypeVar("Answer")
_TURNS = 1024  # numbers of 4 bytes each: a pipe holds at least a page of them


def in_threads(work: Callable[..., Answer], *arguments: Iterable[Any], workers: int) -> list[Answer]:
    """`list(map(work, *arguments))`, shared by so many workers.

    >>> in_threads(pow, [2, 3], [5, 2], workers=2)
    [32, 9]
    """
    if workers == 1:
        return list(map(work, *arguments))
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, *arguments))


def in_fork(work: Callable[[], Answer]) -> Callable[[], Answer]:
    """Starts `work` in a forked process; call what it returns for the answer.

    The child sees all that is in memory without a copy. Where the system cannot fork, or the child dies, the work
    is done here.

    >>> answer = in_fork(lambda: sum(range(10)))
    >>> answer()
    45
    """
    if not hasattr(os, "fork"):
        return work
    read, write = os.pipe()
    with warnings.catch_warnings():
        # NumPy's own threads make Python warn of locks they might hold; OpenBLAS stops them before a fork.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(read)
            with os.fdopen(write, "wb") as pipe:
                pickle.dump(work(), pipe, protocol=5)
            code = 0
        finally:
            os._exit(code)
    os.close(write)

    def answer() -> Answer:
        with os.fdopen(read, "rb") as pipe:
            sent = pipe.read()
        _, status = os.waitpid(child, 0)
        if status != 0:
            return work()
        result: Answer = pickle.loads(sent)  # our own child's words
        return result

    return answer


def in_processes(work: Callable[[Given], Answer], items: Sequence[Given], workers: int) -> list[Answer]:
    """`[work(item) for item in items]`, shared by so many processes; one that is done with an item takes the next, so
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
            for i in range(int.from_bytes(turn, "little"), len(items), turns):
                done[i] = work(items[i])
        return done

    try:
        others = [in_fork(take_turns) for _ in range(1, workers)]
        found = take_turns()
        for answer in others:
            found |= answer()
    finally:
        os.close(read)
    # What a process that died had taken is done here.
    return [found[i] if i in found else work(items[i]) for i in range(len(items))]
