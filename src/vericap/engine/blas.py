"""One thread for NumPy's matrix products, so that their bits do not depend on the number of cores: OpenBLAS cuts a
matrix among its threads, and rounds its edges in another way."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_lock = threading.Lock()
_inside = 0  # blocks that are being run, in all threads
_before: list[int] = []  # threads that each library had before the first of them


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS at one thread within the block. The limit is the whole process's: it ends with the last of the blocks
    that threads run at the same time.

    >>> import numpy as np
    >>> with one_blas_thread():
    ...     product = np.ones((2, 2)) @ np.ones((2, 2))
    """
    global _inside, _before
    with _lock:
        if not _inside:
            _before = [threads() for threads, _ in _libraries()]
            for _, set_threads in _libraries():
                set_threads(1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                for (_, set_threads), number in zip(_libraries(), _before, strict=True):
                    set_threads(number)


@cache
def _libraries() -> list[tuple[Callable[[], int], Callable[[int], Any]]]:
    """Return for each BLAS the functions that get and set its number of threads."""
    # Looking for libraries takes a millisecond, more than a batch of rewards: it is done once.
    from threadpoolctl import ThreadpoolController

    # From its version 3.8 on, threadpoolctl lets only the thread that set a limit lift it.
    return [
        (library.get_num_threads, getattr(library, "_real_set_num_threads", library.set_num_threads))
        for library in ThreadpoolController().lib_controllers
        if library.user_api == "blas"
    ]
