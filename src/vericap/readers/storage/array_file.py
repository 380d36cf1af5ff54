"""Named arrays of one file, mapped into memory: safetensors, which our own tables are too, and .npz. Nothing is
unpickled.

A safetensors file has the length of its header (8 bytes, little-endian), the header in JSON (type, shape and place of
each array, and texts as `__metadata__`), then the arrays. Ours have blanks after the header, so that arrays begin at a
multiple of 64 bytes, the widest numbers first; their metadata are a name, facts in JSON, and a hash of both the facts
and the arrays. The header is read here: the library is a dependency of the extra `neural` alone, and copies arrays into
memory where these are mapped, so that gigabytes of features stay on the disk.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Container, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.readers.files import File
from vericap.written import whole_file

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

Arrays = Mapping[str, NDArray[Any]]

ALIGNMENT = 64
FORMER = b"VERICAP\n"  # begins tables of versions before 0.2
KINDS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
_NAMES = {kind: name for name, kind in KINDS.items()}
_AGAIN = "write or copy the file again"


def content_hash(facts: Mapping[str, Any], arrays: Arrays) -> str:
    """Return the SHA-256 of what a file says: its facts, and its arrays with their names and types.

    >>> content_hash({"documents": 2}, {"counts": np.array([1, 2], "<u2")})[:12]
    '620b45208f41'
    """
    import hashlib  # OpenSSL takes longer to load than most tables that are read without it

    about = [
        [name, values.dtype.str.removeprefix("|"), len(values) if values.ndim == 1 else values.shape]
        for name, values in arrays.items()
    ]
    digest = hashlib.sha256(_json({"facts": dict(facts), "arrays": about}).encode())
    for values in arrays.values():
        digest.update(_flat(values).data)
    return digest.hexdigest()


def pack(name: str, facts: Mapping[str, Any], arrays: Arrays) -> list[Any]:
    """Return the pieces of a file that `read` reads. `name` is not part of the hash."""
    texts = {"name": name, "facts": _json(dict(facts)), "sha256": content_hash(facts, arrays)}
    header: dict[str, Any] = {"__metadata__": texts, **dict.fromkeys(arrays)}
    pieces, end = [], 0
    for key in sorted(arrays, key=lambda key: -arrays[key].itemsize):
        values = arrays[key]
        if values.dtype.str not in _NAMES:
            raise TypeError(f"an array of {values.dtype} cannot be kept")
        place = [end, end := end + values.nbytes]
        header[key] = {"dtype": _NAMES[values.dtype.str], "shape": values.shape, "data_offsets": place}
        pieces.append(_flat(values).data)
    written = json.dumps(header, separators=(",", ":")).encode()
    written += b" " * (-(8 + len(written)) % ALIGNMENT)
    return [len(written).to_bytes(8, "little"), written, *pieces]


def write(path: str | os.PathLike[str], name: str, facts: Mapping[str, Any], arrays: Arrays) -> None:
    """Writes a file that `read` reads."""
    with whole_file(path) as file:
        file.writelines(pack(name, facts, arrays))


def read(
    path: str | os.PathLike[str], *, verify: bool = True
) -> tuple[str, dict[str, Any], dict[str, NDArray[Any]], str]:
    """Return name, facts, arrays and hash of a file of our own. The arrays are windows on the file, not copies.

    To verify the hash is to read the whole file; a large table that ships with the package is taken as it is.
    """
    return unpack(_mapped(path), os.fspath(path), verify=verify)


def unpack(
    content: NDArray[np.uint8], source: str, *, verify: bool = True
) -> tuple[str, dict[str, Any], dict[str, NDArray[Any]], str]:
    """Return what `read` does, of a file's content."""
    try:
        former = content[:8].tobytes() == FORMER
        arrays, texts = _of_former(content) if former else _tensors(content, source)
        name, facts, hashed = str(texts["name"]), dict(json.loads(texts["facts"])), str(texts["sha256"])
        if verify and content_hash(facts, arrays) != hashed:
            raise ValueError("another hash")
    except (ValueError, TypeError, KeyError):  # an InputError too
        problem, fix = "the table is damaged or cut off", "copy it again or create it again"
        raise InputError(problem, source=source, fix=fix) from None
    return name, facts, arrays, hashed


