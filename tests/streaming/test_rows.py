"""Good rows in columns, bad rows with their reasons."""

import json

import pytest

from tests.streaming.demo_rows import write_lines
from vericap.errors import InputError
from vericap.streaming.rows import BadRow, Layout, good_rows_after, layout_of, read_rows
from vericap.streaming.shards import Shards, open_shard

GOOD = {"image_id": 1, "caption": "a dog", "references": ["dogs", "one dog"]}


def rows_of(tmp_path, *rows):
    shards = Shards([str(write_lines(tmp_path / "a.jsonl", list(rows)))])
    layout = layout_of(shards[0])
    [span] = shards.spans(100)
    return read_rows(shards, span, layout)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({**GOOD, "caption": 7}, "the caption is a number (7)"),
        ({**GOOD, "caption": None}, "the caption is null"),
        ({**GOOD, "caption": "\ud83d"}, "broken"),
        ({**GOOD, "image_id": 1.5}, "the image id is a number (1.5)"),
        ({**GOOD, "image_id": "x"}, "the image id is a string, and the first one is a number"),
        ({**GOOD, "references": [None]}, "caption 1 of the list is null"),
        ({**GOOD, "references": {"a": 1}}, "caption 1 of the list is an object"),
        ({"image_id": 2, "references": ["a"]}, "the field is not there; the fields are: image_id, references"),
        (7, "the row is a number (7), not an object with fields"),
    ],
)
def test_a_bad_row_is_set_apart_with_its_reason_and_the_others_stay(tmp_path, row, reason):
    good, bad = rows_of(tmp_path, GOOD, row, {**GOOD, "image_id": 3})
    assert good.image_ids == [1, 3] and good.row == [0, 2]
    [(place, error)] = bad
    assert place == 1 and error.row == 2
    if reason != "broken":
        assert reason in str(error)


def test_one_reference_may_be_a_string_and_an_empty_list_is_no_reference(tmp_path):
    others = [{**GOOD, "references": "a dog"}, {**GOOD, "references": []}, {"image_id": 1, "caption": "a"}]
    good, bad = rows_of(tmp_path, GOOD, *others)
    assert good.references == [["dogs", "one dog"], ["a dog"], [], []] and not bad


def test_rows_without_ids_are_numbered_over_all_files(tmp_path):
    paths = [write_lines(tmp_path / name, [{"caption": "a"}, {"caption": "b"}]) for name in ("a.jsonl", "b.jsonl")]
    shards = Shards([str(path) for path in paths])
    layout = layout_of(shards[0])
    assert [read_rows(shards, span, layout)[0].image_ids for span in shards.spans(10)] == [[0, 1], [2, 3]]


def test_what_follows_a_span_are_its_good_rows(tmp_path):
    shards = Shards([str(write_lines(tmp_path / "a.jsonl", [{"caption": c} for c in ("a", 7, "b", None, "c")]))])
    first = next(shards.spans(1))
    assert [rows.captions for rows in good_rows_after(shards, first, layout_of(shards[0]))] == [["b"], ["c"]]


def test_a_bad_row_is_one_line_of_json():
    line = BadRow("a.jsonl", 7, "the caption is null", '{"caption": null}\n').line()
    assert json.loads(line) == {
        "source": "a.jsonl",
        "row": 7,
        "reason": "the caption is null",
        "content": '{"caption": null}\n',
    }
    assert line.count(b"\n") == 1


def shard_of(tmp_path, row):
    return open_shard(str(write_lines(tmp_path / "a.jsonl", [row])))


@pytest.mark.parametrize(
    ("row", "layout"),
    [
        ({"image_id": 7, "caption": "a", "references": ["b"]}, Layout("caption", "image_id", ("references",))),
        ({"image": "7.jpg", "prediction": "a", "Refs": ["b"]}, Layout("prediction", "image", ("Refs",), numbers=False)),
        ({"caption": "a", "text": "b"}, Layout("caption")),
        ({"caption": "a", "ref1": "b", "ref10": "c", "ref2": "d"}, Layout("caption", None, ("ref1", "ref2", "ref10"))),
    ],
)
def test_fields_are_known_by_their_usual_names(tmp_path, row, layout):
    assert layout_of(shard_of(tmp_path, row)) == layout


def test_a_user_names_the_fields_that_have_other_names(tmp_path):
    shard = shard_of(tmp_path, {"caption": "old", "answer": "new", "truth": ["x"], "key": "k"})
    columns = {"caption": "answer", "references": "truth", "image_id": "key"}
    assert layout_of(shard, columns) == Layout("answer", "key", ("truth",), numbers=False)


def test_where_references_come_from_a_file_those_of_the_rows_are_not_read(tmp_path):
    shard = shard_of(tmp_path, {"image_id": 1, "caption": "a", "references": ["b"]})
    assert layout_of(shard, own_references=False).names == ["caption", "image_id"]


def test_without_a_field_of_captions_the_error_lists_the_fields(tmp_path):
    with pytest.raises(InputError, match="no field holds the captions; the fields are: id, words"):
        layout_of(shard_of(tmp_path, {"id": 1, "words": "a"}))
