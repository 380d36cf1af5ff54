"""`vericap judge` and `vericap figure` from the command line."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from tests.judging import benchmark_folders as folders
from vericap.cli import app
from vericap.errors import FormerWord, InputError

run = CliRunner().invoke


def test_list_names_every_benchmark_with_licence_and_citation():
    out = run(app, ["judge", "list"]).output
    for word in ("flickr8k-expert", "47,830 captions", "licence:", "cite: Vedantam", "protocol own-removed"):
        assert word in out


def test_json_has_the_keys_of_the_design(tmp_path):
    folder = folders.flickr8k(tmp_path / "flickr8k")
    done = run(
        app,
        f"judge flickr8k-expert --data {tmp_path} --metrics bleu-1,rouge-l --bootstrap 50 "
        f"--json {tmp_path / 'out.json'} --html {tmp_path / 'out.html'}".split(),
    )
    assert done.exit_code == 0, done.output
    found = json.loads((tmp_path / "out.json").read_text())
    assert (found["benchmark"], found["protocol"], found["n"]) == ("flickr8k-expert", "judges-apart", 18)
    assert found["choices"]["judges"] == "apart"
    row = found["rows"][0]
    assert {"metric", "kendall_b", "kendall_c", "spearman", "pearson", "interval", "ties", "seconds"} <= set(row)
    assert "accuracy" not in row
    page = (tmp_path / "out.html").read_text("utf-8")
    assert "<table>" in page and "judges apart" in page and str(folder) not in page
    forced = run(app, f"judge pascal-50s -d {folders.pascal(tmp_path / 'p')} -m bleu-1 --bootstrap 50 --json -".split())
    row = json.loads(forced.stdout[: forced.stdout.rindex("}") + 1])["rows"][0]
    assert set(row["accuracy"]) == {"HI", "MM", "all"} and "kendall_b" not in row
    assert set(row["interval"]) <= {"accuracy.HI", "accuracy.MM", "accuracy.all"}


@pytest.mark.parametrize("format, sign", [("latex", r"\toprule"), ("markdown", "| --- |"), ("csv", "metric,kendall_b")])
def test_formats_of_the_table(format, sign, tmp_path):
    folders.nebula(tmp_path / "nebula")
    done = run(app, f"judge nebula --data {tmp_path} --metrics bleu-1 --bootstrap 0 --format {format}".split())
    assert sign in done.stdout


def test_rows_go_out_and_scores_come_back(tmp_path):
    folders.nebula(tmp_path / "nebula")
    assert run(app, f"judge nebula --data {tmp_path} --captions {tmp_path / 'rows.jsonl'}".split()).exit_code == 0
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert rows[0]["id"] == 0 and rows[0]["caption"] == "a dog runs" and len(rows[0]["references"]) == 5
    (tmp_path / "words.csv").write_text("id,score\n" + "".join(f"{r['id']},{len(r['caption'])}\n" for r in rows))
    done = run(app, f"judge nebula -d {tmp_path} -m bleu-1 --bootstrap 0 --scores {tmp_path / 'words.csv'}".split())
    assert "b words" in done.stdout


@pytest.mark.parametrize(
    "words, problem",
    [
        ("judge flickr9k --data .", "no benchmark is called"),
        ("judge composite", "add --data DIR; it comes from"),
        ("judge composite --data /nowhere", "there is no such folder"),
        ("judge ratings --data mine.csv", "check the path; ratings comes from a .json, .jsonl, .csv or .tsv file"),
        ("judge pairs --data RATINGS", 'field "a": the table has no such column; it has caption, references, score'),
        ("judge flickr8k-expert --data . --protocol mine", "use one of judges-apart"),
        ("figure references flickr8k-expert --data FLICKR", "has no forced choices"),
    ],
)
def test_what_is_wrong_is_said(words, problem, tmp_path):
    (tmp_path / "ratings.csv").write_text("caption,references,score\na dog,a puppy,3\n")
    words = words.replace("FLICKR", str(folders.flickr8k(tmp_path / "f")))
    words = words.replace("RATINGS", str(tmp_path / "ratings.csv"))
    with pytest.raises(InputError, match=problem):
        run(app, words.split(), catch_exceptions=False)


def test_figures_as_data_and_pictures(tmp_path):
    pytest.importorskip("matplotlib")
    folder = folders.pascal(tmp_path / "p")
    files = [tmp_path / f"curve{kind}" for kind in (".csv", ".json", ".svg", ".png", ".html")]
    outputs = [word for file in files for word in ("-o", str(file))]
    done = run(
        app, ["figure", "references", "pascal-50s", "-d", str(folder), "-m", "bleu-1", "--points", "1-2,5", *outputs]
    )
    assert done.exit_code == 0, done.output
    assert json.loads(files[1].read_text())["points"] == [1, 2, 5]
    assert files[2].read_text().startswith("<?xml") and files[3].read_bytes().startswith(b"\x89PNG")
    assert "<svg" in files[4].read_text() and len(files[0].read_text().splitlines()) == 4
    again = tmp_path / "again.svg"
    run(
        app,
        [
            "figure",
            "references",
            "pascal-50s",
            "-d",
            str(folder),
            "-m",
            "bleu-1",
            "--points",
            "1,2,5",
            "-o",
            str(again),
        ],
    )
    assert again.read_bytes() == files[2].read_bytes()


def test_options_under_their_former_names(tmp_path):
    folders.nebula(tmp_path / "nebula")
    call = f"judge nebula --data {tmp_path} -m bleu-1 --bootstrap 0 --references-used 2 --draws 3".split()
    now = run(app, [*call, "--sampling", "random", "--correlation", "image"])
    with pytest.warns(FormerWord, match="is called --(correlation|sampling) now"):
        before = run(app, [*call, "--drawn", "random", "--over=image"])
    assert now.exit_code == 0 and (before.stdout, before.stderr) == (now.stdout, now.stderr)
    assert "3 draws" in now.stderr and "--drawn" not in run(app, ["judge", "--help"]).output
