"""Captions from paths and Python objects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.readers import load, read_captions, read_references
from vericap.readers.files import File


def test_a_path_as_text_as_path_or_as_a_file_that_is_open(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"7": "a dog"}))
    for given in (str(path), path, File(path)):
        assert read_captions(given).captions == ["a dog"]
    assert read_captions(path).source == str(path)


def test_anything_that_can_be_walked_through() -> None:
    def rows() -> Iterator[dict[str, object]]:
        yield {"image_id": 7, "caption": "a dog"}

    assert read_captions(rows()).ids == [7]
    assert read_captions(iter(["a", "b"])).captions == ["a", "b"]


def test_errors_call_a_source_by_its_side_or_by_a_name_that_is_given() -> None:
    for options, name in (({}, "candidates"), ({"side": "references"}, "references"), ({"name": "mine"}, "mine")):
        with pytest.raises(InputError) as error:
            read_captions([], **options)  # type: ignore[arg-type]
        assert error.value.source == name


def test_a_list_of_paths_is_several_files_and_a_list_of_strings_is_captions(tmp_path: Path) -> None:
    paths = [tmp_path / "ref-0", tmp_path / "ref-1"]
    paths[0].write_text("a dog\na cat\n")
    paths[1].write_text("dogs\ncats\n")
    found = read_references(paths)
    assert found.images == 2 and found.captions == ["a dog", "a cat", "dogs", "cats"]
    assert read_references(["ref-0", "ref-1"]).captions == ["ref-0", "ref-1"]


def test_what_the_candidates_say_of_themselves_goes_first() -> None:
    rows = [{"image_id": 1, "caption": "a dog", "domain": "mine"}]
    references = [{"image_id": 1, "references": ["dogs"], "domain": "theirs", "split": "val"}]
    assert load(rows, references, fields=["domain", "split"]).fields == {"domain": ["mine"], "split": ["val"]}


def test_all_columns_of_the_candidates() -> None:
    corpus = load([{"image_id": 1, "caption": "a dog", "score": 0.5}], {1: ["dogs"]}, fields=["*"])
    assert corpus.fields["score"] == [0.5]


def test_a_column_of_another_name() -> None:
    corpus = load([{"photo": 1, "words": "a dog"}], {1: ["dogs"]}, columns={"image_id": "photo", "caption": "words"})
    assert corpus.candidates == ["a dog"] and corpus.image_ids == [1]


@pytest.mark.parametrize("option", ["missing", "repeated"])
def test_choices_are_checked_before_anything_is_read(option: str) -> None:
    with pytest.raises(InputError, match="`skip` is not a choice; choose one of error") as error:
        load("no-such-file.json", **{option: "skip"})
    assert error.value.field == option


def test_standard_input_cannot_be_both() -> None:
    with pytest.raises(InputError, match="both standard input; give one as a file"):
        load("-", Path("-"))
