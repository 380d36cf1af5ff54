"""Which field is which."""

import pytest

from tests.streaming.demo_rows import write_lines
from vericap.errors import InputError
from vericap.streaming.layout import Layout, layout_of
from vericap.streaming.shards import open_shard


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
