"""Document frequencies as training code bases pickle them: every spelling of words and of the number of images."""

from __future__ import annotations

import collections
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.readers.files import File
from vericap.readers.storage.frequency_pickles import is_frequency_pickle, read_frequency_pickle

COUNTS = {("a",): 3.0, ("a", "dog"): 2.0}
Table = tuple[dict[tuple[str, ...], int], int]


def read(tmp_path: Path, table: Any, protocol: int = 2) -> Table:
    path = tmp_path / "coco-train-words.p"
    path.write_bytes(table if isinstance(table, bytes) else pickle.dumps(table, protocol))
    return read_frequency_pickle(File(path))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_counts_are_whole_numbers_however_they_are_pickled(tmp_path: Path, protocol: int) -> None:
    floats = collections.defaultdict(float, COUNTS)
    found, documents = read(tmp_path, {"document_frequency": floats, "ref_len": 4}, protocol)
    assert (found, documents) == ({("a",): 3, ("a", "dog"): 2}, 4)
    assert all(type(number) is int for number in found.values())


def test_numbers_of_words_are_spelled(tmp_path: Path) -> None:
    found, _ = read(tmp_path, {"document_frequency": {(7, 0): 2.0, ("7",): 3.0}, "ref_len": 4})
    assert found == {("7", "0"): 2, ("7",): 3}


def test_pickles_of_python_2_have_bytes(tmp_path: Path) -> None:
    """UTF-8 as a rule; what is not UTF-8 is Latin-1."""
    content = (
        b"(dp0\nS'ref_len'\np1\nI40504\nsS'document_frequency'\np2\nccollections\ndefaultdict\np3\n(c__builtin__\n"
        b"float\np4\ntp5\nRp6\n(S'caf\\xc3\\xa9'\np7\ntp8\nF30.0\ns(S'caf\\xe9'\np9\ng7\ntp10\nF2.0\nss."
    )
    assert read(tmp_path, content) == ({("café",): 30, ("café", "café"): 2}, 40504)


@pytest.mark.parametrize(
    "stored",
    [3, 3.0, np.int64(3), np.float64(3.0), math.log(3), np.log(3.0), np.float32(np.log(3.0))],
    ids=lambda stored: f"{type(stored).__name__}-{stored:.2f}",
)
def test_the_number_of_images_or_its_logarithm(tmp_path: Path, stored: Any) -> None:
    assert read(tmp_path, {"document_frequency": COUNTS, "ref_len": stored})[1] == 3


@pytest.mark.parametrize("stored", [None, 2, -1, 2.5, math.nan, math.inf, 1e300, "3", 0, True, [3]])
def test_a_number_of_images_that_cannot_be(tmp_path: Path, stored: Any) -> None:
    with pytest.raises(InputError, match=r"\(at least 3\)") as error:
        read(tmp_path, {"document_frequency": COUNTS, "ref_len": stored})
    assert (error.value.source, error.value.field) == (str(tmp_path / "coco-train-words.p"), "ref_len")


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ([1], "does not hold a table"),
        ({"ref_len": 3}, "has no document_frequency"),
        (COUNTS, "has no document_frequency"),
        ({"document_frequency": {"a dog": 2.0}, "ref_len": 3}, "'a dog' is not an n-gram"),
        ({"document_frequency": {(): 2.0}, "ref_len": 3}, r"\(\) is not an n-gram"),
        ({"document_frequency": {(1.5,): 2.0}, "ref_len": 3}, "1.5 is not a word"),
        ({"document_frequency": {("a",): 2.5}, "ref_len": 3}, r"of \('a',\) is 2.5"),
        ({"document_frequency": {("a",): -2}, "ref_len": 3}, r"of \('a',\) is -2"),
        ({"document_frequency": {("a",): math.nan}, "ref_len": 3}, r"of \('a',\) is nan"),
        ({"document_frequency": {("a",): math.inf}, "ref_len": 3}, r"of \('a',\) is inf"),
        ({"document_frequency": {("a",): "2"}, "ref_len": 3}, r"of \('a',\) is '2'"),
        ({"document_frequency": {("a",): 2**70}, "ref_len": 2**71}, r"of \('a',\) is 1180591620717411303424"),
    ],
)
def test_other_pickles_are_refused_with_the_file_and_the_fix(tmp_path: Path, table: Any, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as error:
        read(tmp_path, table)
    assert error.value.source == str(tmp_path / "coco-train-words.p") and error.value.fix


def test_a_pickle_is_told_by_its_content_or_its_name(tmp_path: Path) -> None:
    for name, content, expected in [
        ("a.json", pickle.dumps(COUNTS, 4), True),
        ("a.json", b"[1]", False),
        ("a.pkl", b"[1]", True),
    ]:
        (tmp_path / name).write_bytes(content)
        assert is_frequency_pickle(File(tmp_path / name)) is expected


@pytest.mark.parametrize("field", ["ref_len", "document_frequency"])
def test_values_that_would_fill_the_disk_are_named_in_short(
    tmp_path: Path, bounded: Callable[[str], str], field: str
) -> None:
    deep = b"I1\n" + b"2\x86" * 200  # a pair of the same pair twice, 200 deep: written out, 2²⁰⁰ numbers
    table = {b"ref_len": b"I3\n", b"document_frequency": b"}"}
    table[field.encode()] = deep if field == "ref_len" else b"}(S'dog'\nt" + deep + b"s"
    path = tmp_path / "table.p"
    path.write_bytes(b"}" + b"".join(b"S'%b'\n%bs" % item for item in table.items()) + b".")
    code = f"""
from pathlib import Path
from vericap.errors import InputError
from vericap.readers.files import File
from vericap.readers.storage.frequency_pickles import read_frequency_pickle
try:
    read_frequency_pickle(File(Path({str(path)!r})))
except InputError as error:
    print(error.field, len(str(error)) < 1000)
"""
    assert bounded(code) == f"{field} True"
