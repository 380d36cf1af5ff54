"""The command line as a person uses it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.resources import files

import pytest
import typer

from vericap.cli import app
from vericap.show.grid import FORMATS

DEMO = files("vericap") / "data" / "demo"
RESULTS, REFERENCES = str(DEMO / "strong.json"), str(DEMO / "references.json")


def vericap(*words: object, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "vericap", *map(str, words)],
        capture_output=True,
        text=True,
        input=stdin,
        timeout=120,
        encoding="utf-8",
    )


def test_score_prints_a_table_and_a_signature_for_every_number():
    done = vericap("score", RESULTS, "-r", REFERENCES, "-m", "bleu-4,ter", "--signatures")
    assert done.returncode == 0
    assert done.stdout.split()[:5] == ["captions", "bleu-4", "↑", "ter", "↓"]
    assert done.stderr.count("|tokenizer:ptb|") == 2


def test_score_twice_gives_the_same_bytes(tmp_path):
    outputs = []
    for name in ("a.json", "b.json"):
        done = vericap(
            "score", RESULTS, "-r", REFERENCES, "--json", tmp_path / name, "--bootstrap", 20, "--workers", len(name)
        )
        assert done.returncode == 0
        outputs.append((tmp_path / name).read_bytes())
    assert outputs[0] == outputs[1]


def test_json_has_the_shape_of_the_contract(tmp_path):
    vericap("score", RESULTS, "-r", REFERENCES, "-m", "cider-d,ter", "--json", tmp_path / "out.json")
    written = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert set(written) >= {"vericap", "metrics", "captions"}
    assert set(written["metrics"]["ter"]) == {"score", "interval", "signature", "range", "higher_is_better"}
    assert written["metrics"]["ter"]["range"] == [0.0, None]
    given = json.loads((DEMO / "strong.json").read_text("utf-8"))
    assert [c["image_id"] for c in written["captions"]] == [row["image_id"] for row in given]
    assert set(written["captions"][0]["scores"]) == {"cider-d", "ter"}


def test_bootstrap_puts_the_score_inside_its_interval(tmp_path):
    vericap("score", RESULTS, "-r", REFERENCES, "-m", "bleu-4", "--bootstrap", 200, "--json", tmp_path / "out.json")
    [metric] = json.loads((tmp_path / "out.json").read_text("utf-8"))["metrics"].values()
    low, high = metric["interval"]
    assert low < metric["score"] < high


def test_a_row_for_each_group(tmp_path):
    done = vericap(
        "score", RESULTS, "-r", REFERENCES, "-m", "bleu-1", "--group-by", "domain", "--json", tmp_path / "out.json"
    )
    rows = [line.split()[0] for line in done.stdout.splitlines()[1:]]
    assert rows[-1] == "all" and len(rows) > 2
    groups = json.loads((tmp_path / "out.json").read_text("utf-8"))["groups"]
    assert list(groups) == rows[:-1]
    assert sum(group["captions"] for group in groups.values()) == 30


def test_captions_from_stdin():
    done = vericap(
        "score", "-", "-r", REFERENCES, "-m", "bleu-1", stdin=(DEMO / "weak.json").read_text("utf-8")
    )
    assert done.returncode == 0 and "stdin" in done.stdout


@pytest.mark.parametrize("format, sign", [("latex", r"\toprule"), ("markdown", "| --- |"), ("csv", ",captions,bleu-1")])
def test_tables_for_papers(format, sign):
    done = vericap("score", RESULTS, "-r", REFERENCES, "-m", "bleu-1", "--format", format, "--scale", 100)
    assert sign in done.stdout


def test_scoring_several_captioners_points_to_compare():
    other = str(DEMO / "weak.json")
    done = vericap("score", RESULTS, other, "-r", REFERENCES)
    assert done.returncode == 2 and not done.stdout
    assert f"vericap compare {RESULTS} {other}" in done.stderr and done.stderr.count("\n") == 1


def test_help_names_every_format_of_tables():
    takes_a_format = {
        name: parameter.help
        for name, command in typer.main.get_command(app).commands.items()
        for parameter in command.params
        if parameter.name == "format"
    }
    assert set(takes_a_format) == {"score", "compare", "judge", "demo"}
    for help in takes_a_format.values():
        assert set(help.rstrip(".").replace(" or ", ", ").split(", ")) == set(FORMATS)


def test_csv_has_a_row_a_caption(tmp_path):
    vericap("score", RESULTS, "-r", REFERENCES, "-m", "bleu-1", "--csv", tmp_path / "out.csv")
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
        done = vericap("score", RESULTS, "-r", REFERENCES, *option)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


def test_explain_shows_the_parts_of_each_formula():
    done = vericap("explain", RESULTS, "-r", REFERENCES, "--id", 1, "-m", "bleu-2,rouge-l,cider-d,cider-r,ter")
    assert done.returncode == 0
    for part in ("brevity penalty", "best recall", "idf", "length penalty", "repetition penalty"):
        assert part in done.stdout


def test_metrics_lists_what_the_contract_asks_for():
    rows = json.loads(vericap("metrics", "--json").stdout)
    keys = {"key", "question", "needs", "range", "higher_is_better", "citation"}
    assert all(set(row) == keys for row in rows)
    assert {"bleu-4", "rouge-l", "rouge-su4", "ter", "cider", "cider-d", "cider-r"} <= {row["key"] for row in rows}


def test_demo_ranks_its_systems_as_they_were_made():
    done = vericap("demo", "--format", "csv")
    rows = [line.split(",") for line in done.stdout.splitlines()[:4]]
    column = rows[0].index("cider-d")
    strong, middling, weak = (float(row[column]) for row in rows[1:])
    assert strong > middling > weak


def test_version_says_how_the_kernels_run():
    assert vericap("--version").stdout.startswith("vericap ")


def test_importing_the_package_loads_nothing_heavy():
    heavy = ["torch", "ray", "scipy", "pandas", "pyarrow", "numpy", "rich"]
    code = f"import sys, vericap; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_resources_lists_what_ships():
    done = vericap("resources")
    assert "demo/strong.json" in done.stdout and "CC0-1.0" in done.stdout


def test_a_table_of_document_frequencies_of_ones_own(tmp_path):
    table = tmp_path / "mine.df"
    assert vericap("resources", "df", REFERENCES, "-o", table).returncode == 0
    own = vericap("score", RESULTS, "-r", REFERENCES, "-m", "cider-d", "--df", table)
    corpus = vericap("score", RESULTS, "-r", REFERENCES, "-m", "cider-d")
    assert own.stdout == corpus.stdout
    assert own.stderr != corpus.stderr  # the signature says where the frequencies come from


def test_importing_the_command_line_loads_nothing_heavy():
    heavy = ["torch", "ray", "scipy", "pandas", "pyarrow", "numpy", "rich", "orjson", "importlib.metadata", "tomllib"]
    code = f"import sys, vericap.cli; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


THEIR_METRICS = """
from dataclasses import dataclass
import numpy as np
from vericap import Metric

