"""Words as numbers: a 64-bit hash by which a memory-mapped table knows its words (among 150,000 of them, one that is
not there meets one that is with probability 10^-14), and Java's hash of 32 bits, by which METEOR compares words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

REMEMBERED = 1 << 15  # words whose hashes are kept
LONG = 64  # letters of a word that hardly any other is as long as
FEW = 4096  # words of a batch; more are hashed together, and not kept


def hash_words(words: Iterable[str]) -> NDArray[np.uint64]:
    """Return a hash of each word, the same on every machine.

    >>> hash_words(["dog"]).tolist() == hash_words(["dog"]).tolist() != hash_words(["cat"]).tolist()
    True
    """
    return np.frombuffer(b"".join(map(_digest, words)), "<u8")


# What comes once comes again: the words of a batch are those of the batch before.
@lru_cache(REMEMBERED)
def _digest(word: str) -> bytes:
    return blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def place(table: NDArray[Any], hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the place of each hash in a sorted table, -1 where it is not there.

    >>> place(np.array([3, 5, 9], np.uint64), np.array([5, 4, 10], np.uint64)).tolist()
    [1, -1, -1]
    """
    if not len(table):
        return np.full(len(hashes), -1, np.int64)
    at = np.searchsorted(table, hashes)
    at[at == len(table)] = 0
    return np.where(table[at] == hashes, at, -1)


def java_hashes(words: Iterable[str]) -> NDArray[np.int32]:
    """Java's hash of each word. METEOR takes words, and stems, with the same hash for the same.

    >>> java_hashes(["eu", "g7", "dog"]).tolist()
    [3248, 3248, 99644]
    """
    words = list(words)
    if len(words) > FEW:
        return _java_hashes(words)
    return np.fromiter(map(_java_hash, words), np.uint32).view(np.int32)


@lru_cache(REMEMBERED)
def _java_hash(word: str) -> int:
    value = 0
    for unit in word.encode("ascii") if word.isascii() else memoryview(word.encode("utf-16-le")).cast("H"):
        value = (value * 31 + unit) & 0xFFFFFFFF  # at each step: the number of a long word would grow with it
    return value


def _java_hashes(words: list[str]) -> NDArray[np.int32]:
    """Return the same for all words at once, letter by letter; long ones by themselves."""
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    text = "".join(words)
    if not text.isascii() or lengths.max(initial=0) >= LONG:
        short = [word if len(word) < LONG else "" for word in words]
        lengths = np.array([len(word.encode("utf-16-le")) // 2 for word in short], np.int64)
        text = "".join(short)
    units = np.frombuffer(text.encode("utf-16-le"), "<u2").astype(np.uint32)
    starts = np.cumsum(lengths) - lengths
    order = np.argsort(-lengths, kind="stable")  # the words that have a k-th letter come first
    starts, left = starts[order], lengths[order]
    hashes = np.zeros(len(words), np.uint32)
    for k in range(int(lengths.max(initial=0))):
        some = int(np.searchsorted(-left, -k))
        hashes[:some] = hashes[:some] * np.uint32(31) + units[starts[:some] + k]
    found = np.empty(len(words), np.uint32)
    found[order] = hashes
    for place, word in enumerate(words):
        if len(word) >= LONG:
            found[place] = _java_hash(word)
    return found.view(np.int32)
