"""`vericap score`: the table, the files, and what is wrong input."""

from __future__ import annotations

import json

import pytest

from tests.cli.program import DEMO, REFERENCES, STRONG, vericap


def test_score_prints_a_table_and_a_signature_for_every_number():
    done = vericap("score", STRONG, "-r", REFERENCES, "-m", "bleu-4,ter", "--signatures")
    assert done.returncode == 0
    assert done.stdout.split()[:5] == ["captions", "bleu-4", "↑", "ter", "↓"]
    assert done.stderr.count("|tokenizer:ptb|") == 2


def test_score_twice_gives_the_same_bytes(tmp_path):
    outputs = []
    for name in ("a.json", "b.json"):
        done = vericap(
            "score", STRONG, "-r", REFERENCES, "--json", tmp_path / name, "--bootstrap", 20, "--workers", len(name)
        )
        assert done.returncode == 0
        outputs.append((tmp_path / name).read_bytes())
    assert outputs[0] == outputs[1]


def test_json_has_the_shape_of_the_contract(tmp_path):
    vericap("score", STRONG, "-r", REFERENCES, "-m", "cider-d,ter", "--json", tmp_path / "out.json")
    written = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert set(written) >= {"vericap", "metrics", "captions"}
    assert set(written["metrics"]["ter"]) == {"score", "interval", "signature", "range", "higher_is_better"}
    assert written["metrics"]["ter"]["range"] == [0.0, None]
    given = json.loads((DEMO / "strong.json").read_text("utf-8"))
    assert [c["image_id"] for c in written["captions"]] == [row["image_id"] for row in given]
    assert set(written["captions"][0]["scores"]) == {"cider-d", "ter"}


def test_bootstrap_puts_the_score_inside_its_interval(tmp_path):
    vericap("score", STRONG, "-r", REFERENCES, "-m", "bleu-4", "--bootstrap", 200, "--json", tmp_path / "out.json")
    [metric] = json.loads((tmp_path / "out.json").read_text("utf-8"))["metrics"].values()
    low, high = metric["interval"]
    assert low < metric["score"] < high


def test_a_row_for_each_group(tmp_path):
    done = vericap(
        "score", STRONG, "-r", REFERENCES, "-m", "bleu-1", "--group-by", "domain", "--json", tmp_path / "out.json"
    )
    rows = [line.split()[0] for line in done.stdout.splitlines()[1:]]
    assert rows[-1] == "all" and len(rows) > 2
    groups = json.loads((tmp_path / "out.json").read_text("utf-8"))["groups"]
    assert list(groups) == rows[:-1]
    assert sum(group["captions"] for group in groups.values()) == 30


def test_captions_from_stdin():
    done = vericap("score", "-", "-r", REFERENCES, "-m", "bleu-1", stdin=(DEMO / "weak.json").read_text("utf-8"))
    assert done.returncode == 0 and "stdin" in done.stdout


@pytest.mark.parametrize("format, sign", [("latex", r"\toprule"), ("markdown", "| --- |"), ("csv", ",captions,bleu-1")])
def test_tables_for_papers(format, sign):
    done = vericap("score", STRONG, "-r", REFERENCES, "-m", "bleu-1", "--format", format, "--scale", 100)
    assert sign in done.stdout


def test_scoring_several_captioners_points_to_compare():
    other = str(DEMO / "weak.json")
    done = vericap("score", STRONG, other, "-r", REFERENCES)
    assert done.returncode == 2 and not done.stdout
    assert f"vericap compare {STRONG} {other}" in done.stderr and done.stderr.count("\n") == 1


def test_csv_has_a_row_a_caption(tmp_path):
    vericap("score", STRONG, "-r", REFERENCES, "-m", "bleu-1", "--csv", tmp_path / "out.csv")
    lines = (tmp_path / "out.csv").read_text("utf-8").splitlines()
    assert lines[0] == "image_id,caption,bleu-1" and len(lines) == 31


@pytest.mark.parametrize(
    "content, hint",
    [
        ('[{"image_id": 1, "caption": "a"}, {"ima', "row 2"),
        ('[{"image_id": 1, "caption": 7}]', 'row 1, field "caption"'),
        ('[{"image_id": 1, "caption": "a"}, {"image_id": 1, "caption": "b"}]', "repeated"),
        ('[{"image_id": 987654, "caption": "a"}]', "no references"),
    ],
)
def test_wrong_input_is_one_line_that_names_the_file(tmp_path, content, hint):
    bad = tmp_path / "bad.json"
    bad.write_text(content)
    done = vericap("score", bad, "-r", REFERENCES, "-m", "bleu-1")
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert "bad.json" in line and hint in line


def test_an_unknown_metric_and_an_unknown_format_are_wrong_input():
    for option in (["-m", "blue"], ["-m", "bleu-1", "--format", "word"], ["-m", "bleu-1", "--tokenizer", "x"]):
        done = vericap("score", STRONG, "-r", REFERENCES, *option)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
