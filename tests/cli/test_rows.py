"""Single captions: written, filtered, the worst and the best."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.program import REFERENCES, STRONG, WEAK, vericap
from vericap.cli.score import RowsOptions
from vericap.errors import InputError
from vericap.metrics import metric_key

GIVEN = (WEAK, "-r", REFERENCES, "-m", "bleu-1,cider-d,ter")


def test_output_keeps_all_columns_and_filter_keeps_rows(tmp_path: Path) -> None:
    rows = json.loads(STRONG.read_text("utf-8"))
    captions = tmp_path / "captions.jsonl"
    captions.write_text("\n".join(json.dumps({"n": n, **row}) for n, row in enumerate(rows)), "utf-8")
    every, some = tmp_path / "every.jsonl", tmp_path / "some.csv"
    assert vericap("score", captions, *GIVEN[1:], "--output", every).returncode == 0
    written = [json.loads(line) for line in every.read_text("utf-8").splitlines()]
    assert [row["n"] for row in written] == list(range(30))
    assert list(written[0]) == ["n", *rows[0], "bleu-1", "cider-d", "ter"]
    done = vericap("score", captions, *GIVEN[1:], "--output", some, "--filter", "CIDEr-D > 1 and not ter > .5")
    expected = [row["n"] for row in written if row["cider-d"] > 1 and not row["ter"] > 0.5]
    with some.open(encoding="utf-8", newline="") as file:
        assert [int(row["n"]) for row in csv.DictReader(file)] == expected and 0 < len(expected) < 30
    assert f"note: {len(expected)} of 30 rows pass CIDEr-D > 1 and not ter > .5" in done.stderr


def test_worst_and_best_show_captions_with_references_and_scores() -> None:
    done = vericap("score", *GIVEN, "--worst", 2, "--best", 1, "--sort", "TER")
    _, worst, first, second, best, third = done.stdout.strip().split("\n\n")
    assert (worst, best) == ("Worst 2 by ter", "Best 1 by ter")
    scores = [float(text.splitlines()[0].rpartition(" ")[2]) for text in (first, second, third)]
    assert scores[0] >= scores[1] > scores[2]
    assert all(text.count("  reference: ") == 5 and text.count("  caption: ") == 1 for text in (first, second, third))
    assert vericap("score", *GIVEN, "--sort", "cider-d").stdout.count("  caption: ") == 10


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--filter", "ter > 1"], "add --output FILE"),
        (["--output", "x.csv", "--filter", "ter >"], "ter >▸, character 6"),
        (["--output", "x.xlsx"], "is not a kind of table"),
        (["--sort", "spice"], "spice is not computed; use one of bleu-1, cider-d, ter"),
        (["--worst", "-1"], "out of bounds"),
    ],
)
def test_options_that_cannot_be_followed_are_errors_before_any_work(words: list[str], said: str) -> None:
    done = vericap("score", *GIVEN, *words)
    assert done.returncode == 2 and not done.stdout and said in done.stderr and len(done.stderr.splitlines()) == 1


def test_an_unknown_column_is_an_error_after_the_table(tmp_path: Path) -> None:
    done = vericap("score", *GIVEN, "--output", tmp_path / "x.csv", "--filter", "colour == 'red'")
    assert done.returncode == 2 and "cider-d" in done.stdout and not (tmp_path / "x.csv").exists()
    assert "▸colour == 'red', character 1: no column is called 'colour'" in done.stderr


def test_names_of_metrics_are_read_as_people_write_them() -> None:
    assert (metric_key("CIDEr_D"), metric_key("domain")) == ("cider-d", "domain")
    with pytest.raises(InputError, match="add --output FILE"):
        RowsOptions(filter="x > 1").check("bleu-1")
