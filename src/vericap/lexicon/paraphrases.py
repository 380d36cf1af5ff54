"""METEOR's table of paraphrases (Denkowski and Lavie 2010): which phrase may replace which, found in captions
without reading the table into memory."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged, offsets_of
from vericap.errors import InputError
from vericap.kernels.phrases import Finder, Occurrences, Phrases, Targets, Trie
from vericap.lexicon.hashes import hash_words, place
from vericap.readers.storage import array_file

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Paraphrases:
    """Directed pairs of phrases as a trie of words in arrays that can be memory-mapped; see `kernels.phrases`.

    Words are numbered in alphabetical order and known by their hash.

    >>> table = Paraphrases.of([("a dog", "a hound"), ("dog", "puppy")])
    >>> words = table.word_numbers(["a", "hound", "dog", "barks"])
    >>> found = table.find(Ragged(words, np.array([0, 2, 4])))
    >>> found.start.tolist(), found.length.tolist(), found.number.tolist()
    ([0, 0, 0], [1, 2, 1], [0, 1, 2])
    """

    word_hashes: Array
    word_order: Array
    labels: Array
    internal: Array
    internal_rank: Array
    eldest: Array
    eldest_of_16: Array
    source: Array
    source_rank: Array
    ends: Array
    pairs: Array
    longest: Array

    @classmethod
    def load(cls, path: Path) -> Paraphrases:
        """The table that `save` wrote, memory-mapped."""
        return cls(**array_file.read(path, verify=False)[2])

    def save(self, path: Path) -> None:
        """One file of arrays."""
        array_file.write(path, "paraphrases", {}, {f.name: getattr(self, f.name) for f in fields(self)})

    @classmethod
    def read(cls, path: Path) -> Paraphrases:
        """A table from METEOR's own format: probability, phrase and paraphrase on three lines, plain or gzip."""
        return cls.of(read_pairs(path))

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> Paraphrases:
        """A table of (phrase, paraphrase) pairs."""
        phrases: dict[str, int] = {}
        flat = [phrases.setdefault(phrase, len(phrases)) for pair in pairs for phrase in pair]
        if not flat:
            raise InputError("the table of paraphrases is empty")
        words = sorted({word for phrase in phrases for word in phrase.split(" ")})
        trie, node = _trie(list(phrases), {word: i for i, word in enumerate(words)})
        labels, internal, eldest = trie
        sources, targets = node[np.array(flat, np.int64)].reshape(-1, 2).T
        marked = np.zeros(len(labels), bool)
        marked[sources] = True
        ends, encoded = _encode(sources, targets)
        longest = max(phrase.count(" ") + 1 for phrase in phrases)
        hashes = hash_words(words)
        order = np.argsort(hashes)
        return cls(
            hashes[order],
            order.astype(np.uint16 if len(words) < 65536 else np.uint32),
            labels,
            *_bits(internal),
            _bits(eldest)[0],
            np.flatnonzero(eldest)[::16].astype(np.uint32),
            *_bits(marked),
            ends,
            encoded,
            np.array([longest], np.uint32),
        )

    def word_numbers(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The table's number of each word, -1 for a word it does not have."""
        if not words:
            return np.zeros(0, np.int32)
        at = place(self.word_hashes, hash_words(words))
        return np.where(at < 0, -1, np.asarray(self.word_order)[at].astype(np.int32)).astype(np.int32)

    @cached_property
    def _roots(self) -> NDArray[np.int32]:
        """Of each word the node of depth 1, -1 if no phrase begins with it."""
        # The root's children are the nodes before the second set bit of `eldest`.
        bits = np.unpackbits(self.eldest[: len(self.word_hashes) // 64 + 2].view(np.uint8), bitorder="little")
        first = self.labels[: np.flatnonzero(bits)[1]]
        roots = np.full(len(self.word_hashes), -1, np.int32)
        roots[first] = np.arange(len(first))
        return roots

    def find(self, captions: Ragged) -> Phrases:
        """The phrases in captions of word numbers, and which of them are paraphrases of each other."""
        return self.relate(self.occurrences(captions))

    def occurrences(self, captions: Ragged) -> Occurrences:
        """Return the occurrences of phrases in captions of word numbers."""
        with self._finder() as finder:
            found: Occurrences = finder.find(captions, int(self.longest[0]))
        return found

    def relate(self, occurrences: Occurrences) -> Phrases:
        """The phrases that occur, and which of them are paraphrases of each other."""
        with self._finder() as finder:
            related: Phrases = finder.relate(occurrences)
        return related

    @contextmanager
    def _finder(self) -> Iterator[Finder]:
        """A finder that no other thread has: one that is done is kept for the next, with all that it remembers."""
        finder = self._finders.pop() if self._finders else Finder(*self._tables, len(self.labels))
        yield finder
        self._finders.append(finder)  # one that failed half-way is not used again

    @cached_property
    def _finders(self) -> list[Finder]:
        return []

    @cached_property
    def _tables(self) -> tuple[Trie, Targets]:
        trie = (self.labels, self.internal, self.internal_rank, self.eldest, self.eldest_of_16, self._roots)
        return Trie(*trie), Targets(self.source, self.source_rank, self.ends, self.pairs)


def read_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """The (phrase, paraphrase) pairs of a file in METEOR's format."""
    entries = 0
    try:
        with path.open("rb") as start:
            packed = start.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") if packed else path.open(encoding="utf-8") as lines:
            for probability in lines:
                yield _pair(probability, next(lines, ""), next(lines, ""), str(path), 3 * entries + 1)
                entries += 1
    except UnicodeDecodeError as error:
        problem = f"byte 0x{error.object[error.start]:02x} is not UTF-8 there"
        raise InputError(problem, source=str(path), row=3 * entries + 1, fix="save it as UTF-8") from None
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(f"the file cannot be read ({error})", source=str(path), fix="copy it again") from None
    if not entries:
        raise InputError("there is no paraphrase in it", source=str(path), fix="give at least one")


def _pair(probability: str, phrase: str, paraphrase: str, source: str, row: int) -> tuple[str, str]:
    """An entry of three lines."""
    try:
        float(probability)
    except ValueError:
        raise InputError(
            f"{probability.strip()[:80]!r} is not a probability",
            source=source,
            row=row,
            fix="write probability, phrase and paraphrase on three lines",
        ) from None
    phrase, paraphrase = phrase.rstrip("\n"), paraphrase.rstrip("\n")
    if not phrase or not paraphrase:
        raise InputError("the entry lacks a phrase", source=source, row=row, fix="write all three lines")
    return phrase, paraphrase


def _trie(phrases: list[str], numbers: dict[str, int]) -> tuple[tuple[Array, Array, Array], Array]:
    """Labels, which nodes have children, which are the first among siblings; and the node of each phrase."""
    split = [phrase.split(" ") for phrase in phrases]
    lengths = np.array([len(words) for words in split])
    depth = int(lengths.max())
    grid = np.full((len(phrases), depth), -1, np.int32)
    grid[np.arange(depth) < lengths[:, None]] = [numbers[word] for words in split for word in words]
    order = np.lexsort(grid.T[::-1])
    grid, sorted_lengths = grid[order], lengths[order]
    labels, parents, node = [], [], np.empty(len(phrases), np.int64)
    above = np.full(len(phrases), -1, np.int64)  # the node of each phrase's prefix, one level up
    size = 0
    for level in range(depth):
        rows = np.flatnonzero(sorted_lengths > level)
        column, parent = grid[rows, level], above[rows]
        new = np.ones(len(rows), bool)
        new[1:] = (column[1:] != column[:-1]) | (parent[1:] != parent[:-1])
        here = size + np.cumsum(new) - 1
        labels.append(column[new])
        parents.append(parent[new])
        above[rows] = here
        ends = sorted_lengths[rows] == level + 1
        node[order[rows[ends]]] = here[ends]
        size += int(new.sum())
    parent = np.concatenate(parents)
    internal = np.zeros(size, bool)
    internal[parent[parent >= 0]] = True
    eldest = np.append(np.diff(parent, prepend=-2) != 0, True)
    label_type = np.uint16 if len(numbers) < 65536 else np.uint32
    return (np.concatenate(labels).astype(label_type), internal, eldest), node


def _encode(sources: Array, targets: Array) -> tuple[Array, Array]:
    """The targets of each source, sources by number, as differences of seven bits a byte; and where each ends."""
    order = np.lexsort((targets, sources))
    source, target = sources[order], targets[order]
    first = np.diff(source, prepend=-1) != 0
    difference = np.where(first, target - source, np.diff(target, prepend=0))
    # The first target is on either side of its source: the sign goes to the lowest bit.
    value = np.where(first, np.where(difference < 0, -2 * difference - 1, 2 * difference), difference)
    size = np.maximum((np.floor(np.log2(np.maximum(value, 1))).astype(np.int64) // 7) + 1, 1)
    place_of = offsets_of(size)
    encoded = np.zeros(place_of[-1], np.uint8)
    for byte in range(int(size.max())):
        has = size > byte
        more = (size[has] > byte + 1) * 128
        encoded[place_of[:-1][has] + byte] = (value[has] >> (7 * byte)) & 127 | more
    ends = np.append(place_of[:-1][first], place_of[-1]).astype(np.uint32)
    return ends, encoded


def _bits(marked: Array) -> tuple[Array, Array]:
    """The marks as bits of 64-bit words, and how many come before each word."""
    padded = np.zeros(-(-len(marked) // 64) * 64, bool)
    padded[: len(marked)] = marked
    before = offsets_of(padded.reshape(-1, 64).sum(axis=1))[:-1]
    return np.packbits(padded, bitorder="little").view("<u8"), before.astype(np.uint32)
