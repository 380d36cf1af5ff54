"""Output that can be cut back to a checkpoint."""

import pyarrow as pa
import pytest
from pyarrow import parquet

from vericap.errors import InputError
from vericap.readers.ranges import Span
from vericap.streaming.job import Piece
from vericap.streaming.rows import BadRow
from vericap.streaming.writers import writer_for


def piece(number):
    batch = pa.record_batch({"image_id": [number], "caption": ["a dog"], "ter": [0.5]})
    bad = [BadRow("a.jsonl", number, "why", "what")] if number % 2 else []
    return Piece(Span(0, number, 1), 1, bad, batch=batch, lines=b"row %d\n" % number)


def content_of(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["out.jsonl", "out"])
def test_what_came_after_a_checkpoint_is_cut_off_and_written_again(tmp_path, name):
    straight, stopped = tmp_path / "straight", tmp_path / "stopped"
    straight.mkdir()
    stopped.mkdir()
    writer = writer_for(straight / name)
    writer.start({})
    for number in range(6):
        writer.add(piece(number))
        if number % 2:
            writer.checkpoint()
    writer.close()

    writer = writer_for(stopped / name)
    writer.start({})
    for number in range(3):
        writer.add(piece(number))
        if number == 1:
            written = writer.checkpoint()
    writer.checkpoint()  # of which no state tells
    writer.close()
    writer = writer_for(stopped / name)
    writer.start(written)
    for number in range(2, 6):
        writer.add(piece(number))
        if number % 2:
            writer.checkpoint()
    writer.close()
    assert content_of(stopped) == content_of(straight)
    assert len(content_of(straight)) == (2 if name == "out.jsonl" else 4)


def test_parquet_files_are_one_table(tmp_path):
    writer = writer_for(tmp_path / "out")
    writer.start({})
    for number in range(3):
        writer.add(piece(number))
        writer.checkpoint()
    writer.close()
    assert parquet.read_table(tmp_path / "out").to_pydict()["image_id"] == [0, 1, 2]


def test_output_that_is_shorter_than_the_state_says_is_an_error(tmp_path):
    (tmp_path / "out.jsonl").write_bytes(b"row 0\n")
    with pytest.raises(InputError, match="shorter than the state"):
        writer_for(tmp_path / "out.jsonl").start({"bytes": 100})


@pytest.mark.parametrize("name", ["out.csv", "out.json"])
def test_a_file_to_which_rows_cannot_be_appended_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="JSON Lines or to a folder of Parquet"):
        writer_for(tmp_path / name)


def test_a_parquet_file_that_was_never_finished_is_swept_away(tmp_path):
    writer = writer_for(tmp_path / "out")
    writer.start({})
    writer.add(piece(0))
    written = writer.checkpoint()
    writer.close()
    (tmp_path / "out" / ".part-000001.parquet.0123.partial").write_bytes(b"PAR1")
    writer = writer_for(tmp_path / "out")
    writer.start(written)
    writer.close()
    assert list(content_of(tmp_path / "out")) == ["part-000000.parquet"]
