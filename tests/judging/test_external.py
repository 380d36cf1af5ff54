"""Scores of other tools are rows of the table, and errors where they do not fit."""

from __future__ import annotations

import json

import pytest

from tests.judging import benchmark_folders as folders
from vericap.errors import InputError
from vericap.judging import judge


def test_scores_from_elsewhere_are_rows_of_the_table(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    (tmp_path / "clip.csv").write_text("id,score\n2,0.7\n0,0.9\n1,0.1\n")
    (tmp_path / "both.jsonl").write_text("\n".join(json.dumps({"id": k, "x": k, "y": -k}) for k in range(3)))
    verdict = judge(
        "nebula", folder, metrics="bleu-1", scores=[tmp_path / "clip.csv", tmp_path / "both.jsonl"], bootstrap=0
    )
    assert [row.metric for row in verdict.rows] == ["bleu-1", "clip", "x", "y"]
    assert verdict["clip"].value("kendall_b") == 1.0
    assert verdict["x"].value("pearson") == -verdict["y"].value("pearson")
    systems = tmp_path / "mine.csv"
    systems.write_text("id,score\nHuman,3\nA,2\nB,1\nC,1.5\n")
    judged = judge("coco-2015", folders.coco_2015(tmp_path / "s"), scores=[systems], bootstrap=0)
    assert judged["mine"].value("M1.kendall_b") == pytest.approx(1)


@pytest.mark.parametrize(
    "content, problem",
    [
        ("id,score\n0,1\n1,2\n", "1 of 3 ids have no score, 2 for one"),
        ("id,score\n0,1\n1,2\n9,3\n", "'9' is not a row's number, 0 to 2"),
        ("id,score\n0,1\n0,2\n1,3\n2,4\n", "id 0 occurs twice"),
        ("id,score\n0,1\n1,nan\n2,3\n", "'nan' is not a number"),
        ("id\n0\n1\n2\n", "no column holds scores"),
    ],
)
def test_scores_that_do_not_fit_say_why(content, problem, tmp_path):
    folder = folders.nebula(tmp_path / "f")
    (tmp_path / "x.csv").write_text(content)
    with pytest.raises(InputError) as error:
        judge("nebula", folder, scores=[tmp_path / "x.csv"], bootstrap=0)
    assert problem in str(error.value)
