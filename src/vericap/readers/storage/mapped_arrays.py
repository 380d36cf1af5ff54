"""Named arrays of .npz and .safetensors files, mapped into memory where they lie uncompressed. Neither is unpickled.

The header of safetensors is read here: its library is a dependency of the extra `neural` alone, and copies an array
into memory where these are mapped, so that gigabytes of features stay on the disk.
"""

from __future__ import annotations

import json
import math
from collections.abc import Container
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.readers.files import File

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

_AGAIN = "write or copy the file again"
_SAFETENSORS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1",
}  # fmt: skip


def map_npz(file: File, names: Container[str]) -> dict[str, NDArray[Any]]:
    """The arrays of these names in an .npz; those that `numpy.savez` stored as they are, are mapped."""
    import lzma
    import zipfile
    import zlib

    arrays: dict[str, NDArray[Any]] = {}
    try:
        with zipfile.ZipFile(file.path) as archive:
            for member in archive.infolist():
                name = member.filename.removesuffix(".npy")
                if name in names:
                    arrays[name] = _member(Path(file.path), archive, member, file.name)
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, RuntimeError) as error:
        if isinstance(error, InputError):
            raise
        # An encrypted archive is a RuntimeError, a compression that Python does not know a NotImplementedError.
        raise InputError(f"the .npz is damaged or cut off ({error})", source=file.name, fix=_AGAIN) from None
    return arrays


def _member(path: Path, archive: ZipFile, member: ZipInfo, source: str) -> NDArray[Any]:
    from zipfile import ZIP_STORED

    from numpy.lib import format as npy

    with archive.open(member) as file:
        shape, fortran, dtype = _header(file, member.filename, source)
        header = file.tell()
        if member.compress_type != ZIP_STORED or fortran or not math.prod(shape):
            try:
                file.seek(0)
                return npy.read_array(file, allow_pickle=False)
            except ValueError as error:
                raise InputError(f"{member.filename} is cut off ({error})", source=source, fix=_AGAIN) from None
    if header + math.prod(shape) * dtype.itemsize != member.file_size:
        raise InputError(f"{member.filename} does not have the length it says", source=source, fix=_AGAIN)
    with path.open("rb") as raw:
        # A local header has 30 bytes, the name and an extra field, whose lengths are at 26.
        raw.seek(member.header_offset + 26)
        name, extra = (int.from_bytes(raw.read(2), "little") for _ in range(2))
    start = member.header_offset + 30 + name + extra + header
    return np.memmap(path, dtype, "r", start, shape)


def _header(file: IO[bytes], name: str, source: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and type of a member of an .npz."""
    from numpy.lib import format as npy

    try:
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, dtype = read(file)
    except Exception as error:  # NumPy reads the header as Python, which fails in many ways
        raise InputError(f"{name} is not a NumPy array ({error})", source=source, fix=_AGAIN) from None
    if dtype.hasobject:
        raise InputError(
            "the array holds pickled Python objects, which are never read",
            source=source,
            field=name.removesuffix(".npy"),
            fix="save ids and labels as strings, numbers as float32",
        )
    return shape, fortran, dtype


class _Tensor(NamedTuple):
    name: str
    kind: str
    shape: tuple[int, ...]
    first: int
    last: int


def map_safetensors(file: File, names: Container[str]) -> tuple[dict[str, NDArray[Any]], dict[str, list[Any]]]:
    """The arrays of these names in a .safetensors file, mapped, and the JSON lists in its metadata."""
    path, source = Path(file.path), file.name
    size = path.stat().st_size
    with path.open("rb") as stored:
        length = int.from_bytes(stored.read(8), "little")
        if size < 8 or length > size - 8:
            raise InputError("the file is cut off within its header", source=source, fix=_AGAIN)
        try:
            header = json.loads(stored.read(length))
            texts = header.pop("__metadata__", {})
            lists = {name: json.loads(text) for name, text in texts.items() if text[:1] == "["}
            tensors = [
                _Tensor(name, str(t["dtype"]), tuple(map(int, t["shape"])), *map(int, t["data_offsets"]))
                for name, t in header.items()
                if name in names
            ]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            problem = f"the header is not a safetensors header ({error})"
            raise InputError(problem, source=source, fix=_AGAIN) from None
    return {tensor.name: _map_tensor(tensor, path, source, 8 + length, size) for tensor in tensors}, lists


def _map_tensor(tensor: _Tensor, path: Path, source: str, start: int, size: int) -> NDArray[Any]:
    name, kind, shape, first, last = tensor
    if kind not in _SAFETENSORS:
        fix = f"save one of {', '.join(_SAFETENSORS)}"
        raise InputError(f"the numbers have type {kind}", source=source, field=name, fix=fix)
    dtype = np.dtype(_SAFETENSORS[kind])
    if min(shape, default=0) < 0 or last - first != math.prod(shape) * dtype.itemsize:
        raise InputError("shape and length of the array differ", source=source, field=name, fix=_AGAIN)
    if first < 0 or start + last > size:
        raise InputError("the file is cut off within this array", source=source, field=name, fix=_AGAIN)
    if not math.prod(shape):
        return np.zeros(shape, dtype)  # nothing cannot be mapped
    return np.memmap(path, dtype, "r", start + first, shape)
