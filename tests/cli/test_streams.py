"""What is printed to streams that are closed, full, or cannot hold every character."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import REFERENCES, STRONG, WEAK, on_terminal, vericap

SCORE = f"{sys.executable} -m vericap score {STRONG} -r {REFERENCES} -m bleu-1,ter"
COMPARE = f"{sys.executable} -m vericap compare {STRONG} {WEAK} -r {REFERENCES} -m bleu-1 --bootstrap 50"
EXPLAIN = f"{sys.executable} -m vericap explain {STRONG} -r {REFERENCES} --id 1 -m bleu-1"
METRICS = f"{sys.executable} -m vericap metrics"
RESOURCES = f"{sys.executable} -m vericap resources"


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, encoding="utf-8", timeout=120)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "cp437"])
def test_an_encoding_with_few_characters_gets_signs_that_resemble_ours(encoding: str) -> None:
    done = vericap("compare", STRONG, WEAK, "-r", REFERENCES, "-m", "ter", "--bootstrap", 50, PYTHONIOENCODING=encoding)
    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert "ter v" in done.stdout and "weak - strong" in done.stdout


@pytest.mark.parametrize("command", [SCORE, COMPARE, EXPLAIN, METRICS, RESOURCES])
def test_a_closed_stdout_swallows_what_is_printed(command: str) -> None:
    done = shell(f"{command} >&-")
    assert done.returncode == 0 and "Traceback" not in done.stderr


def test_a_closed_stderr_swallows_remarks(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    done = shell(f"{SCORE} --json {out} 2>&-")
    assert done.returncode == 0 and "bleu-1" in done.stdout
    assert len(json.loads(out.read_text("utf-8"))["captions"]) == 30


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("command", [SCORE, COMPARE, EXPLAIN, METRICS, RESOURCES])
def test_a_full_stdout_is_one_line(command: str) -> None:
    done = shell(f"{command} > /dev/full")
    assert done.returncode == 2 and "Traceback" not in done.stderr and "Exception" not in done.stderr
    assert [line for line in done.stderr.splitlines() if line.startswith("vericap: ")] == [
        "vericap: the output cannot be written (No space left on device); print it elsewhere"
    ]


@pytest.mark.parametrize("command", [SCORE, COMPARE, EXPLAIN, METRICS, RESOURCES, f"{SCORE} --json -"])
def test_a_reader_that_has_seen_enough_ends_it_with_code_0(command: str) -> None:
    done = shell(f"{command} | exec true; echo ${{PIPESTATUS[0]}}")
    assert done.stdout == "0\n" and "Traceback" not in done.stderr and "Exception" not in done.stderr


def test_captions_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    results.write_text(json.dumps([{"image_id": 1, "caption": "a \x1b[31mred\x1b[0m dog\x07\nruns"}]), "utf-8")
    done = vericap("explain", results, "-r", REFERENCES, "--id", 1, "-m", "bleu-1")
    assert "\x1b" not in done.stdout and r"a \x1b[31mred\x1b[0m dog\x07\nruns" in done.stdout
    results.write_text(json.dumps([{"image_id": "\x1b[2J", "caption": "a"}]), "utf-8")
    done = vericap("score", results, "-r", REFERENCES, "-m", "bleu-1")
    assert done.returncode == 2 and "\x1b" not in done.stderr and len(done.stderr.splitlines()) == 1


def test_names_are_not_markup_on_a_terminal(tmp_path: Path) -> None:
    rows = [
        {**row, "kind": "[/bold] x" if number % 2 else "m[v1]"}
        for number, row in enumerate(json.loads(STRONG.read_text("utf-8")))
    ]
    results = tmp_path / "results.json"
    results.write_text(json.dumps(rows), "utf-8")
    shown = on_terminal("score", results, "-r", REFERENCES, "-m", "bleu-1", "--group-by", "kind")
    assert "[/bold] x" in shown and "m[v1]" in shown


def test_a_terminal_without_our_characters_gets_a_plain_table() -> None:
    shown = on_terminal("score", STRONG, "-r", REFERENCES, "-m", "bleu-1", PYTHONIOENCODING="latin-1")
    assert "bleu-1 ^" in shown and "strong" in shown
