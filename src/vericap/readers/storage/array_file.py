"""One file of named integer arrays, mapped into memory as it lies on the disk, with a hash of what it holds.

Layout: eight bytes that name the format, the length of the header (8 bytes, little-endian), the header in JSON,
then the arrays, each from a multiple of 64 bytes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.written import whole_file

Arrays = Mapping[str, NDArray[np.unsignedinteger[Any]]]

MAGIC = b"VERICAP\n"
ALIGNMENT = 64
TYPES = {"u1", "<u2", "<u4", "<u8"}


def content_hash(facts: Mapping[str, Any], arrays: Arrays) -> str:
    """SHA-256 of what a file says: its facts, and its arrays with their names and types.

    >>> content_hash({"documents": 2}, {"counts": np.array([1, 2], "<u2")})[:12]
    '620b45208f41'
    """
    import hashlib  # OpenSSL takes longer to load than most tables that are read without it

    digest = hashlib.sha256(_json({"facts": dict(facts), "arrays": _describe(arrays)}))
    for values in arrays.values():
        digest.update(np.ascontiguousarray(values).data)
    return digest.hexdigest()


def write(path: str | os.PathLike[str], name: str, facts: Mapping[str, Any], arrays: Arrays) -> None:
    """Writes a file that `read` reads. `name` is no part of the hash."""
    header = _json(
        {
            "name": name,
            "facts": dict(facts),
            "arrays": _describe(arrays),
            "sha256": content_hash(facts, arrays),
        }
    )
    with whole_file(path) as file:
        file.write(MAGIC + len(header).to_bytes(8, "little") + header)
        for values in arrays.values():
            file.write(bytes(-file.tell() % ALIGNMENT))
            file.write(np.ascontiguousarray(values).data)


def read(
    path: str | os.PathLike[str], *, verify: bool = True
) -> tuple[str, dict[str, Any], dict[str, NDArray[Any]], str]:
    """Name, facts, arrays and hash of a file. The arrays are windows on the file, not copies.

    To verify the hash is to read the whole file; a large table that ships with the package is taken as it is.
    """
    source = os.fspath(path)
    damaged = InputError("the table is damaged or cut off", source=source, fix="copy it again or make it anew")
    try:
        content = np.memmap(path, np.uint8, "r")
        start = len(MAGIC) + 8
        end = start + int.from_bytes(content[len(MAGIC) : start].tobytes(), "little")
        if content[: len(MAGIC)].tobytes() != MAGIC or end > len(content):
            raise damaged
        header = json.loads(content[start:end].tobytes())
        name, facts, hashed = str(header["name"]), dict(header["facts"]), str(header["sha256"])
        arrays: dict[str, NDArray[Any]] = {}
        for key, kind, length in header["arrays"]:
            start = end + -end % ALIGNMENT
            if kind not in TYPES or not isinstance(length, int) or length < 0:
                raise damaged
            end = start + np.dtype(kind).itemsize * length
            if end > len(content):
                raise damaged
            arrays[str(key)] = np.frombuffer(content, kind, length, start)
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", source=source) from None
    except (ValueError, TypeError, KeyError):
        raise damaged from None
    if verify and content_hash(facts, arrays) != hashed:
        raise damaged
    return name, facts, arrays, hashed


def check_format(facts: Mapping[str, Any], kind: str, number: int, source: str, what: str, again: str) -> None:
    """Raises an error for a file of another kind or version: `what` it should be, and how to make it `again`.

    >>> check_format({"kind": "model", "format": 1}, "model", 2, "old.lm", "a model", "train it again")
    Traceback (most recent call last):
    vericap.errors.InputError: old.lm: the file has format 1, and this version reads 2; update vericap, or train it ...
    """
    if facts.get("kind") != kind:
        raise InputError(f"this file is not {what}", source=source, fix=again)
    if facts.get("format") != number:
        raise InputError(
            f"the file has format {facts.get('format')}, and this version reads {number}",
            source=source,
            fix=f"update vericap, or {again}",
        )


def _describe(arrays: Arrays) -> list[list[Any]]:
    return [[key, values.dtype.str.removeprefix("|"), len(values)] for key, values in arrays.items()]


def _json(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
