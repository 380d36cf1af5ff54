"""Arrays of .npz and safetensors: mapped where they lie uncompressed, never unpickled."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.readers.files import File
from vericap.readers.storage.mapped_arrays import map_npz, map_safetensors

ARRAYS = {
    "x": np.arange(12, dtype=np.float32).reshape(3, 4),
    "ids": np.array([7, 8, 9]),
    "names": np.array(["a.jpg", "é", "c"]),
    "none": np.zeros((0, 4), np.float32),
}
NAMES = {*ARRAYS, "absent"}


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_of_an_npz_come_back(save: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save(path, unknown=np.ones(3), turned=np.asfortranarray(ARRAYS["x"]), **ARRAYS)
    found = map_npz(File(path), {*NAMES, "turned"})
    assert set(found) == {*ARRAYS, "turned"}
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array, strict=True)
    np.testing.assert_array_equal(found["turned"], ARRAYS["x"])
    assert isinstance(found["x"], np.memmap) is (save is np.savez)


def safetensors(arrays: dict[str, np.ndarray], **metadata: str) -> bytes:
    kinds = {"float32": "F32", "int64": "I64", "float64": "F64", "uint8": "U8"}
    header: dict[str, Any] = {"__metadata__": metadata}
    data = b""
    for name, array in arrays.items():
        end = len(data) + array.nbytes
        header[name] = {"dtype": kinds[str(array.dtype)], "shape": array.shape, "data_offsets": [len(data), end]}
        data += array.tobytes()
    return with_header(header, data)


def with_header(header: Any, data: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def test_arrays_of_safetensors_come_back_with_the_lists_of_their_metadata(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    numbers = {name: array for name, array in ARRAYS.items() if name != "names"}
    path.write_bytes(safetensors({**numbers, "unknown": np.ones(2)}, names='["a", "b"]', note="made in a test"))
    found, lists = map_safetensors(File(path), NAMES)
    assert set(found) == set(numbers) and lists == {"names": ["a", "b"]}
    for name, array in numbers.items():
        np.testing.assert_array_equal(found[name], array, strict=True)
    assert isinstance(found["x"], np.memmap)


def test_safetensors_of_the_library_itself(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy")
    numbers = {name: array for name, array in ARRAYS.items() if name != "names"}
    library.save_file(numbers, tmp_path / "a.safetensors")
    found, _ = map_safetensors(File(tmp_path / "a.safetensors"), NAMES)
    for name, array in numbers.items():
        np.testing.assert_array_equal(found[name], array, strict=True)


class Trap:
    """Its unpickling would leave a mark."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.mark,)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_pickled_arrays_are_never_executed(save: Any, tmp_path: Path) -> None:
    path, mark = tmp_path / "a.npz", tmp_path / "mark"
    save(path, x=np.array([Trap(mark), 7], object))
    with pytest.raises(InputError, match="never read") as error:
        map_npz(File(path), NAMES)
    assert not mark.exists() and error.value.field == "x"


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_an_npz_that_is_cut_off_is_refused(save: Any, share: float, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save(path, **ARRAYS)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with pytest.raises(InputError, match="damaged or cut off") as error:
        map_npz(File(path), NAMES)
    assert error.value.source == str(path) and error.value.fix


def test_a_member_that_is_not_an_array_or_shorter_than_it_says_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    whole = io.BytesIO()
    np.save(whole, ARRAYS["x"])
    for content, problem in ((b"not an array", "is not a NumPy array"), (whole.getvalue()[:-4], "the length it says")):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("x.npy", content)
        with pytest.raises(InputError, match=rf"x\.npy .*{problem}"):
            map_npz(File(path), NAMES)


SHAPE = {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    ("content", "field", "problem"),
    [
        (b"1234", None, "cut off within its header"),
        (struct.pack("<Q", 99) + b"{}", None, "cut off within its header"),
        (struct.pack("<Q", 2) + b"[]", None, "not a safetensors header"),
        (with_header({"x": {"dtype": "F32"}}), None, "not a safetensors header"),
        (with_header({"x": {**SHAPE, "dtype": "BF16"}}, bytes(8)), "x", "BF16"),
        (with_header({"x": {**SHAPE, "shape": [1, 3]}}, bytes(8)), "x", "shape and length of the array differ"),
        (with_header({"x": {**SHAPE, "shape": [-1, -2]}}, bytes(8)), "x", "shape and length of the array differ"),
        (with_header({"x": SHAPE}, bytes(7)), "x", "cut off within this array"),
        (with_header({"x": {**SHAPE, "data_offsets": [-8, 0]}}, bytes(8)), "x", "cut off within this array"),
    ],
)
def test_safetensors_that_are_wrong_name_the_array(
    content: bytes, field: str | None, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(content)
    with pytest.raises(InputError, match=problem) as error:
        map_safetensors(File(path), NAMES)
    assert (error.value.source, error.value.field) == (str(path), field) and error.value.fix