def is_array_file(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is one of ours, or other safetensors.

    >>> is_array_file(b"".join(pack("none", {}, {}))), is_array_file(b'[{"image_id": 1}]')
    (True, False)
    """
    return head.startswith(FORMER) or (head[8:9] == b"{" and int.from_bytes(head[:8], "little") < 1 << 32)


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


def map_safetensors(
    file: File, names: Container[str] | None = None
) -> tuple[dict[str, NDArray[Any]], dict[str, list[Any]]]:
    """Return the arrays of these names, or all, in a .safetensors file, mapped, and the JSON lists in its metadata."""
    arrays, texts = _tensors(_mapped(file.path), file.name, names)
    try:
        return arrays, {name: json.loads(text) for name, text in texts.items() if text[:1] == "["}
    except ValueError as error:
        raise InputError(f"the metadata are not valid JSON ({error})", source=file.name, fix=_AGAIN) from None


def _mapped(path: str | os.PathLike[str]) -> NDArray[np.uint8]:
    try:
        return np.memmap(path, np.uint8, "r") if Path(path).stat().st_size else np.zeros(0, np.uint8)
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", source=os.fspath(path)) from None


def _tensors(
    content: NDArray[np.uint8], source: str, names: Container[str] | None = None
) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Return the arrays of these names, or all, and the metadata; an error names what is wrong."""
    start = 8 + int.from_bytes(content[:8].tobytes(), "little")
    if len(content) < 8 or start > len(content):
        raise InputError("the file is cut off within its header", source=source, fix=_AGAIN)
    try:
        header = json.loads(content[8:start].tobytes())
        texts = {str(name): str(text) for name, text in header.pop("__metadata__", {}).items()}
        tensors = [
            (name, str(about["dtype"]), tuple(map(int, about["shape"])), *map(int, about["data_offsets"]))
            for name, about in header.items()
            if names is None or name in names
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        problem = f"the header is not a safetensors header ({error})"
        raise InputError(problem, source=source, fix=_AGAIN) from None
    arrays: dict[str, NDArray[Any]] = {}
    for name, kind, shape, first, last in tensors:
        if kind not in KINDS:
            fix = f"save one of {', '.join(KINDS)}"
            raise InputError(f"the numbers have type {kind}", source=source, field=name, fix=fix)
        count, size = math.prod(shape), np.dtype(KINDS[kind]).itemsize
        if min(shape, default=0) < 0 or last - first != count * size:
            raise InputError("shape and length of the array differ", source=source, field=name, fix=_AGAIN)
        if first < 0 or start + last > len(content):
            raise InputError("the file is cut off within this array", source=source, field=name, fix=_AGAIN)
        arrays[name] = np.frombuffer(content, KINDS[kind], count, start + first).reshape(shape)
    return arrays, texts


def _of_former(content: NDArray[np.uint8]) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return arrays and metadata of a former file: behind its mark the header, then arrays, each from a multiple of 64
    bytes on."""
    end = 16 + int.from_bytes(content[8:16].tobytes(), "little")
    header = json.loads(content[16:end].tobytes())
    arrays: dict[str, NDArray[Any]] = {}
    for key, kind, length in header["arrays"]:
        if kind.lstrip("<") not in ("u1", "u2", "u4", "u8") or length < 0:
            raise ValueError("not one of the types it had")
        start = end + -end % ALIGNMENT
        arrays[key] = np.frombuffer(content, kind, length, start)
        end = start + arrays[key].nbytes
    return arrays, {**header, "facts": json.dumps(header["facts"])}


def _flat(values: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(values).reshape(-1)


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def map_npz(file: File, names: Container[str]) -> dict[str, NDArray[Any]]:
    """Return the arrays of these names in an .npz; those that `numpy.savez` stored uncompressed are mapped."""
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
    """Return shape, order and type of a member of an .npz."""
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
