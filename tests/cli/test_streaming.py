"""`vericap score --stream` as a person uses it."""

import json

import pytest
from pyarrow import parquet

from tests.cli.test_cli import vericap
from tests.streaming.demo_rows import demo_rows, write_lines


def test_a_stream_prints_the_table_and_writes_rows_and_json(tmp_path):
    path = write_lines(tmp_path / "captions.jsonl", demo_rows(50))
    words = ("--stream", "-m", "bleu-4,cider-d", "--batch-size", 20, "--checkpoint", 20, "--output", tmp_path / "out")
    done = vericap("score", path, *words, "--json", tmp_path / "scores.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:7] == ["captions", "bleu-4", "↑", "cider-d", "↑", "captions.jsonl", "50"]
    written = json.loads((tmp_path / "scores.json").read_text("utf-8"))
    assert written["rows"] == 50 and set(written["metrics"]) == {"bleu-4", "cider-d"}
    assert parquet.read_table(tmp_path / "out").num_rows == 50
    assert len(list((tmp_path / "out").glob("part-*.parquet"))) == 3


def test_bad_rows_are_collected_in_a_file_that_the_output_names(tmp_path):
    path = write_lines(tmp_path / "captions.jsonl", [*demo_rows(3), {"caption": None}])
    words = ("score", path, "--stream", "-m", "ter", "--output", tmp_path / "out.jsonl")
    done = vericap(*words)
    assert done.returncode == 2 and done.stderr.startswith(f"vericap: {path}, row 4, field")
    done = vericap(*words, "--bad-rows", "collect")
    assert done.returncode == 2 and 'field "bad_rows"' in done.stderr  # the stream was started with error
    done = vericap(*words[:-1], tmp_path / "other.jsonl", "--bad-rows", "collect")
    assert done.returncode == 0 and f"bad rows: {tmp_path / 'other.jsonl.bad.jsonl'}" in done.stderr
    [bad] = (tmp_path / "other.jsonl.bad.jsonl").read_text("utf-8").splitlines()
    assert json.loads(bad)["row"] == 4


def test_only_rows_that_pass_the_filter_are_written_and_all_count_for_the_score(tmp_path):
    path = write_lines(tmp_path / "captions.jsonl", demo_rows(50))
    scores = []
    for name, filter in (("all.jsonl", ()), ("some.jsonl", ("--filter", "ROUGE-L > .5"))):
        done = vericap("score", path, "--stream", "-m", "rouge-l", "--output", tmp_path / name, *filter)
        assert done.returncode == 0, done.stderr
        scores.append(done.stdout)
    everything, some = (
        [json.loads(line) for line in (tmp_path / name).read_text("utf-8").splitlines()]
        for name in ("all.jsonl", "some.jsonl")
    )
    assert some == [row for row in everything if row["rouge-l"] > 0.5] and 0 < len(some) < 50
    assert scores[0] == scores[1] and f"{len(some)} of 50 rows pass" in done.stderr


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--worst", 3), "does not put captions in order"),
        (("--filter", "ter > 1"), "no file for the rows that pass"),
        (("--bootstrap", 10), "neither intervals nor groups"),
        (("--csv", "out.csv"), "use --output"),
        (("--objects", "objects.json"), "compares captions with references only"),
    ],
)
def test_what_a_stream_does_not_do_is_said_before_any_work(tmp_path, words, problem):
    path = write_lines(tmp_path / "captions.jsonl", demo_rows(3))
    done = vericap("score", path, "--stream", "-m", "ter", *words)
    assert done.returncode == 2 and problem in done.stderr


@pytest.mark.parametrize(
    ("option", "way_out"),
    [("--images", "vericap detect DIR -o objects.jsonl"), ("--objects", "score without --stream")],
)
def test_pictures_and_objects_are_refused_with_a_way_out(tmp_path, option, way_out):
    path = write_lines(tmp_path / "captions.jsonl", demo_rows(3))
    done = vericap("score", path, "--stream", "-m", "bleu-4", option, tmp_path)
    assert done.returncode == 2 and f'field "{option[2:]}": a stream' in done.stderr and way_out in done.stderr
