"""Work shared by threads: NumPy, rapidfuzz and the kernels let go of the interpreter while they compute."""

from __future__ import annotations

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
