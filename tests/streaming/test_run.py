"""A stream gives the numbers of the whole, in any pieces, on any number of workers, killed or not."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import vericap
from tests.streaming.demo_rows import demo_rows, references_by_id, whole_of, write_lines, write_parquet, write_table
from vericap.engine import Engine
from vericap.errors import InputError

METRICS = "bleu-1,bleu-4,rouge-l,meteor,cider,cider-d,cider-r,ter,rouge-su4,fluency,mean(bleu-4,cider-d)"


def scores_of(table, key):
    return np.array([np.nan if score is None else score for score in table[key].to_pylist()])


def assert_the_same(stream, table, whole):
    for key, expected in whole.items():
        np.testing.assert_allclose(scores_of(table, key), expected.captions, rtol=0, atol=1e-12, err_msg=key)
        np.testing.assert_allclose(stream.result[key].score, expected.score, rtol=0, atol=1e-12, err_msg=key)
        assert stream.result[key].signature == expected.signature


@pytest.mark.parametrize(("batch_size", "workers"), [(1, 1), (17, 2), (1000, 1)])
def test_every_metric_is_that_of_the_whole(tmp_path, batch_size, workers):
    rows = demo_rows(90)
    write_parquet(tmp_path / "a.parquet", rows[:40], group=16)
    write_lines(tmp_path / "b.jsonl", rows[40:])
    found = vericap.stream(tmp_path, metrics=METRICS, batch_size=batch_size, engine=Engine(workers=workers))
    table = pa.Table.from_batches(list(found))
    assert table["caption"].to_pylist() == [row["caption"] for row in rows]
    assert_the_same(found, table, whole_of(rows, METRICS))


@pytest.mark.slow_when_pure
def test_scene_graphs_too(tmp_path):
    rows = demo_rows(12)
    found = vericap.stream(write_table(tmp_path / "a.csv", rows), metrics="spice,spider", batch_size=5)
    assert_the_same(found, pa.Table.from_batches(list(found)), whole_of(rows, "spice,spider"))


@pytest.mark.bits
def test_vectors_of_words_too(tmp_path):
    metrics = "verity,verity.fidelity,verity.adequacy"
    rows = demo_rows(12)
    found = vericap.stream(write_lines(tmp_path / "a.jsonl", rows), metrics=metrics, batch_size=5)
    assert_the_same(found, pa.Table.from_batches(list(found)), whole_of(rows, metrics))


@pytest.mark.parametrize("df", ["corpus", "coco"])
def test_references_by_id_are_those_of_the_whole(tmp_path, df):
    references = references_by_id()
    pairs = zip(references, demo_rows(30), strict=True)
    rows = [{"image_id": image, "caption": row["caption"]} for image, row in pairs]
    found = vericap.stream(write_lines(tmp_path / "a.jsonl", rows), references, metrics=METRICS, batch_size=7, df=df)
    table = pa.Table.from_batches(list(found))
    whole = vericap.evaluate(rows, references, metrics=METRICS, df=df)
    assert_the_same(found, table, whole)


def test_several_rows_may_describe_one_image(tmp_path):
    rows = [{"image_id": 1, "caption": caption} for caption in ("a woman cooks", "a dog", "soup on the stove")]
    found = vericap.stream(write_lines(tmp_path / "a.jsonl", rows), references_by_id(), metrics="bleu-1", batch_size=2)
    whole = vericap.evaluate(rows, references_by_id(), metrics="bleu-1", repeated="keep")
    assert_the_same(found, pa.Table.from_batches(list(found)), whole)


def test_references_in_several_columns_are_those_of_the_whole(tmp_path):
    rows = [
        {"id": f"{row['image_id']}.jpg", "prediction": row["caption"], "ref1": one, "ref2": two}
        for row in demo_rows(20)
        for one, two in [row["references"][:2]]
    ]
    path = write_table(tmp_path / "a.csv", rows)
    found = vericap.stream(path, metrics="bleu-4,cider-d", batch_size=6)
    assert_the_same(found, pa.Table.from_batches(list(found)), vericap.evaluate(path, metrics="bleu-4,cider-d"))


def test_captions_alone_are_enough_for_fluency(tmp_path):
    path = write_lines(tmp_path / "a.jsonl", [{"caption": "a dog runs"}, {"caption": "dog a runs"}])
    good, odd = pa.Table.from_batches(list(vericap.stream(path, metrics="fluency")))["fluency"].to_pylist()
    assert good > odd


def test_bad_rows_do_not_change_the_others(tmp_path):
    rows = demo_rows(40)
    # Between "K." and what decides about it.
    mixed = [*rows[:4], {"caption": 7}, *rows[4:20], {"image_id": 1}, *rows[20:]]
    found = vericap.stream(write_lines(tmp_path / "a.jsonl", mixed), metrics=METRICS, batch_size=5, bad_rows="collect")
    assert_the_same(found, pa.Table.from_batches(list(found)), whole_of(rows, METRICS))
    assert [bad.row for bad in found.bad] == [5, 22] and found.result.bad_rows == 2


def test_one_image_has_no_cider_of_its_own_and_says_so(tmp_path):
    found = vericap.stream(write_lines(tmp_path / "a.jsonl", demo_rows(1)), metrics="cider-d")
    with pytest.raises(InputError, match="cider-d of one image is undefined"):
        list(found)


def test_the_result_is_there_when_all_batches_have_been_seen(tmp_path):
    found = vericap.stream(write_lines(tmp_path / "a.jsonl", demo_rows(4)), metrics="ter", batch_size=2)
    with pytest.raises(InputError, match="not at its end"):
        _ = found.result
    next(iter(found))
    with pytest.raises(InputError, match="not at its end"):
        _ = found.result


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"objects": {1: ["dog"]}}, "compares captions with references only"),
        ({"metrics": "vifidel"}, "none were given"),
        ({"metrics": "no-such"}, "no-such"),
        ({"metrics": "mean(bleu-4,ter,normalize=quantiles)"}, "needs all captions at once"),
        ({"repeated": "best"}, 'field "repeated": a stream does not remember images'),
        ({"uncaptioned": "zero"}, "use skip, or score without --stream"),
    ],
)
def test_what_a_stream_cannot_do_is_an_error_before_any_work(tmp_path, options, problem):
    with pytest.raises(InputError, match=problem):
        list(vericap.stream(write_lines(tmp_path / "a.jsonl", demo_rows(2)), **options))


def contents(folder):
    """The results, without the state, in which seconds stand."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and "state" not in path.name]
    return {path.name: path.read_bytes() for path in files}


