"""CONTRIBUTING.md, copied word for word into a fresh package: each of its five parts works in every verb."""

from __future__ import annotations

import contextlib
import json
import math
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.cli import program

PAGE = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text("utf-8")
KINDS = {
    "metrics": "brevity",
    "readers": "pipes",
    "tokenizers": "letters",
    "benchmarks": "stars",
    "detectors": "labels",
}
FILES = dict(re.findall(r"^`(my_captions/\w+\.py)`:\n\n```python\n(.*?)^```", PAGE, re.M | re.S))
SETTINGS = tomllib.loads("\n".join(re.findall(r"^```toml\n(.*?)^```", PAGE, re.M | re.S)))

ROWS = [
    ("1", "4", "a dog runs", "a dog is running", "the dog runs"),
    ("2", "1", "a very long caption of a cat that sits on a mat and on a chair", "a cat on a mat", "the cat sits"),
    ("3", "3", "two men walk", "two men walk in a park", "men in a park"),
]


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder with the package, as an installer leaves it, and files for it to read."""
    folder = tmp_path_factory.mktemp("site")
    for name, code in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(code, "utf-8")
    project = SETTINGS["project"]
    info = folder / f"my_captions-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    (info / "top_level.txt").write_text("my_captions\n")
    points = [
        line
        for group, names in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {where}" for name, where in names.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(points) + "\n")
    (folder / "mine.pipes").write_text("\n".join(" | ".join(row) for row in ROWS), "utf-8")
    (folder / "mine.json").write_text(json.dumps([{"image_id": row[0], "caption": row[2]} for row in ROWS]))
    (folder / "references.json").write_text(json.dumps({row[0]: row[3:] for row in ROWS}))
    stars = [{"image": r[0], "stars": int(r[1]), "caption": r[2], "references": r[3:]} for r in ROWS]
    (folder / "stars").mkdir()
    (folder / "stars" / "stars.json").write_text(json.dumps(stars))
    (folder / "pictures").mkdir()
    for row, label in zip(ROWS, ("dog", "cat mat", "man park"), strict=True):
        (folder / "pictures" / f"{row[0]}.jpg").write_bytes(b"a picture")
        (folder / "pictures" / f"{row[0]}.txt").write_text(label)
    return folder


def vericap(folder: Path, words: str) -> subprocess.CompletedProcess[str]:
    """The command, where the package is installed; warnings are errors of this test."""
    with contextlib.chdir(folder):
        done = program.vericap(*words.split(), path=str(folder))
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    return done


def as_json(folder: Path, words: str) -> dict:
    vericap(folder, f"{words} --json out.json")
    return json.loads((folder / "out.json").read_text("utf-8"))


def test_the_page_has_code_and_an_entry_point_of_every_kind():
    points = SETTINGS["project"]["entry-points"]
    assert {group: list(names) for group, names in points.items()} == {
        f"vericap.{kind}": [name] for kind, name in KINDS.items()
    }
    assert all(where.split(":")[0].replace(".", "/") + ".py" in FILES for [where] in map(dict.values, points.values()))


def test_the_metric_in_every_verb(installed):
    score = as_json(installed, "score mine.json -r references.json -m brevity(limit=8),bleu-1 --bootstrap 9")
    found = score["metrics"]["brevity(limit=8)"]
    assert found["score"] == pytest.approx((1 + 8 / 16 + 1) / 3)
    assert "|package:my-captions 0.1|" in found["signature"] and found["signature"].endswith("|limit:8")
    assert "brevity" in as_json(installed, "compare mine.json mine.pipes -r references.json -m brevity")["metrics"]
    assert "words" in vericap(installed, "explain mine.json -r references.json --id 2 -m brevity").stdout
    rows = as_json(installed, "judge stars --data . -m brevity,bleu-1 --bootstrap 20")["rows"]
    assert [row["metric"] for row in rows] == ["brevity", "bleu-1"]
    assert "brevity" in [each["key"] for each in json.loads(vericap(installed, "metrics --json").stdout)]


def test_the_reader_in_every_verb(installed):
    plain = as_json(installed, "score mine.json -r references.json -m bleu-1,rouge-l")["metrics"]
    own = as_json(installed, "score mine.pipes -r mine.pipes -m bleu-1,rouge-l")["metrics"]
    assert {key: each["score"] for key, each in own.items()} == {key: each["score"] for key, each in plain.items()}
    as_json(installed, "compare mine.pipes mine.json -r mine.pipes -m rouge-l")
    assert "a dog is running" in vericap(installed, "explain mine.pipes -r mine.pipes --id 1 -m bleu-1").stdout
    assert as_json(installed, "judge ratings --data mine.pipes -m bleu-1 --bootstrap 0")["n"] == 3


def test_the_tokenizer_in_every_verb(installed):
    found = as_json(installed, "score mine.json -r references.json -m bleu-1 --tokenizer letters")
    assert "|tokenizer:letters (my-captions 0.1)|" in found["metrics"]["bleu-1"]["signature"]
    # All 8 letters of "a dog runs" are in the references, of which the shorter has 10.
    assert found["captions"][0]["scores"]["bleu-1"] == pytest.approx(math.exp(1 - 10 / 8))
    vericap(installed, "compare mine.json mine.pipes -r references.json -m bleu-1 --tokenizer letters")
    vericap(installed, "explain mine.json -r references.json --id 1 -m bleu-1 --tokenizer letters")
    judged = as_json(installed, "judge stars --data . -m bleu-1 --bootstrap 0 --tokenizer letters")
    assert judged["choices"]["tokenizer"] == "letters" and "letters (my-captions" in judged["rows"][0]["signature"]


def test_the_benchmark_is_listed_and_judged(installed):
    listed = vericap(installed, "judge list").stdout
    assert "stars: captions with one to five stars" in listed and "protocol pooled" in listed
    judged = as_json(installed, "judge stars --data . -m bleu-1,brevity --bootstrap 20")
    assert (judged["benchmark"], judged["n"], judged["measure"]) == ("stars", 3, "kendall_b")
    vericap(installed, "figure length stars --data . -m bleu-1 --bins 1 --bootstrap 0")


def test_the_detector_in_every_verb_that_looks_at_pictures(installed):
    seen = "-r references.json --images pictures --detector labels -m chair-i"
    captions = as_json(installed, f"score mine.json {seen}")["captions"]
    assert captions[0]["scores"]["chair-i"] == 0.0
    vericap(installed, f"compare mine.json mine.pipes {seen}")
    assert "dog" in vericap(installed, f"explain mine.json --id 1 {seen}").stdout