@dataclass(frozen=True)
class Few(Metric):
    name = "few"
    question = "fluency"
    needs = ()
    citation = "nobody"

    def statistics(self, views): return np.zeros((1, 1))
    def score(self, statistics): return statistics[:, 0]
    def explain(self, views, i): raise NotImplementedError
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An installed package with two metrics: one that cannot be imported, one that returns too few scores."""
    (tmp_path / "their_metrics.py").write_text(THEIR_METRICS)
    info = tmp_path / "their-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their\nVersion: 1.0\n")
    points = "[vericap.metrics]\nbroken = no_such_module:Metric\nfew = their_metrics:Few\n"
    (info / "entry_points.txt").write_text(points)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]))


def test_a_plug_in_that_cannot_be_loaded_is_one_line(package):
    done = vericap("metrics")
    assert done.returncode == 0 and "few" in done.stdout
    [line] = done.stderr.splitlines()
    assert line.startswith("vericap: warning: metric 'broken' of the package their 1.0 cannot be loaded")


def test_a_metric_that_breaks_its_contract_ends_with_code_1(package):
    done = vericap("score", RESULTS, "-r", REFERENCES, "-m", "few")
    assert done.returncode == 1 and not done.stdout
    [line] = [line for line in done.stderr.splitlines() if "warning" not in line]
    assert line.startswith("vericap: few") and "30" in line