@pytest.mark.parametrize("name", ["out.jsonl", "out"])
def test_a_finished_stream_is_not_done_again_and_other_settings_are_refused(tmp_path, name):
    path, output = write_lines(tmp_path / "a.jsonl", demo_rows(30)), tmp_path / "results" / name
    output.parent.mkdir()
    first = vericap.stream(path, metrics="cider-d,ter", batch_size=7).write(output)
    before = contents(output.parent)
    assert vericap.stream(path, metrics="cider-d,ter", batch_size=7).write(output).to_dict() == first.to_dict()
    with pytest.raises(InputError, match='field "metrics": the stream was started with'):
        vericap.stream(path, metrics="cider-d", batch_size=7).write(output)
    with pytest.raises(InputError, match='field "batch_size"'):
        vericap.stream(path, metrics="cider-d,ter", batch_size=8).write(output)
    assert contents(output.parent) == before
    write_lines(path, demo_rows(31))
    with pytest.raises(InputError, match='field "input"'):
        vericap.stream(path, metrics="cider-d,ter", batch_size=7).write(output)


def test_output_of_something_else_is_not_overwritten(tmp_path):
    (tmp_path / "out.jsonl").write_text("mine")
    with pytest.raises(InputError, match="choose another place, or delete it"):
        vericap.stream(write_lines(tmp_path / "a.jsonl", demo_rows(3)), metrics="ter").write(tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text() == "mine"


def killed_after(command, enough):
    """Starts a command and kills it, and whatever it started, as soon as its output is enough."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    for _ in range(2400):
        if enough() or process.poll() is not None:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    said = process.communicate()[1]
    assert process.returncode == -signal.SIGKILL, said.decode()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked")
@pytest.mark.parametrize("name", ["out.jsonl", "out"])
def test_a_stream_killed_twice_goes_on_to_the_same_bytes(tmp_path, name):
    rows = demo_rows(1200)
    rows[777]["caption"] = None
    path = write_lines(tmp_path / "a.jsonl", rows)
    metrics = ["--metrics", "bleu-4,cider-d,ter", "--bad-rows", "collect", "--workers", "2"]
    words = ["score", path, "--stream", *metrics, "--batch-size", "10", "--checkpoint", "100", "--output"]
    command = [sys.executable, "-m", "vericap", *map(str, words)]
    straight, stopped = tmp_path / "straight", tmp_path / "stopped"
    straight.mkdir()
    stopped.mkdir()
    subprocess.run([*command, straight / name], check=True, capture_output=True)
    output = stopped / name
    state = stopped / "out.jsonl.state.json" if name == "out.jsonl" else output / "_state.json"

    def rows_done():
        return json.loads(state.read_bytes())["totals"]["rows"] if state.exists() else 0

    killed_after([*command, output], lambda: rows_done() > 50)
    first = rows_done()
    assert 50 < first < 1199
    killed_after([*command, output], lambda: rows_done() > first + 50)
    assert first < rows_done() < 1199
    subprocess.run([*command, output], check=True, capture_output=True)
    assert rows_done() == 1199
    assert contents(stopped) == contents(straight)
    assert any("bad" in name for name in contents(straight))


def test_a_stream_says_that_it_does_not_look_for_repeated_images(tmp_path):
    rows = [{"image_id": 1, "caption": "a woman cooks"}] * 2
    path = write_lines(tmp_path / "a.jsonl", rows)
    said = {}
    for repeated in ("error", "keep"):
        found = vericap.stream(path, references_by_id(), metrics="bleu-1", repeated=repeated).write(None)
        said[repeated] = [note for note in found.notes if "occur more than once" in note]
    assert len(said["error"]) == 1 and not said["keep"]
    alone = vericap.stream(write_lines(tmp_path / "b.jsonl", [{"caption": "a dog"}]), metrics="fluency").write(None)
    assert not any("occur more than once" in note for note in alone.notes)  # numbered rows cannot repeat


@pytest.mark.parametrize(("name", "lost"), [("out.jsonl", "out.jsonl"), ("out", "out/part-000000.parquet")])
def test_a_finished_stream_whose_output_is_gone_says_so(tmp_path, name, lost):
    path = write_lines(tmp_path / "a.jsonl", [{"caption": "a dog"}, {"caption": "a cat"}])
    vericap.stream(path, metrics="fluency").write(tmp_path / name)
    (tmp_path / lost).unlink()
    with pytest.raises(InputError, match="the output is shorter than the state of the stream says"):
        vericap.stream(path, metrics="fluency").write(tmp_path / name)


def test_an_image_id_of_64_bits_without_a_sign_is_refused_with_its_row(tmp_path):
    path = write_lines(tmp_path / "a.jsonl", [{"image_id": 7, "caption": "a"}, {"image_id": 2**63, "caption": "b"}])
    with pytest.raises(InputError, match='row 2, field "image_id": the image id does not fit into 64 bits'):
        vericap.stream(path, metrics="fluency").write(None)


def test_an_image_scored_as_zero_is_a_document_as_in_the_whole(tmp_path):
    ids = [*list(references_by_id())[:4], 990, 991, 990]
    rows = [{"image_id": image, "caption": f"a woman cooks {n}"} for n, image in enumerate(ids)]
    found = vericap.stream(
        write_lines(tmp_path / "a.jsonl", rows), references_by_id(), metrics="cider-d", batch_size=2, missing="zero"
    )
    whole = vericap.evaluate(rows, references_by_id(), metrics="cider-d", missing="zero", repeated="keep")
    assert_the_same(found, pa.Table.from_batches(list(found)), whole)


def test_two_streams_do_not_write_to_one_output(tmp_path, monkeypatch):
    monkeypatch.setattr("vericap.streaming.lock.PATIENCE", 0.0)
    path = write_lines(tmp_path / "a.jsonl", [{"caption": f"a dog {n}"} for n in range(4)])
    output = tmp_path / "out.jsonl"
    refused = []

    def while_it_runs(what, rows, share):
        if not refused:
            with pytest.raises(InputError, match="another stream is writing there") as error:
                vericap.stream(path, metrics="fluency", batch_size=2).write(output)
            refused.append(error)

    vericap.stream(path, metrics="fluency", batch_size=2).write(output, while_it_runs)
    assert refused and len(output.read_text().splitlines()) == 4
    assert not output.with_name("out.jsonl.lock").exists()


def test_bad_rows_of_another_run_are_not_deleted(tmp_path):
    kept = tmp_path / "out.jsonl.bad.jsonl"
    kept.write_text("mine")
    with pytest.raises(InputError, match=r"out.jsonl.bad.jsonl.*choose another place, or delete it"):
        vericap.stream(write_lines(tmp_path / "a.jsonl", demo_rows(3)), metrics="ter").write(tmp_path / "out.jsonl")
    assert kept.read_text() == "mine"


@pytest.mark.parametrize(
    ("given", "output"),
    [(".", "out.jsonl"), ("*.jsonl", "out.jsonl"), ("*/*.parquet", "out"), ("**/*.parquet", "deep/er/out")],
)
def test_output_that_the_stream_itself_would_read_is_refused(tmp_path, monkeypatch, given, output):
    """After a stop, it would be part of the input."""
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "a.jsonl", [{"caption": "a dog"}])
    with pytest.raises(InputError, match='field "output": the stream would read its own output'):
        vericap.stream(given, metrics="fluency").write(output)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_output_beside_a_pattern_or_below_a_folder_is_fine(tmp_path):
    write_lines(tmp_path / "a.jsonl", [{"caption": "a dog"}])
    for given, output in ((tmp_path, "scores"), (tmp_path / "a*.jsonl", "scores.jsonl"), (tmp_path, "sub/o.jsonl")):
        assert vericap.stream(given, metrics="fluency").write(tmp_path / output).rows == 1
        if output == "scores.jsonl":
            (tmp_path / output).unlink()
            (tmp_path / "scores.jsonl.state.json").unlink()


def test_an_empty_first_file_does_not_say_what_image_ids_are(tmp_path):
    rows = [{"image_id": 7, "caption": "a dog"}, {"image_id": 8, "caption": "a cat"}]
    write_parquet(tmp_path / "b.parquet", rows)
    pq.write_table(pq.read_table(tmp_path / "b.parquet").slice(0, 0), tmp_path / "a.parquet")
    [*batches] = vericap.stream(tmp_path, metrics="fluency")
    assert pa.Table.from_batches(batches)["image_id"].to_pylist() == [7, 8]
