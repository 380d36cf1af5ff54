"""Captions of several captioners over the same images."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.readers import load_systems

REFERENCES = {7: ["dogs", "one dog"], 8: ["cats"]}


def test_rows_of_one_captioner_after_the_other_share_images_and_references() -> None:
    systems = {"one": {7: "a dog", 8: "a cat"}, "two": {"8.jpg": "cat", "000007": "dog"}}
    corpus = load_systems(systems, REFERENCES)
    assert corpus.fields["system"] == ["one", "one", "two", "two"]
    assert corpus.candidates == ["a dog", "a cat", "cat", "dog"]
    assert [corpus.references_of(row) for row in range(4)] == [
        ["dogs", "one dog"],
        ["cats"],
        ["cats"],
        ["dogs", "one dog"],
    ]
    assert corpus.image_ids == [7, 8, "8.jpg", "000007"] and corpus.images == 2


def test_notes_of_all_captioners_are_said_once() -> None:
    systems = {"one": {7: "a dog", 9: "x"}, "two": {7: "dog", 9: "y"}}
    corpus = load_systems(systems, REFERENCES, missing="drop")
    assert len(corpus) == 2 and len(set(corpus.notes)) == len(corpus.notes)
    assert any("without references left out: 9" in note for note in corpus.notes)


@pytest.mark.parametrize(
    ("systems", "source", "problem"),
    [
        ({"one": {7: "a"}, "two": {7: "a", 8: "b"}}, "one", "no caption for 1 of the images that two has: 8"),
        ({"one": {7: "a", 8: "b"}, "two": {7: "a"}}, "two", "no caption for 1 of the images that one has: 8"),
        ({"one": {7: "a"}}, None, "captioners to compare: 1; give at least two"),
    ],
)
def test_captioners_have_captions_of_the_same_images(systems: dict, source: str | None, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as error:
        load_systems(systems, REFERENCES)
    assert error.value.source == source and error.value.fix


def test_what_is_wrong_with_one_captioner_names_it() -> None:
    with pytest.raises(InputError, match="the caption is a number") as error:
        load_systems({"one": {7: "a"}, "two": {7: 5}}, REFERENCES)
    assert error.value.source == "two"
