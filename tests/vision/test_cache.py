"""What is kept on disk comes back as it was; what is damaged is as if it were not there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.vision import cache as cache_module
from vericap.vision.cache import CacheEntry, PictureCache, settings_hash
from vericap.vision.loading import picture_hash

PICTURE, OTHER, MODEL = picture_hash(b"picture"), picture_hash(b"another"), settings_hash("model", "threshold=0.5")
BOXES = np.arange(8, dtype=np.float32).reshape(2, 4)
ENTRY = CacheEntry({"boxes": BOXES, "none": np.zeros((0, 3))}, {"labels": ["dog", "é"]})


def same(found: CacheEntry | None, entry: CacheEntry = ENTRY) -> bool:
    return (
        found is not None
        and found.values == entry.values
        and found.arrays.keys() == entry.arrays.keys()
        and all(
            np.array_equal(found.arrays[name], given) and found.arrays[name].dtype == given.dtype
            for name, given in entry.arrays.items()
        )
    )


def test_by_picture_and_model(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "deep" / "cache")
    assert cache.get(PICTURE, MODEL) is None
    cache.put(PICTURE, MODEL, ENTRY)
    assert same(cache.get(PICTURE, MODEL))
    assert cache.get(OTHER, MODEL) is None
    assert cache.get(PICTURE, settings_hash("model", "threshold=0.4")) is None
    cache.put(PICTURE, MODEL, CacheEntry(values=[1]))
    assert same(cache.get(PICTURE, MODEL), CacheEntry(values=[1]))
    assert cache.problem is None


def test_numbers_come_back_as_they_are_on_this_machine(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path)
    given = CacheEntry({"a": np.array([1, 2], ">i4"), "b": np.float64(0.1), "c": np.array([True])})
    cache.put(PICTURE, MODEL, given)
    found = cache.get(PICTURE, MODEL)
    assert found is not None
    assert found.arrays["a"].tolist() == [1, 2] and found.arrays["a"].dtype == np.dtype("<i4")
    assert found.arrays["b"].shape == () and float(found.arrays["b"]) == 0.1
    found.arrays["a"][0] = 7  # not a window on read-only bytes


def test_every_damage_is_noticed(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path)
    cache.put(PICTURE, MODEL, ENTRY)
    [file] = tmp_path.rglob("*.entry")
    whole = file.read_bytes()
    for place in range(0, len(whole), 3):
        for damaged in (whole[:place], whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]):
            file.write_bytes(damaged)
            assert cache.get(PICTURE, MODEL) is None
    cache.put(PICTURE, MODEL, ENTRY)
    assert same(cache.get(PICTURE, MODEL))


def test_the_entry_of_another_picture_is_not_taken(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path)
    cache.put(PICTURE, MODEL, ENTRY)
    cache.put(OTHER, MODEL, CacheEntry())
    paths = {path.stem: path for path in tmp_path.rglob("*.entry")}
    paths[PICTURE].replace(paths[OTHER])
    assert cache.get(OTHER, MODEL) is None


@pytest.mark.parametrize(
    ("old", "new"), [(b'"F32"', b'"O32"'), (b"[2,4]", b"[9,9]"), (b"[2,4]", b"[-2]"), (b'"values', b'"valves')]
)
def test_an_entry_made_by_somebody_else_cannot_do_harm(old: bytes, new: bytes, tmp_path: Path) -> None:
    """With arrays that would be unpickled, or be larger than the file."""
    cache = PictureCache(tmp_path)
    cache.put(PICTURE, MODEL, ENTRY)
    [file] = tmp_path.rglob("*.entry")
    content = file.read_bytes()
    assert old in content.replace(b"\\", b"")
    file.write_bytes(content.replace(old, new.ljust(len(old))).replace(b"\\" + old, b"\\" + new))
    assert cache.get(PICTURE, MODEL) is None


def test_what_is_too_large_is_neither_written_nor_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = PictureCache(tmp_path)
    cache.put(PICTURE, MODEL, ENTRY)
    monkeypatch.setattr(cache_module, "LARGEST", 100)
    assert cache.get(PICTURE, MODEL) is None
    cache.put(OTHER, MODEL, ENTRY)
    assert cache.problem is not None and "larger than 100" in cache.problem
    assert len(list(tmp_path.rglob("*.entry"))) == 1


def test_objects_are_never_pickled(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="object cannot be kept"):
        PictureCache(tmp_path).put(PICTURE, MODEL, CacheEntry({"x": np.array([None])}))


@pytest.mark.parametrize("key", ["../../etc/passwd", "", "A" * 40, "a/b"])
def test_keys_are_hashes(key: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not a hash"):
        PictureCache(tmp_path).get(key, MODEL)


def test_a_place_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r'file, field "cache": the folder cannot be made .*choose another place'):
        PictureCache(tmp_path / "file")
    cache = PictureCache(tmp_path / "cache")
    (tmp_path / "cache" / MODEL).write_text("")  # where a folder should be
    cache.put(PICTURE, MODEL, ENTRY)
    assert cache.problem and cache.get(PICTURE, MODEL) is None


def test_settings_and_weights_change_the_hash(tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    weights.write_bytes(b"1")
    first = settings_hash(weights, "threshold=0.5")
    assert first == settings_hash(weights, "threshold=0.5") != settings_hash(weights, "threshold=0.4")
    weights.write_bytes(b"2")
    assert first != settings_hash(weights, "threshold=0.5")


WRITER = """
import sys
import numpy as np
from vericap.vision.cache import CacheEntry, PictureCache
from vericap.vision.loading import picture_hash
cache = PictureCache(sys.argv[1])
torn = 0
for turn in range(200):
    key = picture_hash(bytes([turn % 10]))
    cache.put(key, "a" * 40, CacheEntry({"x": np.full(5000, turn % 10)}))
    found = cache.get(key, "a" * 40)
    torn += found is None or not (found.arrays["x"] == turn % 10).all()
print(torn, cache.problem)
"""


def test_two_processes_write_the_same_entries(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [writer.communicate()[0].strip() for writer in writers] == ["0 None", "0 None"]
    assert len(list(tmp_path.rglob("*.entry"))) == 10
    assert not list(tmp_path.rglob("*.partial"))
