"""A benchmark's folder: files are found by their usual names, and one that is missing says where it comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.readers.judgements import Folder


def folder(path: Path) -> Folder:
    return Folder(path, "THumB", "github.com/jungokasai/THumB")


def test_the_folder_is_the_one_given_or_a_usual_one_inside(tmp_path: Path) -> None:
    (tmp_path / "thumb").mkdir()
    assert Folder.find(tmp_path, "THumB", ["THumB", "thumb"], "x").path == tmp_path / "thumb"
    assert Folder.find(tmp_path / "thumb", "THumB", ["thumb"], "x").path == tmp_path / "thumb"
    with pytest.raises(InputError, match="no such folder or file, in which to look for THumB") as error:
        Folder.find(tmp_path / "none", "THumB", [], "the web")
    assert error.value.source == str(tmp_path / "none") and "the web" in str(error.value.fix)


def test_a_file_is_the_first_of_its_names_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("one\r\ntwo\n")
    assert folder(tmp_path).file("a.txt", "b.txt") == tmp_path / "b.txt"
    assert folder(tmp_path).lines("b.txt") == ["one", "two"] and folder(tmp_path).bytes("b.txt") == b"one\r\ntwo\n"
    assert folder(tmp_path / "b.txt").file("a.txt") == tmp_path / "b.txt"  # a file that is given is taken as it is


def test_a_missing_file_names_what_looks_like_it_or_where_it_comes_from(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ratings\.json is missing, which THumB needs; it comes from github"):
        folder(tmp_path).file("ratings.json", "other.json")
    (tmp_path / "Rating.json").touch()
    with pytest.raises(InputError, match=r"rename Rating\.json, if that is the file"):
        folder(tmp_path).file("ratings.json")


def test_files_by_ending_in_order(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", "c.tsv", "d.json"):
        (tmp_path / name).touch()
    assert [path.name for path in folder(tmp_path).files(".csv", ".tsv")] == ["a.csv", "b.csv", "c.tsv"]
    assert folder(tmp_path / "d.json").files(".csv") == [tmp_path / "d.json"]


def test_rows_have_as_many_columns_as_the_benchmark_says(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("a\t1\nb\t2\n")
    assert folder(tmp_path).rows("r.txt", 2) == [["a", "1"], ["b", "2"]]
    (tmp_path / "r.txt").write_text("a\t1\nb\n")
    with pytest.raises(InputError, match="the row has 1 columns, not 2") as error:
        folder(tmp_path).rows("r.txt", 2)
    assert (error.value.source, error.value.row) == (str(tmp_path / "r.txt"), 2)


def test_json_and_numbers(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('{"a": [1, 2]}')
    assert folder(tmp_path).json("r.json") == {"a": [1, 2]}
    assert folder(tmp_path).number("2.5", "r.json", 1, "score") == 2.5
    with pytest.raises(InputError, match="'x' is not a number") as error:
        folder(tmp_path).number("x", "r.json", 3, "score")
    assert (error.value.source, error.value.row, error.value.field) == (str(tmp_path / "r.json"), 3, "score")
