"""One thread for NumPy's matrix products, so that their bits do not depend on the number of cores: OpenBLAS cuts a
matrix among its threads, and rounds its edges in another way."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

_lock = threading.Lock()
_limit = ExitStack()
_inside = 0  # blocks that are being run, in all threads


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS at one thread within the block. The limit is the whole process's: it ends with the last of the blocks
    that threads run at the same time.

    >>> import numpy as np
    >>> with one_blas_thread():
    ...     product = np.ones((2, 2)) @ np.ones((2, 2))
    """
    global _inside
    with _lock:
        if not _inside:
            _limit.enter_context(_controller().limit(limits=1, user_api="blas"))
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                _limit.close()


@cache
def _controller() -> Any:
    # Looking for libraries takes a millisecond, more than a batch of rewards: it is done once.
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
