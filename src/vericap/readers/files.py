"""Files and standard input: their bytes, decompressed and in UTF-8, read once however often they are asked for."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from functools import cached_property
from pathlib import Path
from typing import Any

from vericap.errors import InputError
from vericap.readers.messages import one_line

# What is read into memory from a pipe, standard input or a device, which may never end. A regular file has no limit.
LARGEST_STREAM = 2 << 30
# What compressed content may become: this many times its size, and always at least this many bytes. Text becomes 5 to
# 20 times larger.
LARGEST_RATIO, ALWAYS_ALLOWED = 100, 256 << 20
_PIECE = 1 << 20

GZIP, ZSTANDARD, PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")  # of UTF-8 and UTF-16
HEAD = 4096  # bytes by which a format is recognised
_NOT_TEXT = {
    b"PK\x03\x04": "a zip archive",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ\x00": "compressed with xz",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"%PDF": "a PDF",
    b"\x89HDF": "an HDF5 file",
    b"ARROW1": "an Arrow IPC file",
    **{bytes((0x80, protocol)): "a pickle, which is never read" for protocol in range(2, 6)},
}
_DECOMPRESS = "decompress it first, if this is what it should hold"
_SAVE_AS = "save it as JSON, JSONL, CSV, TSV, Parquet or plain text"


class File:
    """A file, or standard input for "-". A pipe can be read only once, so what was read is kept.

    >>> file = File("results.jsonl.gz")
    >>> file.name, file.extension
    ('results.jsonl.gz', '.jsonl')
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self.is_standard_input = os.fspath(path) == "-"
        self.name = "standard input" if self.is_standard_input else os.fspath(path)
        # Standard input and pipes cannot be opened again. os.path answers False for a name that no file can have.
        self.is_regular = not self.is_standard_input and os.path.isfile(path)  # noqa: PTH113
        # The last extension that is not one of a compression, in lower case.
        endings = [each for each in Path(path).suffixes if each.lower() not in (".gz", ".zst", ".zstd", ".gzip")]
        self.extension = endings[-1].lower() if endings else ""

    @cached_property
    def head(self) -> bytes:
        """The first bytes as they are stored, by which a format is recognised."""
        if not self.is_regular:
            return self.data and self._head
        try:
            with Path(self.path).open("rb") as file:
                return file.read(HEAD)
        except (OSError, ValueError) as error:
            raise self._unreadable(error) from None

    @cached_property
    def data(self) -> bytes:
        """The content, decompressed."""
        try:
            if self.is_standard_input:
                stream = getattr(sys.stdin, "buffer", None)
                if stream is None:
                    raise OSError("there is none")
                data = _read_up_to(stream, LARGEST_STREAM, self.name, "give it as a file")
            else:
                with Path(self.path).open("rb") as file:
                    fix = "give a regular file"
                    data = file.read() if self.is_regular else _read_up_to(file, LARGEST_STREAM, self.name, fix)
        except InputError:
            raise
        except (OSError, ValueError) as error:
            raise self._unreadable(error) from None
        self._head = data[:HEAD]
        if data.startswith((GZIP, ZSTANDARD)):
            data = decompress(data, self.name)
        if not data:
            raise InputError("the file is empty", source=self.name, fix="check the program that wrote it")
        return data

    @cached_property
    def utf8(self) -> bytes:
        """The content of a text file as UTF-8 without a byte-order mark; its validity is not checked yet."""
        data = self.data
        if data.startswith(_MARKS):
            data = without_mark(data, self.name)
        for magic, kind in _NOT_TEXT.items():
            if data.startswith(magic):
                raise InputError(f"this is {kind}", source=self.name, fix=_SAVE_AS)
        if (null := data.find(b"\0")) >= 0:
            raise InputError(f"this is a binary file (byte {null + 1} is zero)", source=self.name, fix=_SAVE_AS)
        return data

    @property
    def text(self) -> str:
        """The content of a text file."""
        return decode(self.utf8, self.name)

    @cached_property
    def first_line(self) -> str:
        """The first line of a text file, without its line break."""
        end = self.utf8.find(b"\n")
        line = decode(self.utf8 if end < 0 else self.utf8[:end], self.name)
        return line.removesuffix("\r") if end >= 0 else line

    def _unreadable(self, error: OSError | ValueError) -> InputError:
        match error:
            case FileNotFoundError():
                as_list = "" if isinstance(self.path, os.PathLike) else " (captions themselves go in a list)"
                problem, fix = "there is no such file", f"check the path{as_list}"
            case IsADirectoryError():
                problem, fix = "this is a folder", "name a file in it"
            case PermissionError():
                problem, fix = "the file may not be read", "change its permissions"
            case _:
                reason = getattr(error, "strerror", None) or error
                problem, fix = f"the file cannot be read ({reason})", "check the path"
        return InputError(problem, source=self.name, fix=fix)


def _read_up_to(stream: Any, limit: int, source: str, fix: str) -> bytes:
    """Return all that a stream holds; more than `limit` bytes are an error."""
    content = io.BytesIO()
    while piece := stream.read(_PIECE):
        content.write(piece)
        if content.tell() > limit:
            raise InputError(f"the content is larger than {limit >> 20:,} MiB", source=source, fix=fix)
    return content.getvalue()


def decompress(data: bytes, source: str) -> bytes:
    """Return `data` without its gzip or Zstandard compression; see `LARGEST_RATIO` for how large it may be."""
    limit = max(ALWAYS_ALLOWED, LARGEST_RATIO * len(data))
    kind = "gzip" if data.startswith(GZIP) else "Zstandard"
    try:
        if kind == "gzip":
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                return _read_up_to(stream, limit, source, _DECOMPRESS)
        import pyarrow

        with pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd") as stream:
            return _read_up_to(stream, limit, source, _DECOMPRESS)
    except InputError:
        raise
    except (EOFError, OSError, zlib.error, ValueError) as error:  # those of pyarrow are OSError and ValueError
        truncated = isinstance(error, EOFError) or "runcated" in str(error)
        problem = "truncated" if truncated else f"damaged ({one_line(error)})"
        raise InputError(f"the {kind} data is {problem}", source=source, fix="copy the file again") from None


def without_mark(data: bytes, source: str) -> bytes:
    """Return text that begins with a byte-order mark as UTF-8 without it."""
    if data.startswith(_MARKS[0]):
        return data[3:]
    try:
        return data.decode("utf-16").encode()
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} is not UTF-16, as its byte-order mark says"
        raise InputError(problem, source=source, fix="save it as UTF-8") from None


def decode(data: bytes, source: str) -> str:
    """Return UTF-8 bytes as a string."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(data, error, source) from None


def not_utf8(data: bytes, error: UnicodeDecodeError, source: str, row: int | None = None) -> InputError:
    """Return the error for text in another encoding: it names the byte, of the file or of the row."""
    where = f"byte {error.start + 1} of the row"
    if row is None:
        line = data.count(b"\n", 0, error.start) + 1
        where = f"byte {error.start + 1}, in line {line},"
    problem = f"{where} is 0x{data[error.start]:02x}, which is not UTF-8 there"
    return InputError(problem, source=source, row=row, fix="save it as UTF-8")
