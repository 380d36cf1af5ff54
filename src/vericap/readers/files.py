"""Bytes from a path or standard input: decompressed, in UTF-8, and recognised by what is in them."""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
import zlib
from pathlib import Path
from typing import Any

from vericap.errors import InputError
from vericap.readers.messages import one_line

# What is read into memory from a pipe, standard input or a device, which may never end. A regular file has no limit.
LARGEST_STREAM = 2 << 30
# What compressed content may become: this many times its size, and always at least so much. Text becomes 5 to 20 times.
LARGEST_RATIO, ALWAYS_ALLOWED = 100, 256 << 20
_PIECE = 1 << 20

GZIP, ZSTANDARD, PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
_NOT_CAPTIONS = {
    b"PK\x03\x04": "a zip archive",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ\x00": "compressed with xz",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"%PDF": "a PDF",
    b"\x89HDF": "an HDF5 file",
    b"ARROW1": "an Arrow IPC file",
    b"\x80\x02": "a pickle, which is never read",
    b"\x80\x03": "a pickle, which is never read",
    b"\x80\x04": "a pickle, which is never read",
    b"\x80\x05": "a pickle, which is never read",
}
_DECOMPRESS = "decompress it first, if this is what it should hold"
_FORMATS = "save it as JSON, JSONL, CSV, TSV, Parquet or plain text"
# What JSON starts with. A caption of a plain-text file may start with a bracket ("[UNK] dog"), but not so.
_JSON_START = re.compile(rb'\s*(?:\{\s*(?:"|\}|\Z)|\[\s*(?:["\[{\]]|\Z))')


def name_of(path: str | os.PathLike[str]) -> str:
    """What errors call a path."""
    return "standard input" if os.fspath(path) == "-" else os.fspath(path)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The decompressed content of a file, or of standard input for "-"."""
    source = name_of(path)
    try:
        data = _read_stdin() if os.fspath(path) == "-" else read_raw(path)
    except FileNotFoundError:
        fix = "check the path" if isinstance(path, os.PathLike) else "check the path (captions go in a list)"
        raise InputError("there is no such file", source=source, fix=fix) from None
    except IsADirectoryError:
        raise InputError("this is a folder", source=source, fix="name a file in it") from None
    except PermissionError:
        raise InputError("the file may not be read", source=source, fix="change its permissions") from None
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"the file cannot be read ({reason})", source=source) from None
    data = decompress(data, source)
    if not data:
        raise InputError("the file is empty", source=source, fix="give at least one caption")
    return data


def _read_stdin() -> bytes:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise OSError("there is none")
    return _read_up_to(stream, LARGEST_STREAM, "standard input", "give it as a file")


def read_raw(path: str | os.PathLike[str]) -> bytes:
    """The content of a file as it is stored. A pipe or a device can be read only once, and not without end."""
    if not (Path(path).is_fifo() or Path(path).is_char_device()):
        return Path(path).read_bytes()
    with Path(path).open("rb") as file:
        return _read_up_to(file, LARGEST_STREAM, os.fspath(path), "give a regular file")


def _read_up_to(stream: Any, limit: int, source: str, fix: str) -> bytes:
    """All that a stream holds; more than `limit` bytes are an error."""
    content = io.BytesIO()
    while piece := stream.read(_PIECE):
        content.write(piece)
        if content.tell() > limit:
            raise InputError(f"the content is larger than {limit >> 20:,} MiB", source=source, fix=fix)
    return content.getvalue()


def decompress(data: bytes, source: str) -> bytes:
    """`data` without its gzip or Zstandard compression, if it has one; see `LARGEST_RATIO` for how large it may be."""
    limit = max(ALWAYS_ALLOWED, LARGEST_RATIO * len(data))
    if data.startswith(GZIP):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                return _read_up_to(stream, limit, source, _DECOMPRESS)
        except EOFError:
            raise InputError("the gzip data is truncated", source=source, fix="copy the file again") from None
        except InputError:
            raise
        except (OSError, zlib.error, ValueError) as error:
            raise InputError(f"the gzip data is damaged ({error})", source=source) from None
    if data.startswith(ZSTANDARD):
        import pyarrow

        try:
            with pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd") as stream:
                return _read_up_to(stream, limit, source, _DECOMPRESS)
        except InputError:
            raise
        except (OSError, ValueError, pyarrow.ArrowException) as error:
            problem = "truncated" if "runcated" in str(error) else f"damaged ({one_line(error)})"
            raise InputError(f"the Zstandard data is {problem}", source=source, fix="copy the file again") from None
    return data


def as_utf8(data: bytes, source: str) -> bytes:
    """Text as UTF-8 bytes without a byte-order mark; its validity is not checked yet."""
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    elif data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            data = data.decode("utf-16").encode()
        except UnicodeDecodeError as error:
            raise InputError(
                f"byte {error.start + 1} is not UTF-16, as its byte-order mark says",
                source=source,
                fix="save it as UTF-8",
            ) from None
    for magic, kind in _NOT_CAPTIONS.items():
        if data.startswith(magic):
            raise InputError(f"this is {kind}", source=source, fix=_FORMATS)
    if (null := data.find(b"\0")) >= 0:
        raise InputError(f"this is a binary file (byte {null + 1} is zero)", source=source, fix=_FORMATS)
    return data


def decode(data: bytes, source: str) -> str:
    """UTF-8 bytes as a string."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(data, error, source) from None


def not_utf8(data: bytes, error: UnicodeDecodeError, source: str, row: int | None = None) -> InputError:
    """The error for text in another encoding: it names the byte, of the file or of the row."""
    where = f"byte {error.start + 1} of the row"
    if row is None:
        line = data.count(b"\n", 0, error.start) + 1
        where = f"byte {error.start + 1}, in line {line},"
    problem = f"{where} is 0x{data[error.start]:02x}, which is not UTF-8 there"
    return InputError(problem, source=source, row=row, fix="save it as UTF-8")


def looks_like_json(data: bytes) -> bool:
    """Does it start as a JSON object or array does?

    >>> looks_like_json(b' [{"caption": "a dog"}]'), looks_like_json(b"[UNK] dog runs")
    (True, False)
    """
    return _JSON_START.match(data) is not None


def extension(path: str | os.PathLike[str]) -> str:
    """The last extension that is not one of a compression, in lower case."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    while suffixes and suffixes[-1] in (".gz", ".zst", ".zstd", ".gzip"):
        suffixes.pop()
    return suffixes[-1] if suffixes else ""
