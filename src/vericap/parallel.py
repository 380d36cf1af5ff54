"""Work shared by the cores of one machine: threads where NumPy, rapidfuzz or a kernel computes and lets go of the
interpreter, a forked process where Python itself does the work."""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Answer = TypeVar("Answer")


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
        # NumPy's own threads make Python warn of locks they might hold; the child never calls what they run.
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
