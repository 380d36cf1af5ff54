"""Word vectors of files people have: word2vec (.bin, .txt), GloVe (.txt), fastText (.vec), .npy with a vocabulary.

The file is mapped into memory. One pass finds where each word's row starts; rows are read when they are asked for.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vericap.arrays import Floats, Integers
from vericap.errors import InputError
from vericap.readers.files import File
from vericap.readers.messages import one_line

_HEADER = re.compile(rb"(\d+)[ \t](\d+)\s*\n")
VOCABULARIES = (".vocab", ".words", ".txt")
_FORMATS = "give word2vec's .bin or .txt, GloVe's .txt, fastText's .vec, or .npy with a .vocab file (one word per line)"


@dataclass(frozen=True, eq=False)
class VectorFile:
    """The words of a file, one per row, and what reads rows of its table. The digest is of the whole content."""

    name: str
    digest: str
    dimensions: int
    words: list[str]
    read: Callable[[Integers], Floats]


def read_vectors(path: str | os.PathLike[str]) -> VectorFile:
    """Return the vectors of a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "two.txt").write_text("dog 1 0\\ncat 0 2\\n")
    ...     vectors = read_vectors(Path(folder, "two.txt"))
    ...     vectors.words, vectors.read(np.array([1])).tolist()
    (['dog', 'cat'], [[0.0, 2.0]])
    """
    source = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is empty"
        raise InputError(f"the vectors cannot be read ({reason})", source=source, fix=_FORMATS) from None
    if data[:6] == b"\x93NUMPY":
        return _from_array(Path(path), data)
    header = _HEADER.match(data[:64])
    start = header.end() if header else 0
    if header and _is_binary(data, start, int(header[2])):
        return _from_binary(data, start, int(header[1]), int(header[2]), source)
    said = (int(header[1]), int(header[2])) if header else None
    return _from_text(data, start, source, said)


def _is_binary(data: mmap.mmap, start: int, dimensions: int) -> bool:
    """Four bytes a number after the first word, not digits: in a text they are all ASCII."""
    space = data.find(b" ", start, start + 1000)
    row = data[space + 1 : space + 1 + 4 * dimensions]
    return any(byte > 126 or (byte < 32 and byte not in b"\t\r\n") for byte in row)


def _vectors(
    data: mmap.mmap, words: list[str], starts: Integers, dimensions: int, source: str, binary: bool
) -> VectorFile:
    if not words:
        raise InputError("there is no word in it", source=source, fix=_FORMATS)

    def read(rows: Integers) -> Floats:
        table = np.empty((len(rows), dimensions))
        for place, start in enumerate(starts[rows].tolist()):
            if binary:
                table[place] = np.frombuffer(data, "<f4", dimensions, start)
            else:
                end = data.find(b"\n", start)
                table[place] = _numbers(data[start : end if end >= 0 else len(data)], dimensions, source, start)
        return table

    return VectorFile(Path(source).name, hashlib.sha256(data).hexdigest()[:12], dimensions, words, read)


def _numbers(cells: bytes, dimensions: int, source: str, start: int) -> Floats:
    try:
        row = np.array(cells.split(), float)
    except ValueError:
        row = np.zeros(0)
    if len(row) != dimensions:
        problem = f"the row at byte {start + 1} has not {dimensions} numbers after its word"
        raise InputError(problem, source=source, fix="correct the row")
    return row


def _from_binary(data: mmap.mmap, start: int, count: int, dimensions: int, source: str) -> VectorFile:
    if not 0 < dimensions <= len(data) // 4 or not 0 < count <= len(data) // (4 * dimensions):
        said = f"{count:,} words of {dimensions:,} numbers"
        problem = f"its header says {said}, which do not fit into {len(data):,} bytes"
        raise InputError(problem, source=source, fix="copy the file again")
    words, starts = [], np.empty(count, np.int64)
    for number in range(count):
        space = data.find(b" ", start)
        if space < 0 or space + 1 + 4 * dimensions > len(data):
            problem = f"it ends in word {number + 1} of {count}"
            raise InputError(problem, source=source, fix="copy the file again")
        # word2vec itself writes a line break after each row, others do not.
        words.append(data[start:space].decode("utf-8", "replace").lstrip("\n"))
        starts[number] = space + 1
        start = space + 1 + 4 * dimensions
    return _vectors(data, words, starts, dimensions, source, binary=True)


def _from_text(data: mmap.mmap, start: int, source: str, said: tuple[int, int] | None = None) -> VectorFile:
    """`said` are the number of words and of dimensions in the header, if there is one."""
    words, starts, dimensions = [], [], said[1] if said else 0
    for row, (line_start, line) in enumerate(_lines(data, start), 1):
        cells = line.split()
        if not dimensions:
            dimensions = len(cells) - 1
        if row == 1 and (dimensions < 1 or not _is_number(cells[-1])):
            raise InputError("its first row is not a word and numbers", source=source, row=1, fix=_FORMATS)
        _check_row(cells, dimensions, source, row)
        # GloVe's largest file has words with spaces in them: the numbers are the last cells.
        word = b" ".join(cells[:-dimensions])
        words.append(word.decode("utf-8", "replace"))
        starts.append(line_start + line.find(cells[-dimensions], len(word)))
    if said and said[0] != len(words):
        problem = f"its header says {said[0]:,} words, and there are {len(words):,}"
        raise InputError(problem, source=source, fix="copy the file again")
    return _vectors(data, words, np.array(starts, np.int64), dimensions, source, binary=False)


def _check_row(cells: list[bytes], dimensions: int, source: str, row: int) -> None:
    """A row is a word and its numbers. A word may have spaces in it, but only its first part may be a number."""
    if len(cells) <= dimensions or any(map(_is_number, cells[1:-dimensions])):
        problem = f"the row has {len(cells) - 1} numbers after its word, and the file has {dimensions} dimensions"
        raise InputError(problem, source=source, row=row, fix="correct the row, or copy the file again")


def _lines(data: mmap.mmap, start: int) -> Iterator[tuple[int, bytes]]:
    data.seek(start)
    while line := data.readline():
        if line.strip():
            yield start, line
        start += len(line)


def _is_number(cell: bytes) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _from_array(path: Path, data: mmap.mmap) -> VectorFile:
    source = os.fspath(path)
    try:
        table = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # NumPy reads the header as Python, which fails in many ways
        problem = f"the array cannot be read ({one_line(error)})"
        raise InputError(problem, source=source, fix="save it again") from None
    beside = next((path.with_suffix(end) for end in VOCABULARIES if path.with_suffix(end).is_file()), None)
    if beside is None:
        problem, fix = f"{path.stem}.vocab is missing", "write it, one word per line"
        raise InputError(problem, source=source, fix=fix)
    words = File(beside).text.removesuffix("\n").split("\n")
    if table.ndim != 2 or len(words) != len(table) or table.dtype.kind != "f":
        problem = f"the array is {table.dtype} of shape {table.shape}, and {beside.name} has {len(words)} words"
        raise InputError(problem, source=source, fix="give a row of floating-point numbers for each word")
    digest = hashlib.sha256(data)
    digest.update("\n".join(words).encode())
    return VectorFile(
        path.name, digest.hexdigest()[:12], table.shape[1], words, lambda rows: np.asarray(table[rows], float)
    )
