"""Word vectors of the files people have: every format gives the same rows, and a file that lies is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.readers.storage.vector_files import read_vectors

TABLE = {"dog": [1.0, 0.5, -2.0], "cat": [0.0, 3.0, 4.0], "New York": [1.0, 1.0, 1.0]}


def write_binary(path: Path, *, line_breaks: bool) -> Path:
    rows = [word.replace(" ", "_").encode() + b" " + np.array(v, "<f4").tobytes() for word, v in TABLE.items()]
    path.write_bytes(b"3 3\n" + b"".join(row + (b"\n" if line_breaks else b"") for row in rows))
    return path


def write_text(path: Path, header: str) -> Path:
    path.write_text(header + "".join(f"{word} {' '.join(map(str, v))}\n" for word, v in TABLE.items()), "utf-8")
    return path


def write_array(path: Path) -> Path:
    np.save(path, np.array(list(TABLE.values()), np.float32))
    path.with_suffix(".vocab").write_text("\n".join(TABLE) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("form", ["word2vec", "gensim", "glove", "fasttext", "numpy"])
def test_files_people_have(form: str, tmp_path: Path) -> None:
    path = {
        "word2vec": lambda: write_binary(tmp_path / "v.bin", line_breaks=True),
        "gensim": lambda: write_binary(tmp_path / "v.bin", line_breaks=False),
        "glove": lambda: write_text(tmp_path / "v.txt", ""),
        "fasttext": lambda: write_text(tmp_path / "v.vec", "3 3\n"),
        "numpy": lambda: write_array(tmp_path / "v.npy"),
    }[form]()
    found = read_vectors(path)
    named = "New_York" if path.suffix == ".bin" else "New York"  # a word may have a space where numbers come last
    assert found.words == ["dog", "cat", named] and found.dimensions == 3 and found.name == path.name
    assert found.read(np.array([1, 0, 2])).tolist() == [TABLE["cat"], TABLE["dog"], TABLE["New York"]]
    assert len(found.digest) == 12


def test_the_hash_is_of_the_whole_content(tmp_path: Path) -> None:
    one, same = write_text(tmp_path / "a.txt", ""), write_text(tmp_path / "b.txt", "")
    assert read_vectors(one).digest == read_vectors(same).digest
    same.write_text(same.read_text().replace("4.0", "4.5"))
    assert read_vectors(one).digest != read_vectors(same).digest
    array = write_array(tmp_path / "v.npy")
    before = read_vectors(array).digest
    array.with_suffix(".vocab").write_text("dog\ncow\nNew York\n")
    assert read_vectors(array).digest != before


@pytest.mark.parametrize(
    ("content", "row", "problem"),
    [
        (b"", None, "it is empty"),
        (b"\n\n", None, "there is no word in it"),
        (b"3 3\ndog \xff\xff\xff\xff", None, "3 words of 3 numbers, which do not fit into 12 bytes"),
        (b"2 1\ndog \xff\xff\xff\xffcat\xff\xff", None, "it ends in word 2 of 2"),
        (b"only words here\n", 1, "its first row is not a word and numbers"),
        (b"dog 1 2 3\ncat 1 2\n", 2, "2 numbers after its word, and the file has 3 dimensions"),
        (b"dog 1 2 3\ncat 1 2 3 4\n", 2, "4 numbers after its word"),
        (b"dog 1 0\n\ncat 1\n", 2, "1 numbers after its word"),
        (b"3 2\ndog 1 2\ncat 1 2\n", None, "says 3 words, and there are 2"),
    ],
)
def test_a_file_that_is_wrong_is_named_with_its_row(
    content: bytes, row: int | None, problem: str, tmp_path: Path
) -> None:
    (tmp_path / "v.bin").write_bytes(content)
    with pytest.raises(InputError, match=problem) as error:
        read_vectors(tmp_path / "v.bin")
    assert (error.value.source, error.value.row) == (str(tmp_path / "v.bin"), row) and error.value.fix


def test_a_cell_that_is_not_a_number_is_named_when_its_row_is_read(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("dog 1 2 3\ncat 1 x 3\n")
    found = read_vectors(tmp_path / "v.txt")
    assert found.read(np.array([0])).tolist() == [[1, 2, 3]]
    with pytest.raises(InputError, match="has not 3 numbers"):
        found.read(np.array([1]))


def test_an_array_needs_its_vocabulary(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.ones((2, 3)))
    with pytest.raises(InputError, match=r"\.vocab is missing; write it, one word per line"):
        read_vectors(tmp_path / "v.npy")
    (tmp_path / "v.vocab").write_text("dog\n")
    with pytest.raises(InputError, match="has 1 words"):
        read_vectors(tmp_path / "v.npy")
    np.save(tmp_path / "v.npy", np.array([{"a": 1}], object), allow_pickle=True)
    with pytest.raises(InputError, match="the array cannot be read"):
        read_vectors(tmp_path / "v.npy")
    with pytest.raises(InputError, match="cannot be read"):
        read_vectors(tmp_path / "nothing.bin")


def test_a_word_with_spaces_keeps_its_vector(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("dog 1 0\n. . . 0 1\n")
    vectors = read_vectors(tmp_path / "v.txt")
    assert vectors.words == ["dog", ". . ."] and vectors.read(np.array([1])).tolist() == [[0, 1]]
