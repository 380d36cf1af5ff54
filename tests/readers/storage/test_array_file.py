"""A file of arrays: what goes in comes out mapped, and a byte that is not as it was written is noticed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.readers.storage.array_file import ALIGNMENT, MAGIC, content_hash, read, write

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


def test_arrays_lie_mapped_at_multiples_of_64_bytes(tmp_path: Path) -> None:
    write(tmp_path / "a", "x", FACTS, ARRAYS)
    content = (tmp_path / "a").read_bytes()
    assert content.startswith(MAGIC) and content.find(ARRAYS["counts"].tobytes()) % ALIGNMENT == 0
    found = read(tmp_path / "a")[2]
    assert not found["counts"].flags.writeable and not found["counts"].flags.owndata


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
    with pytest.raises(InputError, match="damaged or cut off; copy it again or make it anew"):
        read(path)
    assert read(path, verify=False)[2]["counts"].tolist() != ARRAYS["counts"].tolist()  # taken as it is, when asked


@pytest.mark.parametrize(("old", "new"), [(b'"<u4"', b'"|O8"'), (b'"<u4",2', b'"<u4",9'), (b'"facts"', b'"fakes"')])
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
