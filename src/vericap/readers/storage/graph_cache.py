"""Propositions of captions that were parsed before, in one SQLite file: several processes may read and write it, the
oldest captions make room for new ones, and an entry that is damaged counts as absent."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import orjson

LARGEST = 256 << 20  # bytes of the file: about a million captions
_AT_ONCE = 500  # keys of a query
_CHECK = 8  # bytes in front of an entry, from which damage is known
_WAIT = 10  # seconds for another process to finish writing
# Problems of a file that may be whole: no permission, locked, no memory, read-only, disk error, full, cannot be opened.
_HARMLESS = frozenset((3, 5, 6, 7, 8, 10, 13, 14))
Words = tuple[str, ...]
Propositions = list[tuple[str, ...]]


class GraphCache:
    """Propositions by the words of a caption, as one parser gives them; `parser` is all that they depend on besides.

    `problem` says why captions could not be kept, if any could not: the work goes on without.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     GraphCache(folder, "stanford-1").put({("a", "dog"): [("dog",)]})
    ...     [GraphCache(folder, parser).get([("a", "dog"), ("a", "cat")]) for parser in ("stanford-1", "stanford-2")]
    [{('a', 'dog'): [('dog',)]}, {}]
    """

    def __init__(self, folder: str | os.PathLike[str], parser: str, largest: int = LARGEST) -> None:
        self.file = Path(folder) / "graphs.sqlite"
        self.largest, self.problem = largest, ""
        self._hash = blake2b(parser.encode() + b"\0", digest_size=16)
        self._is_damaged = False

    def get(self, captions: Iterable[Words]) -> dict[Words, Propositions]:
        """Return what was kept of these captions."""
        by_key = {self._key(words): words for words in captions}
        found: dict[Words, Propositions] = {}
        if self.file.is_file():
            with self._naming_problems(), self._opened() as database:
                keys = iter(by_key)
                while some := list(islice(keys, _AT_ONCE)):
                    asked = f"SELECT key, graph FROM graphs WHERE key IN ({','.join('?' * len(some))})"
                    for key, entry in database.execute(asked, some):
                        if key in by_key and isinstance(entry, bytes) and _check(key, entry[_CHECK:]) == entry[:_CHECK]:
                            found[by_key[key]] = [tuple(each) for each in orjson.loads(entry[_CHECK:])]
        return found

    def put(self, graphs: Mapping[Words, Sequence[Sequence[str]]]) -> None:
        """Keep the propositions of captions; of very many, those that fit a quarter of the file."""
        entries, room = [], self.largest // 4
        for words, graph in graphs.items():
            key, text = self._key(words), orjson.dumps(graph)
            room -= len(text) + 100  # with both keys, and what SQLite adds
            if room < 0:
                break
            entries.append((key, _check(key, text) + text))
        with suppress(OSError):  # a file in a folder that cannot be made cannot be opened, which is the problem named
            self.file.parent.mkdir(parents=True, exist_ok=True)
        self._write(entries)
        if self._is_damaged:  # another one takes its place; its journal must not be applied to that
            with suppress(OSError):
                self.file.unlink()
                self.file.with_name(f"{self.file.name}-journal").unlink(missing_ok=True)
                self._write(entries)

    def _write(self, entries: Sequence[tuple[bytes, bytes]]) -> None:
        with self._naming_problems(), self._opened() as database:
            database.execute("CREATE TABLE IF NOT EXISTS graphs (key BLOB PRIMARY KEY, graph BLOB)")
            if _size(database) > self.largest * 3 // 4:  # the older half goes
                database.execute("DELETE FROM graphs WHERE rowid <= (SELECT (min(rowid) + max(rowid)) / 2 FROM graphs)")
            database.executemany("INSERT OR REPLACE INTO graphs VALUES (?, ?)", entries)
            database.commit()

    def _opened(self) -> closing[sqlite3.Connection]:
        database = sqlite3.connect(self.file, timeout=_WAIT)
        # What a crash of the machine damages is made again: there is no need to wait for the disk.
        database.execute("PRAGMA synchronous = OFF")
        return closing(database)

    @contextmanager
    def _naming_problems(self) -> Iterator[None]:
        """What goes wrong with the file ends the block and is the `problem`."""
        self._is_damaged, self.problem = False, ""
        try:
            yield
        except (sqlite3.Error, ValueError) as error:  # a ValueError: a message of SQLite that repeats what is damaged
            self.problem = str(error)
            self._is_damaged = getattr(error, "sqlite_errorcode", 0) & 0xFF not in _HARMLESS

    def _key(self, words: Words) -> bytes:
        key = self._hash.copy()
        key.update("\n".join(words).encode("utf-8", "surrogatepass"))
        return key.digest()


def _check(key: bytes, text: bytes) -> bytes:
    return blake2b(text, digest_size=_CHECK, key=key).digest()


def _size(database: sqlite3.Connection) -> int:
    """Return the bytes of the file that are in use."""
    pages, free, size = (database.execute(f"PRAGMA {what}").fetchone()[0] for what in _SIZES)
    return int((pages - free) * size)


_SIZES = ("page_count", "freelist_count", "page_size")
