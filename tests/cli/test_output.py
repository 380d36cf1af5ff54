"""What verbs print beside the files they write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.program import REFERENCES, STRONG, WEAK, on_terminal, vericap
from vericap.version import __version__

GIVEN = (STRONG, "-r", REFERENCES, "-m", "bleu-1,bleu-4,ter")


def test_signatures_are_one_line_unless_each_is_asked_for() -> None:
    one = vericap("score", *GIVEN).stderr.splitlines()
    assert [line for line in one if "tokenizer:ptb" in line] == [
        f"signatures: version:{__version__}|tokenizer:ptb|language:en|references:5; bleu-1|n:1; bleu-4|n:4; ter"
    ]
    each = vericap("score", *GIVEN, "--signatures").stderr.splitlines()
    assert [line.split("|")[0] for line in each] == ["metric:bleu-1", "metric:bleu-4", "metric:ter"]


def test_quiet_prints_the_result_alone() -> None:
    for words in (("score", *GIVEN), ("compare", STRONG, WEAK, *GIVEN[1:], "--bootstrap", 50)):
        loud, quiet = vericap(*words), vericap(*words, "--quiet")
        assert quiet.stdout == loud.stdout and loud.stderr and not quiet.stderr


@pytest.mark.parametrize("verb", ["score", "compare", "explain"])
def test_json_on_stdout_is_alone(verb: str) -> None:
    more = {"score": [], "compare": [WEAK, "--bootstrap", 50], "explain": ["--id", 1]}[verb]
    done = vericap(verb, *GIVEN, *more, "--json", "-")
    assert done.returncode == 0 and json.loads(done.stdout)["vericap"]


def test_two_files_on_stdout_are_an_error() -> None:
    done = vericap("score", *GIVEN, "--json", "-", "--csv", "-")
    assert done.returncode == 2 and done.stderr.startswith("vericap: --json and --csv are both stdout; ")


def test_a_file_that_cannot_be_drawn_does_not_keep_others_from_being_written(tmp_path: Path) -> None:
    page, picture = tmp_path / "why.html", tmp_path / "why.png"
    done = vericap("explain", *GIVEN, "--id", 1, "--png", picture, "--html", page)
    assert done.returncode == 2 and "none of these metrics has a matrix" in done.stderr
    assert "bleu-4 = " in done.stdout and "<h1>" in page.read_text("utf-8") and not picture.exists()


def test_wide_tables_are_turned_round_or_folded_on_a_terminal() -> None:
    wide = on_terminal("score", STRONG, "-r", REFERENCES, columns=200)
    assert wide.count("captions") == 1 and max(map(len, wide.splitlines())) > 100
    turned = on_terminal("score", STRONG, "-r", REFERENCES, columns=60)
    assert max(len(line) for line in turned.splitlines()) <= 75  # with the terminal's codes for bold
    assert [key for key in ("bleu-1", "meteor", "spice") if key in turned] == ["bleu-1", "meteor", "spice"]
    folded = on_terminal("compare", STRONG, WEAK, *GIVEN[1:], "--bootstrap", 50, "--format", "plain", columns=60)
    assert folded.count("weak − strong") > 3


def test_explanations_come_in_the_order_asked_for() -> None:
    ids = [row["image_id"] for row in json.loads(STRONG.read_text("utf-8"))]
    wanted = [ids[4], ids[1]]
    done = vericap("explain", *GIVEN, "--id", wanted[0], "--id", wanted[1])
    found = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("image ")]
    assert found == list(map(str, wanted))
