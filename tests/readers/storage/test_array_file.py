"""A file of arrays: what goes in comes out mapped, and a byte that is not as it was written is noticed. Arrays of .npz
and other safetensors are mapped where they lie uncompressed, never unpickled."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.data import FOLDER
from vericap.errors import InputError
from vericap.readers.files import File
from vericap.readers.storage.array_file import (
    ALIGNMENT,
    FORMER,
    content_hash,
    is_array_file,
    map_npz,
    map_safetensors,
    read,
    write,
)

KINDS = st.sampled_from(["u1", "<u2", "<u4", "<u8"])
ARRAY = st.tuples(KINDS, st.lists(st.integers(0, 255), max_size=20)).map(lambda made: np.array(made[1], made[0]))
FACTS = {"documents": 3, "language": "pt"}
ARRAYS = {"words": np.frombuffer("ação".encode(), np.uint8), "counts": np.array([1, 70_000], "<u4")}


@given(st.dictionaries(st.text("abc_1", min_size=1, max_size=4), ARRAY, max_size=4), st.text(max_size=5))
def test_what_goes_in_comes_out(tmp_path_factory: pytest.TempPathFactory, arrays: dict, name: str) -> None:
    path = tmp_path_factory.mktemp("arrays") / "a.arrays"
    write(path, name, FACTS, arrays)
    found_name, facts, found, digest = read(path)
    assert (found_name, facts, list(found)) == (name, FACTS, list(arrays))
    for key, array in arrays.items():
        assert found[key].dtype == array.dtype and found[key].tolist() == array.tolist()
    assert digest == content_hash(FACTS, arrays)


def test_arrays_lie_mapped_behind_a_multiple_of_64_bytes(tmp_path: Path) -> None:
    write(tmp_path / "a", "x", FACTS, ARRAYS)
    content = (tmp_path / "a").read_bytes()
    # The words come first in the header, and the wider counts in the file.
    assert is_array_file(content[:64]) and content.find(ARRAYS["counts"].tobytes()) % ALIGNMENT == 0
    found = read(tmp_path / "a")[2]
    assert list(found) == ["words", "counts"]
    assert not found["counts"].flags.writeable and not found["counts"].flags.owndata


def former(path: Path, name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Writes a table as versions before 0.2 did."""
    about = [[key, values.dtype.str.removeprefix("|"), len(values)] for key, values in arrays.items()]
    header = json.dumps({"name": name, "facts": facts, "arrays": about, "sha256": content_hash(facts, arrays)}).encode()
    content = FORMER + len(header).to_bytes(8, "little") + header
    for values in arrays.values():
        content += bytes(-len(content) % ALIGNMENT) + values.tobytes()
    path.write_bytes(content)


def test_former_tables_are_read(tmp_path: Path) -> None:
    former(tmp_path / "old", "x", FACTS, {"none": np.zeros(0, "<u2"), **ARRAYS})
    assert is_array_file((tmp_path / "old").read_bytes()[:64])
    name, facts, found, digest = read(tmp_path / "old")
    write(tmp_path / "new", name, facts, found)
    assert (name, facts, digest) == ("x", FACTS, read(tmp_path / "new")[3])
    assert [(key, values.tolist()) for key, values in read(tmp_path / "new")[2].items()] == [
        ("none", []),
        *((key, values.tolist()) for key, values in ARRAYS.items()),
    ]
    (tmp_path / "old").write_bytes((tmp_path / "old").read_bytes()[:-1])
    with pytest.raises(InputError, match="damaged or cut off"):
        read(tmp_path / "old")


