"""What a worker makes of a span."""

import math
import pickle

import numpy as np
import pytest

from tests.streaming.demo_rows import demo_rows, references_by_id, tokenised, write_lines
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.streaming.job import Job
from vericap.streaming.rows import layout_of
from vericap.streaming.shards import Shards


def job_of(tmp_path, rows, references=None, **more):
    shards = Shards([str(write_lines(tmp_path / "a.jsonl", rows))])
    layout = layout_of(shards[0], own_references=references is None)
    return Job(shards, layout, (parse("bleu-4"), parse("rouge-l")), references=references, **more)


def measured(job):
    [span] = job.shards.spans(1000)
    return job.measure(span)


def test_a_piece_has_a_row_for_each_good_row_and_the_sums_of_all(tmp_path):
    piece = measured(job_of(tmp_path, demo_rows(20)))
    assert piece.batch.schema.names == ["image_id", "caption", "bleu-4", "rouge-l"]
    assert (piece.rows, piece.batch.num_rows, piece.empty, piece.fewest, piece.most) == (20, 20, 1, 5, 5)
    scores = piece.batch.column("rouge-l").to_pylist()
    sums, lost = piece.sums["rouge-l"]
    assert sums.tolist() == [math.fsum(scores), 20]
    assert np.abs(lost).max() < 1e-15


def test_a_bad_row_stops_the_stream_or_is_collected(tmp_path):
    rows = demo_rows(4)
    rows[2]["caption"] = 7
    with pytest.raises(InputError, match=r'a\.jsonl, row 3, field "caption": the caption is a number \(7\)'):
        measured(job_of(tmp_path, rows))
    piece = measured(job_of(tmp_path, rows, bad_rows="collect"))
    [bad] = piece.bad
    assert piece.rows == 3 and bad.row == 3 and '"caption": 7' in bad.content
    assert bad.reason == 'field "caption": the caption is a number (7); write each caption as a string'


@pytest.mark.parametrize(
    ("missing", "rows", "left_out", "bad"), [("drop", 3, 1, 0), ("zero", 4, 0, 0), ("error", 3, 0, 1)]
)
def test_rows_without_references_are_bad_left_out_or_scored_zero(tmp_path, missing, rows, left_out, bad):
    given = demo_rows(4)
    given[1]["references"] = []
    piece = measured(job_of(tmp_path, given, missing=missing, bad_rows="collect"))
    assert (piece.rows, piece.left_out, len(piece.bad)) == (rows, left_out, bad)
    if missing == "zero":
        assert piece.batch.column("rouge-l")[1].as_py() == 0


def test_references_by_id_give_the_scores_of_references_in_the_rows(tmp_path):
    references = references_by_id()
    rows = [{"image_id": i, "caption": r["caption"]} for r in demo_rows(30) for i in [1 + r["image_id"] % 30]]
    own = [{**row, "references": references[row["image_id"]]} for row in rows]
    by_id = measured(job_of(tmp_path, rows, tokenised(references), tokenizer="whitespace"))
    in_rows = measured(job_of(tmp_path, own, tokenizer="whitespace"))
    assert by_id.batch.equals(in_rows.batch)


def test_an_image_without_references_is_named(tmp_path):
    job = job_of(
        tmp_path,
        [{"image_id": 999, "caption": "a dog"}],
        tokenised(references_by_id(), "ptb"),
    )
    with pytest.raises(InputError, match="row 1: image 999 has no references in"):
        measured(job)


def test_a_span_of_bad_rows_only_has_an_empty_batch(tmp_path):
    rows = demo_rows(2)
    rows[1]["caption"] = None
    job = job_of(tmp_path, rows, bad_rows="collect", as_lines=True)
    _, second = job.shards.spans(1)
    piece = job.measure(second)
    assert (piece.rows, piece.batch.num_rows, piece.lines, piece.sums) == (0, 0, b"", {})


def test_a_job_goes_to_a_cluster_and_gives_the_same_there(tmp_path):
    job = job_of(tmp_path, demo_rows(10), as_lines=True)
    assert measured(pickle.loads(pickle.dumps(job))).lines == measured(job).lines
