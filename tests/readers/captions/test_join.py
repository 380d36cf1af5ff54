"""Which image a row is about: spellings of ids, clashes, images without references, repeated images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.readers.captions.caption_writers import write_annotations, write_results
from vericap.errors import InputError
from vericap.readers import canonical, load, load_systems

SPELLINGS = [42, "42", "000000000042", "000000000042.jpg", "COCO_val2014_000000000042.jpg", "val2014/42.JPG"]


@pytest.mark.parametrize("ours", SPELLINGS)
@pytest.mark.parametrize("theirs", SPELLINGS)
def test_spellings_of_one_image_agree_and_the_candidates_keep_theirs(ours: Any, theirs: Any) -> None:
    corpus = load({ours: "a dog", "x": "a cat"}, {"x": ["cat"], theirs: ["dog"]})
    assert corpus.references == ["dog", "cat"]
    assert corpus.image_ids == [ours, "x"] and type(corpus.image_ids[0]) is type(ours)


def test_equal_ids_go_before_equal_images() -> None:
    """1.jpg and 1.png are two pictures when both sides have both."""
    corpus = load({"1.jpg": "dog", "1.png": "cat"}, {"1.png": ["a cat"], "1.jpg": ["a dog"]})
    assert corpus.references == ["a dog", "a cat"]


def test_different_images_are_different() -> None:
    assert len({canonical(i) for i in (0, "00", "0.jpg")}) == 1
    assert len({canonical(i) for i in (42, "-42", "4_2", "a42", "42.txt", "٤٢", "")}) == 7


def test_two_spellings_on_one_side_are_a_clash_that_names_both_rows() -> None:
    rows = [{"image_id": 7, "caption": "x"}, {"image_id": 42, "caption": "a"}, {"image_id": "42", "caption": "b"}]
    for repeated in ("error", "keep"):
        with pytest.raises(InputError, match=r"row 2 of candidates.*row 3 of candidates"):
            load(rows, {42: ["dog"], 7: ["cat"]}, repeated=repeated)
        with pytest.raises(InputError, match=r"row 2 of references.*row 3 of references"):
            load({42: "a", 7: "b"}, rows, repeated=repeated)
    with pytest.raises(InputError, match=r"row 2 .*000042.* same as '42.jpg' in row 1"):
        load({"42.jpg": "a", "000042": "b"}, {42: ["dog"]})
    with pytest.raises(InputError, match=r"may be '42' \(row 1 .*or '042.jpg' \(row 2"):
        load({42: "a"}, {"42": ["dog"], "042.jpg": ["cat"]})


def test_file_names_of_annotations_are_names_of_their_images(tmp_path: Path) -> None:
    """In Flickr30k as COCO JSON, picture 36979.jpg has the id 17, and some other picture the id 36979."""
    images = [{"id": 17, "file_name": "36979.jpg"}, {"id": 36979, "file_name": "65567.jpg"}]
    given = {"images": images, "annotations": [{"image_id": i, "caption": f"of {i}"} for i in (36979, 17)]}
    assert load({"36979.jpg": "a", "flickr/65567": "b"}, given).references == ["of 17", "of 36979"]
    assert load({36979: "a"}, given).references == ["of 36979"]
    with pytest.raises(InputError, match="may be"):
        load({"36979": "a"}, given)


def test_a_candidate_without_references(tmp_path: Path) -> None:
    results, annotations = tmp_path / "results.json", tmp_path / "captions.json"
    results.write_bytes(write_results([(1, "dog"), (404, "cat"), (2, "cow"), (405, "yak")]))
    annotations.write_bytes(write_annotations([(2, "a cow"), (1, "a dog"), (2, "cows")]))
    with pytest.raises(InputError, match=r"results.json, row 2: image 404 \(and 1 more\) .*captions.json; .*drop"):
        load(results, annotations)
    dropped = load(results, annotations, missing="drop")
    assert dropped.image_ids == [1, 2] and dropped.image.tolist() == [0, 1]
    assert dropped.references == ["a dog", "a cow", "cows"] and dropped.reference_offsets.tolist() == [0, 1, 3]
    assert dropped.notes == ("2 candidates without references left out: 404, 405",)
    zero = load(results, annotations, missing="zero")
    assert zero.image_ids == [1, 404, 2, 405] and zero.image.tolist() == [0, 1, 2, 3]
    assert [zero.references_of(row) for row in range(4)] == [["a dog"], [], ["a cow", "cows"], []]
    [note] = zero.notes
    assert note.startswith("2 candidates without references kept") and note.endswith("404, 405")


def test_empty_captions_are_counted_and_named(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    results.write_bytes(write_results([(i, "" if i % 2 else "a dog") for i in range(14)] + [(404, "  ")]))
    assert load(results).notes[0].endswith("results.json empty: 1, 3, 5, 7, 9, …")
    assert load(results).notes[0].startswith("8 of 15 captions in ")
    dropped = load({1: "", 2: "a cat", 3: "\t"}, {2: ["a cat"], 3: ["cats"]}, missing="drop")
    assert dropped.notes[-1] == "1 of 2 captions in candidates empty: 3"
    assert load({1: "a dog"}).notes == ()
    systems = {"full": {1: "a dog", 2: "."}, "mute": {1: "a dog", 2: ""}}
    assert load_systems(systems).notes == ("1 of 2 captions in mute empty: 2",)


def test_an_image_with_an_empty_list_of_references_has_none() -> None:
    with pytest.raises(InputError, match=r"row 2 \(id 2\): image 2 has no references"):
        load({1: "a", 2: "b"}, {1: ["x"], 2: []})
    assert load({1: "a", 2: "b"}, {1: ["x"], 2: []}, missing="drop").candidates == ["a"]
    assert load(["a", "b"], [["x"], []], missing="zero").reference_offsets.tolist() == [0, 1, 1]
    with pytest.raises(InputError, match="references: no image of the candidates has references in it"):
        load({1: "a"}, {2: ["x"]}, missing="drop")
    assert load({1: "a"}, {2: ["x"]}, missing="zero").references_of(0) == []


def test_repeated_images() -> None:
    rows = [{"image_id": i, "caption": c, "system": c} for i, c in [(5, "a"), (6, "b"), (5, "c"), (404, "d"), (6, "e")]]
    given = {6: ["six"], 5: ["five", "5"]}
    with pytest.raises(InputError, match=r"candidates, row 3: image 5 has a caption already, in row 1;.*keep"):
        load(rows[:3], given)
    corpus = load(rows, given, repeated="keep", missing="drop", fields=["system"])
    assert corpus.image_ids == [5, 6, 5, 6] and corpus.image.tolist() == [0, 1, 0, 1]
    assert corpus.references == ["five", "5", "six"]
    assert corpus.fields["system"] == ["a", "b", "c", "e"]
    assert load(rows, repeated="keep").image.tolist() == [0, 1, 0, 2, 1]


def test_a_list_of_captions_for_an_image_says_that_there_are_several() -> None:
    corpus = load({5: ["a", "b"], 6: ["c"]}, {5: ["five"], 6: ["six"]}, repeated="keep")
    assert corpus.candidates == ["a", "b", "c"]
    assert corpus.image_ids == [5, 5, 6] and corpus.image.tolist() == [0, 0, 1]
    assert load([["a", "b"], ["c"]], [["x"], ["y"]], repeated="keep").image.tolist() == [0, 0, 1]
    with pytest.raises(InputError, match=r"row 2 \(id 6\).*empty list"):
        load({5: ["a"], 6: []})


def test_sides_with_and_without_ids_do_not_mix(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="references: it has no image ids, but candidates has"):
        load({1: "a"}, [["x"]])
    with pytest.raises(InputError, match="candidates: it has no image ids"):
        load(["a"], {1: ["x"]})
    with pytest.raises(InputError, match="references: it has 2 rows, but candidates has 1"):
        load(["a"], [["x"], ["y"]])
    text, annotations = tmp_path / "ref-0", tmp_path / "captions.json"
    text.write_text("a\n")
    annotations.write_bytes(write_annotations([(1, "x")]))
    with pytest.raises(InputError, match="ref-0: it has no image ids"):
        load(["a"], [annotations, text])
    (tmp_path / "ref-1").write_text("a\nb\n")
    with pytest.raises(InputError, match=r"ref-1: it has 2 rows, but .*ref-0 has 1"):
        load(["a"], [text, tmp_path / "ref-1"])


def test_choices_are_checked() -> None:
    with pytest.raises(InputError, match='field "missing": `skip` is not a choice; choose one of error, drop, zero'):
        load(["a"], missing="skip")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r'field "repeated": `skip` is not a choice; .* error, first, keep, best'):
        load(["a"], repeated="skip")  # type: ignore[arg-type]