def test_the_library_opens_our_tables(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy")
    name, facts, arrays, digest = read(FOLDER / "wordnet" / "wordnet.arrays")
    write(tmp_path / "a", name, facts, arrays)
    assert read(tmp_path / "a")[3] == digest
    found = library.load_file(tmp_path / "a")
    assert found.keys() == arrays.keys() and all(np.array_equal(found[key], arrays[key]) for key in arrays)


def test_the_hash_is_of_facts_names_types_and_numbers_and_not_of_the_name(tmp_path: Path) -> None:
    other = {
        content_hash({**FACTS, "documents": 4}, ARRAYS),
        content_hash(FACTS, {"words": ARRAYS["words"], "count": ARRAYS["counts"]}),
        content_hash(FACTS, {**ARRAYS, "counts": ARRAYS["counts"].astype("<u8")}),
        content_hash(FACTS, {**ARRAYS, "counts": ARRAYS["counts"] + 1}),
    }
    assert len(other | {content_hash(FACTS, ARRAYS)}) == 5
    for name in ("one", "two"):
        write(tmp_path / name, name, FACTS, ARRAYS)
    assert read(tmp_path / "one")[3] == read(tmp_path / "two")[3] == content_hash(FACTS, ARRAYS)


def test_every_cut_and_every_changed_number_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.arrays"
    write(path, "x", FACTS, ARRAYS)
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(InputError, match=r"a\.arrays: the (table is damaged or cut off|file cannot be read)"):
            read(path)
    changed = whole[:-1] + bytes([whole[-1] ^ 1])
    path.write_bytes(changed)
    with pytest.raises(InputError, match="damaged or cut off; copy it again or create it again"):
        read(path)
    assert read(path, verify=False)[2]["words"].tolist() != ARRAYS["words"].tolist()  # taken as it is, when asked


@pytest.mark.parametrize(
    ("old", "new"), [(b'"U32"', b'"O64"'), (b'"shape":[2]', b'"shape":[9]'), (b'"facts"', b'"fakes"')]
)
def test_a_header_that_asks_for_more_is_refused(old: bytes, new: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.arrays"
    write(path, "x", FACTS, ARRAYS)
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))
    with pytest.raises(InputError, match="damaged"):
        read(path, verify=False)


def test_a_file_that_is_not_there_or_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read") as error:
        read(tmp_path / "none")
    assert error.value.source == str(tmp_path / "none")
    with pytest.raises(InputError, match="cannot be written"):
        write(tmp_path / "no" / "folder", "x", FACTS, ARRAYS)


def test_whoever_reads_meanwhile_finds_a_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be finished leaves the old one as it was, and nothing beside it."""
    path = tmp_path / "a.arrays"
    write(path, "old", FACTS, ARRAYS)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match=r"cannot be written \(No space left"):
        write(path, "new", FACTS, ARRAYS)
    monkeypatch.undo()
    assert read(path)[0] == "old" and [each.name for each in tmp_path.iterdir()] == ["a.arrays"]


MAPPED = {
    "x": np.arange(12, dtype=np.float32).reshape(3, 4),
    "ids": np.array([7, 8, 9]),
    "names": np.array(["a.jpg", "é", "c"]),
    "none": np.zeros((0, 4), np.float32),
}
NAMES = {*MAPPED, "absent"}


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_of_an_npz_come_back(save: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save(path, unknown=np.ones(3), turned=np.asfortranarray(MAPPED["x"]), **MAPPED)
    found = map_npz(File(path), {*NAMES, "turned"})
    assert set(found) == {*MAPPED, "turned"}
    for name, array in MAPPED.items():
        np.testing.assert_array_equal(found[name], array, strict=True)
    np.testing.assert_array_equal(found["turned"], MAPPED["x"])
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
    numbers = {name: array for name, array in MAPPED.items() if name != "names"}
    path.write_bytes(safetensors({**numbers, "unknown": np.ones(2)}, names='["a", "b"]', note="made in a test"))
    found, lists = map_safetensors(File(path), NAMES)
    assert set(found) == set(numbers) and lists == {"names": ["a", "b"]}
    for name, array in numbers.items():
        np.testing.assert_array_equal(found[name], array, strict=True)
    assert not found["x"].flags.owndata and not found["x"].flags.writeable


def test_safetensors_of_the_library_itself(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy")
    numbers = {name: array for name, array in MAPPED.items() if name != "names"}
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
    save(path, **MAPPED)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with pytest.raises(InputError, match="damaged or cut off") as error:
        map_npz(File(path), NAMES)
    assert error.value.source == str(path) and error.value.fix


def test_a_member_that_is_not_an_array_or_shorter_than_it_says_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    whole = io.BytesIO()
    np.save(whole, MAPPED["x"])
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
