"""The files of a stream and their division into spans."""

import gzip
import pickle

import pytest

from tests.streaming.demo_rows import demo_rows, write_lines, write_parquet, write_table
from vericap.errors import InputError
from vericap.streaming.shards import Shards, find_files, open_shard


def test_a_folder_is_its_files_in_the_order_of_their_names_without_hidden_ones(tmp_path):
    for name in ("b.jsonl", "a.jsonl", "_state.jsonl", ".c.jsonl"):
        write_lines(tmp_path / name, demo_rows(2))
    assert [path.rpartition("/")[2] for path in find_files(tmp_path)] == ["a.jsonl", "b.jsonl"]


def test_a_pattern_and_a_list_of_paths_name_several_files(tmp_path):
    one, two = write_lines(tmp_path / "1.jsonl", demo_rows(2)), write_lines(tmp_path / "2.jsonl", demo_rows(2))
    assert find_files(str(tmp_path / "?.jsonl")) == [str(one), str(two)]
    assert find_files([two, one]) == [str(two), str(one)]


def test_spans_cover_every_row_of_every_file_once(tmp_path):
    rows = demo_rows(130)
    paths = [
        write_parquet(tmp_path / "a.parquet", rows[:50], group=20),
        write_lines(tmp_path / "b.jsonl", rows[50:101]),
        write_table(tmp_path / "c.csv", rows[101:]),
    ]
    shards = Shards(find_files(paths))
    spans = list(shards.spans(16))
    assert [span.number for span in spans] == list(range(len(spans)))
    assert sum(span.rows for span in spans) == 130
    assert sum(span.share for span in spans) == pytest.approx(1, abs=0.02)  # a table has a header
    read = [record["caption"] for span in spans for record in shards[span.file].read(span, ["caption"])]
    assert read == [row["caption"] for row in rows]
    assert [span.overall for span in spans] == [sum(s.rows for s in spans[:i]) for i in range(len(spans))]


def test_rows_behind_a_span_go_on_in_the_next_file(tmp_path):
    rows = demo_rows(9)
    paths = [write_parquet(tmp_path / "a.parquet", rows[:4]), write_lines(tmp_path / "b.jsonl", rows[4:])]
    shards = Shards([str(path) for path in paths])
    first = next(shards.spans(3))
    assert [row["image_id"] for row in shards.after(first, ["image_id"])] == [3, 4, 5, 6, 7, 8]


def test_workers_get_paths_and_open_the_files_themselves(tmp_path):
    shards = Shards([str(write_lines(tmp_path / "a.jsonl", demo_rows(3)))])
    shards[0].names()
    assert pickle.loads(pickle.dumps(shards)).__dict__ == {"paths": shards.paths, "_open": {}}


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.jsonl.gz", gzip.compress(b'{"caption": "a dog"}\n', mtime=0), "in the middle of compressed text"),
        ("a.txt", b"a dog\na cat\n", "rows with named fields"),
        ("a.jsonl", b"", "the file is empty"),
    ],
)
def test_what_cannot_be_read_in_pieces_is_refused(tmp_path, name, content, problem):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=problem):
        open_shard(str(tmp_path / name))


def test_standard_input_cannot_be_resumed_and_is_refused():
    with pytest.raises(InputError, match="give a file"):
        find_files("-")


def test_any_of_several_files_that_is_not_there_is_named(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"caption": "a dog"}\n')
    with pytest.raises(InputError, match=r"b\.jsonl: "):
        find_files([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
