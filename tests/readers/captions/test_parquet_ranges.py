"""Parquet files, read forward."""

import pytest

from tests.streaming.demo_rows import demo_rows, write_parquet
from vericap.errors import InputError
from vericap.readers.captions.caption_tables import ParquetRanges
from vericap.readers.ranges import Span
from vericap.streaming.shards import Shards


@pytest.mark.parametrize("group", [3, 10, 100])
def test_any_range_of_rows_is_read_whatever_the_row_groups(tmp_path, group):
    rows = demo_rows(40)
    shard = ParquetRanges(str(write_parquet(tmp_path / "a.parquet", rows, group)))
    for first, count in [(0, 7), (7, 7), (30, 10), (5, 20), (5, 1), (39, 1)]:
        read = shard.read(Span(0, first, count), ["image_id", "caption"])
        assert [row["image_id"] for row in read] == list(range(first, first + count))
        assert read[0]["caption"] == rows[first]["caption"]


def test_a_file_without_a_column_of_the_first_file_is_an_error_that_names_it(tmp_path):
    shard = ParquetRanges(str(write_parquet(tmp_path / "a.parquet", [{"caption": "a dog"}])))
    with pytest.raises(InputError, match='field "image_id": the field is not there; the fields are: caption'):
        shard.read(Span(0, 0, 1), ["image_id", "caption"])


def test_a_truncated_file_is_an_error_that_says_so(tmp_path):
    path = write_parquet(tmp_path / "a.parquet", demo_rows(40))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match="damaged or truncated"):
        ParquetRanges(str(path)).names()


def test_a_bad_row_is_shown_as_the_file_has_it(tmp_path):
    shard = ParquetRanges(str(write_parquet(tmp_path / "a.parquet", demo_rows(9))))
    span = Span(0, 4, 3)
    shard.read(span, ["image_id"])
    assert shard.raw(span, 1) == "{'image_id': 5}"


def test_of_many_files_at_most_two_stay_open(tmp_path):
    """A file that stays open keeps what was read of it in memory: ten files of a gigabyte would be ten gigabytes."""
    paths = [str(write_parquet(tmp_path / f"{number}.parquet", demo_rows(8))) for number in range(12)]
    shards = Shards(paths)
    for file in range(len(paths)):
        assert len(shards[file].read(Span(file, 0, 8), ["image_id"])) == 8
        assert len(shards._open) <= 2
