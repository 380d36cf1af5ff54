"""Rows that hold their references need no other file, and no file is its own reference."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

import vericap
from vericap.errors import InputError
from vericap.readers import load, load_systems
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.sources import own_references

ROWS = [
    {"id": 1, "prediction": "a dog runs", "ref0": "a dog is running", "ref1": "the dog runs fast", "ref2": ""},
    {"id": 2, "prediction": "a cat", "ref0": "a cat sleeps", "ref1": "one cat", "ref2": "cats"},
]
REFERENCES = [["a dog is running", "the dog runs fast"], ["a cat sleeps", "one cat", "cats"]]


def as_csv(path: Path) -> Path:
    lines = [",".join(ROWS[0]), *(",".join(map(str, row.values())) for row in ROWS)]
    path.write_text("\n".join(lines) + "\n")
    return path


def references_of(corpus: vericap.Corpus) -> list[list[str]]:
    return [corpus.references_of(row) for row in range(len(corpus))]


def test_numbered_columns_of_a_csv_are_the_references_of_its_rows(tmp_path: Path) -> None:
    path = as_csv(tmp_path / "results.csv")
    alone, given_twice = load(path), load(path, path)
    assert references_of(alone) == references_of(given_twice) == REFERENCES
    assert list(alone.candidates) == ["a dog runs", "a cat"]


@pytest.mark.parametrize("name", ["references", "refs", "reference_strs", "reference"])
def test_a_list_in_each_row_is_its_references(name: str, tmp_path: Path) -> None:
    rows = [
        {"image_id": row["id"], "caption": row["prediction"], name: given}
        for row, given in zip(ROWS, REFERENCES, strict=True)
    ]
    (tmp_path / "r.json").write_text(json.dumps(rows))
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, rows)))
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "r.parquet")
    files = [tmp_path / f"r.{ending}" for ending in ("json", "jsonl", "parquet")]
    for source in (*files, rows, pyarrow.Table.from_pylist(rows)):
        assert references_of(load(source)) == REFERENCES


def test_lists_in_the_cells_of_a_csv_are_lists_of_json_or_of_python(tmp_path: Path) -> None:
    for cell in ('"[""a dog"", ""one dog""]"', "\"['a dog', 'one dog']\""):
        (tmp_path / "r.csv").write_text(f"id,caption,references\n1,dog,{cell}\n")
        assert references_of(load(tmp_path / "r.csv")) == [["a dog", "one dog"]]
    # NumPy writes an array without commas, which Python would read as one string: it is left as it is.
    (tmp_path / "r.csv").write_text("id,caption,references\n1,dog,\"['a dog' 'one dog']\"\n")
    assert references_of(load(tmp_path / "r.csv")) == [["['a dog' 'one dog']"]]


def test_a_file_that_would_score_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("id,prediction\n1,a dog\n2,a cat\n")
    (tmp_path / "one.json").write_text('{"1": "a dog", "2": "a cat"}')
    for name in ("one.csv", "one.json"):
        with pytest.raises(InputError, match=rf"{name}: the captions are their own references.*-r"):
            load(tmp_path / name, tmp_path / name)
        (tmp_path / "link").unlink(missing_ok=True)
        (tmp_path / "link").symlink_to(tmp_path / name)
        with pytest.raises(InputError, match="their own references"):
            load(tmp_path / name, [tmp_path / "link"])
    other = tmp_path / "other.json"
    other.write_text('{"1": "a cow", "2": "a pig"}')
    with pytest.raises(InputError, match="their own references"):
        load_systems({"a": other, "b": tmp_path / "one.json"}, tmp_path / "one.json")


def test_a_prediction_beside_a_caption_is_the_candidate() -> None:
    rows = [{"image_id": 1, "caption": "what a person wrote", "prediction": "what a model wrote"}]
    assert load(rows).candidates == ["what a model wrote"]
    assert references_of(load(rows, columns={"references": "caption"})) == [["what a person wrote"]]


def test_a_perfect_score_is_that_of_a_prediction_equal_to_a_reference(tmp_path: Path) -> None:
    result = vericap.evaluate(as_csv(tmp_path / "results.csv"), metrics="bleu-1")
    # "a dog runs": each of its words is in a reference; "a cat": both are. No word lacks, but the first is shorter than
    # its nearest reference (3 of 4 words) and the second as long as its nearest (2): exp(1 - 6 / 5).
    assert result["bleu-1"].score == pytest.approx(0.8187307530779818)


def test_rows_of_one_image_share_their_references() -> None:
    rows = [{"id": 1, "caption": "a", "refs": ["x", "y"]}, {"id": 1, "caption": "b", "refs": ["x", "y"]}]
    assert references_of(load(rows, repeated="keep")) == [["x", "y"]] * 2
    rows[1]["refs"] = ["z"]
    with pytest.raises(InputError, match="row 2: image 1 has other references here than in row 1"):
        load(rows, repeated="keep")


def test_captioners_to_compare_bring_the_same_references() -> None:
    one = [{"id": 1, "caption": "a dog", "refs": ["dogs", "a dog"]}]
    two = [{"id": 1, "caption": "a cat", "refs": ["dogs", "a dog"]}]
    assert references_of(load_systems({"one": one, "two": two})) == [["dogs", "a dog"]] * 2
    with pytest.raises(InputError, match=r"two, row 1: image 1 has other references than in one.*-r FILE"):
        load_systems({"one": one, "two": [{"id": 1, "caption": "a cat", "refs": ["cats"]}]})
    with pytest.raises(InputError, match="two: its rows hold no references"):
        load_systems({"one": one, "two": {1: "a cat"}})


def test_rows_of_own_references_keep_their_names_where_rows_repeat_an_image() -> None:
    rows = Captions("rows", ["a dog", "a dog", "a cat"], [7, 7, 8], np.array([0, 1, 2]), 3)
    kept = own_references(Captions("rows", ["x", "y", "z"], [7, 7, 8], records=3, references=rows))
    assert kept is not None and kept.named_images.place(1)[1] == rows.row_name(2)
