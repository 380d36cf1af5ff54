"""Captions in several files."""

from __future__ import annotations

from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.readers import load


def write_shards(folder: Path) -> Path:
    folder.mkdir()
    for number in (1, 2, 10):
        (folder / f"rank{number}.jsonl").write_text(f'{{"image_id": {number}, "caption": "caption {number}"}}\n')
    return folder


def test_a_folder_and_a_pattern_are_all_their_files(tmp_path: Path) -> None:
    folder = write_shards(tmp_path / "shards")
    (folder / "log.yaml").write_text("nothing")
    for source in (folder, str(folder / "*.jsonl"), folder / "rank*"):
        corpus = load(source, {1: ["one"], 2: ["two"], 10: ["ten"]})
        assert list(corpus.image_ids) == [1, 2, 10] and list(corpus.candidates)[2] == "caption 10"
    assert load(folder).notes == (f"1 file in {folder} not read: no file of captions ends so",)


def test_references_come_in_shards_too(tmp_path: Path) -> None:
    folder = write_shards(tmp_path / "shards")
    assert load({10: "x"}, [folder / "*.jsonl"]).references_of(0) == ["caption 10"]
    assert load({10: "x"}, folder).references_of(0) == ["caption 10"]


def test_an_error_names_the_file_of_the_row(tmp_path: Path) -> None:
    folder = write_shards(tmp_path / "shards")
    (folder / "rank3.jsonl").write_text('{"image_id": 1, "caption": "again"}\n')
    with pytest.raises(InputError, match=r"row 1 of .*rank3.jsonl: image 1 has a caption already, in row 1 of .*rank1"):
        load(folder)
    (folder / "rank3.jsonl").write_text('{"caption": "without an id"}\n')
    with pytest.raises(InputError, match=r"rank3.jsonl: it has no image ids, but other files have them"):
        load(folder)
    with pytest.raises(InputError, match=r"\*\.csv: no file matches the pattern"):
        load(folder / "*.csv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty: the folder has no file of captions"):
        load(tmp_path / "empty")


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "run[1].txt").write_text("a dog\n")
    assert list(load(tmp_path / "run[1].txt").candidates) == ["a dog"]
