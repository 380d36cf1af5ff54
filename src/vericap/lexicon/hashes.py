"""Words in a memory-mapped table, known by a 64-bit hash: among 150,000 words, one that is not there meets one that
is with probability 10^-14."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray


def hash_words(words: Iterable[str]) -> NDArray[np.uint64]:
    """A hash of each word, the same on every machine.

    >>> hash_words(["dog"]).tolist() == hash_words(["dog"]).tolist() != hash_words(["cat"]).tolist()
    True
    """
    digests = b"".join(
        blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest() for word in words
    )
    return np.frombuffer(digests, "<u8")


def place(table: NDArray[Any], hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The place of each hash in a sorted table, -1 where it is not there.

    >>> place(np.array([3, 5, 9], np.uint64), np.array([5, 4, 10], np.uint64)).tolist()
    [1, -1, -1]
    """
    if not len(table):
        return np.full(len(hashes), -1, np.int64)
    at = np.searchsorted(table, hashes)
    at[at == len(table)] = 0
    return np.where(table[at] == hashes, at, -1)
