"""A cache on disk of what models computed for pictures: one small file for each picture and model. Several processes
may share a folder: a file takes its place in one step, and one that is damaged counts as absent."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.readers.storage import array_file

KIND = "what a model computed for a picture"
LARGEST = 64 << 20  # bytes of an entry; nothing larger is written, or read
_HASH = re.compile("[0-9a-f]{16,128}")


@dataclass(frozen=True, eq=False)
class CacheEntry:
    """The output of a model for a picture: named arrays, plain values as JSON has them, or both."""

    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    values: Any = None


def settings_hash(*parts: str | bytes | os.PathLike[str]) -> str:
    """Return the hash of a model and its settings: texts, bytes, and the content of files where a path is given.

    >>> settings_hash("ab", "c") != settings_hash("a", "bc")
    True
    """
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        if isinstance(part, os.PathLike):
            with Path(part).open("rb") as file:
                content = hashlib.file_digest(file, "sha256").digest()
        else:
            content = hashlib.sha256(part.encode() if isinstance(part, str) else part).digest()
        digest.update(content)
    return digest.hexdigest()


class PictureCache:
    """Entries in a folder, found by the hash of a picture's bytes (`picture_hash`) and the hash of a model with its
    settings (`settings_hash`).

    `problem` says why entries could not be written, if any could not: the work goes on without them.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = PictureCache(folder)
    ...     cache.put("0" * 40, "a" * 40, CacheEntry({"features": np.ones(2)}, {"labels": ["dog"]}))
    ...     found = PictureCache(folder).get("0" * 40, "a" * 40)
    ...     found.arrays["features"].tolist(), found.values, cache.get("1" * 40, "a" * 40)
    ([1.0, 1.0], {'labels': ['dog']}, None)
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.problem: str | None = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(
                f"the folder cannot be made ({reason})", source=str(folder), field="cache", fix="choose another place"
            ) from None

    def get(self, picture: str, model: str) -> CacheEntry | None:
        """Return what was kept for this picture and model; None where there is nothing, or nothing whole."""
        path = self._path(picture, model)
        try:
            if not path.is_file():
                return None
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
            _, facts, arrays, _ = array_file.unpack(np.frombuffer(data, np.uint8), "cache")
        except (OSError, InputError):
            return None
        values = facts.pop("values", None)
        if len(data) > LARGEST or facts != {"kind": KIND, "picture": picture, "model": model}:
            return None
        return CacheEntry({name: array.copy() for name, array in arrays.items()}, values)

    def put(self, picture: str, model: str, entry: CacheEntry) -> None:
        """Keep an entry in the place of the one before, if there is one."""
        arrays = {name: np.asarray(given) for name, given in entry.arrays.items()}
        little = {name: array.astype(array.dtype.newbyteorder("<"), copy=False) for name, array in arrays.items()}
        facts = {"kind": KIND, "picture": picture, "model": model, "values": entry.values}
        data = b"".join(array_file.pack("", facts, little))
        path = self._path(picture, model)
        if len(data) > LARGEST:
            self.problem = f"an entry of {len(data):,} bytes is larger than {LARGEST:,}"
            return
        partial = path.with_name(f".{secrets.token_hex(8)}.partial")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # No fsync: what a crash of the machine leaves is known by its hash, and made again.
            partial.write_bytes(data)
            partial.replace(path)
        except OSError as error:
            self.problem = str(error.strerror or error)
            with suppress(OSError):
                partial.unlink(missing_ok=True)

    def _path(self, picture: str, model: str) -> Path:
        for given in (picture, model):
            if not _HASH.fullmatch(given):
                raise ValueError(f"{given!r} is not a hash in hexadecimal digits")
        return self.folder / model / picture[:2] / f"{picture}.entry"
